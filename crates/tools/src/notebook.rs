//! `NotebookEdit`, and notebooks as `Read` shows them.
//!
//! A notebook is changed by splicing its JSON text: what is not changed stays byte for byte as it
//! was, key order, indentation and number formats included.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::ops::Range;

use planwright_core::bounds;
use planwright_core::call::{CellType, EditMode, NotebookEdit};
use planwright_core::permit::Target;
use serde_json::value::RawValue;
use serde_json::{Map, Value, json};

use crate::bounded::{self, count};
use crate::change::{Change, ReadFirst, Source};
use crate::textfile;

pub(crate) fn change(
    call: &NotebookEdit,
    target: &Target,
    source: Source<'_>,
    read_first: ReadFirst<'_>,
) -> Result<Change, String> {
    let bytes = source.bytes(target)?;
    read_first.check(target, &bytes)?;
    let decoded = textfile::editable(&target.named, &bytes)?;
    let invalid = |error: String| format!("{} is not a notebook: {error}. It was not changed.", target.named);
    let notebook = Notebook::parse(&decoded.text).map_err(invalid)?;
    let (splice, done) = match call.edit_mode {
        EditMode::Replace => notebook.replacing(call)?,
        EditMode::Insert => notebook.inserting(call)?,
        EditMode::Delete => notebook.deleting(call)?,
    };
    let mut new = decoded.text.clone();
    for (range, with) in splice.into_iter().rev() {
        new.replace_range(range, &with);
    }
    // A splice that went wrong must not reach the disk.
    Notebook::parse(&new).map_err(|error| format!("internal error: the changed notebook would be broken: {error}"))?;
    let done = format!("{done} in {}.", target.named);
    Ok(Change { old: Some(decoded.text), new, encoding: decoded.encoding, done })
}

/// The notebook as text: its cells one after the other, with their outputs.
///
/// # Errors
/// It is not a notebook.
pub(crate) fn shown(json: &str) -> Result<String, String> {
    let notebook = Notebook::parse(json)?;
    let mut out = String::new();
    for (number, cell) in notebook.cells.iter().enumerate() {
        let cell: Value = serde_json::from_str(cell.get()).map_err(|error| error.to_string())?;
        let id = cell["id"].as_str().map(|id| format!(", id {id}")).unwrap_or_default();
        let _ = writeln!(out, "[cell {number}, {}{id}]", cell["cell_type"].as_str().unwrap_or("of no type"));
        let _ = writeln!(out, "{}", joined(&cell["source"]));
        for output in cell["outputs"].as_array().into_iter().flatten() {
            let shown = bounded::middle(output_text(output), bounds::CELL_OUTPUT_BYTES);
            let _ = writeln!(out, "[output of cell {number}]\n{shown}");
        }
    }
    if notebook.cells.is_empty() {
        out.push_str("[the notebook has no cells]\n");
    }
    Ok(out)
}

/// Text that the format stores whole or as a list of lines.
fn joined(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(lines) => lines.iter().filter_map(Value::as_str).collect(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Object(_) => String::new(),
    }
}

fn output_text(output: &Value) -> String {
    let error = || format!("{}: {}", joined(&output["ename"]), joined(&output["evalue"]));
    let data = output["data"].as_object();
    let kinds = || data.into_iter().flat_map(Map::keys).map(String::as_str).collect::<Vec<_>>().join(", ");
    if output["output_type"] == "error" {
        return error();
    }
    match (joined(&output["text"]), joined(&output["data"]["text/plain"])) {
        (text, _) | (_, text) if !text.is_empty() => text,
        _ => format!("[{}]", kinds()),
    }
}

/// What to put where, in the order of the text.
type Splice = Vec<(Range<usize>, String)>;

struct Notebook<'a> {
    json: &'a str,
    /// The whole list of cells.
    list: &'a RawValue,
    cells: Vec<&'a RawValue>,
    /// Whether cells have ids (from format 4.5 on they must).
    ids: bool,
    /// One step of indentation.
    indent: &'a str,
}

impl<'a> Notebook<'a> {
    fn parse(json: &'a str) -> Result<Self, String> {
        let fields: HashMap<String, &RawValue> = serde_json::from_str(json).map_err(|error| error.to_string())?;
        let list = *fields.get("cells").ok_or("it has no `cells`")?;
        let cells: Vec<&RawValue> = serde_json::from_str(list.get()).map_err(|error| format!("`cells`: {error}"))?;
        let format = |field: &str| fields.get(field).and_then(|value| value.get().parse().ok()).unwrap_or(0_u32);
        let ids = (format("nbformat"), format("nbformat_minor")) >= (4, 5);
        let second = json.lines().nth(1).unwrap_or_default();
        let indent = &second[..second.len() - second.trim_start_matches([' ', '\t']).len()];
        Ok(Self { json, list, cells, ids, indent })
    }

    /// Where a part of the text stands in it.
    fn place(&self, part: &str) -> Range<usize> {
        let start = part.as_ptr().addr() - self.json.as_ptr().addr();
        start..start + part.len()
    }

    /// The cell that is named: by its id, else by its number.
    fn find(&self, call: &NotebookEdit) -> Result<usize, String> {
        let wanted = call.cell_id.as_deref().ok_or("`cell_id` is missing: name the cell by its id or number.")?;
        let id_is = |cell: &RawValue| {
            let fields: HashMap<String, &RawValue> = serde_json::from_str(cell.get()).unwrap_or_default();
            let id = fields.get("id").and_then(|id| serde_json::from_str::<String>(id.get()).ok());
            id.as_deref() == Some(wanted)
        };
        let by_number = || wanted.parse().ok().filter(|number| *number < self.cells.len());
        self.cells.iter().position(|cell| id_is(cell)).or_else(by_number).ok_or_else(|| {
            format!("There is no cell `{wanted}`; the notebook has {}.", count(self.cells.len(), "cell"))
        })
    }

    fn replacing(&self, call: &NotebookEdit) -> Result<(Splice, String), String> {
        let number = self.find(call)?;
        let cell = self.cells[number].get();
        let fields: HashMap<String, &RawValue> =
            serde_json::from_str(cell).map_err(|error| format!("cell {number} is broken: {error}"))?;
        let kind = fields.get("cell_type").and_then(|kind| serde_json::from_str::<String>(kind.get()).ok());
        let done = format!("Replaced the source of cell {number}");
        if let Some(wanted) = call.cell_type
            && kind.as_deref() != Some(type_name(wanted))
        {
            let changed = self.of_another_type(cell, wanted, &call.new_source)?;
            return Ok((vec![(self.place(cell), changed)], format!("{done}, now a {} cell,", type_name(wanted))));
        }
        let mut splice = Splice::new();
        let mut put = |field: &str, value: &Value| {
            if let Some(old) = fields.get(field) {
                splice.push((self.place(old.get()), self.pretty(value, 3)));
            }
        };
        let whole = fields.get("source").is_some_and(|source| source.get().starts_with('"'));
        put("source", &if whole { json!(call.new_source) } else { lines(&call.new_source) });
        // What the old source printed says nothing about the new one.
        put("outputs", &json!([]));
        put("execution_count", &Value::Null);
        splice.sort_by_key(|(range, _)| range.start);
        Ok((splice, done))
    }

    fn of_another_type(&self, cell: &str, to: CellType, source: &str) -> Result<String, String> {
        let mut fields: Map<String, Value> = serde_json::from_str(cell).map_err(|error| error.to_string())?;
        fields.insert("cell_type".to_owned(), json!(type_name(to)));
        fields.insert("source".to_owned(), lines(source));
        match to {
            CellType::Markdown => {
                fields.shift_remove("outputs");
                fields.shift_remove("execution_count");
            }
            CellType::Code => {
                fields.insert("outputs".to_owned(), json!([]));
                fields.insert("execution_count".to_owned(), Value::Null);
            }
        }
        Ok(self.pretty(&Value::Object(fields), 2))
    }

    fn inserting(&self, call: &NotebookEdit) -> Result<(Splice, String), String> {
        let kind = call.cell_type.ok_or("`cell_type` is missing: a new cell is `code` or `markdown`.")?;
        let number = match &call.cell_id {
            Some(_) => self.find(call)? + 1,
            None => 0,
        };
        let cell = self.pretty(&Value::Object(self.new_cell(kind, &call.new_source)), 2);
        let gap = self.line_start(2);
        let splice = match (number.checked_sub(1), self.cells.first()) {
            (Some(before), _) => {
                let end = self.place(self.cells[before].get()).end;
                (end..end, format!(",{gap}{cell}"))
            }
            (None, Some(first)) => {
                let start = self.place(first.get()).start;
                (start..start, format!("{cell},{gap}"))
            }
            (None, None) => (self.place(self.list.get()), format!("[{gap}{cell}{}]", self.line_start(1))),
        };
        Ok((vec![splice], format!("Inserted cell {number} ({})", type_name(kind))))
    }

    fn new_cell(&self, kind: CellType, source: &str) -> Map<String, Value> {
        let mut cell = Map::new();
        cell.insert("cell_type".to_owned(), json!(type_name(kind)));
        if kind == CellType::Code {
            cell.insert("execution_count".to_owned(), Value::Null);
        }
        if self.ids {
            // Any id will do that no other cell has; this one is the same in every run.
            let id = (0..)
                .map(|salt| textfile::sha256(format!("{salt} {source} {}", self.json).as_bytes())[..8].to_owned())
                .find(|id| !self.list.get().contains(id.as_str()));
            cell.insert("id".to_owned(), json!(id));
        }
        cell.insert("metadata".to_owned(), json!({}));
        if kind == CellType::Code {
            cell.insert("outputs".to_owned(), json!([]));
        }
        cell.insert("source".to_owned(), lines(source));
        cell
    }

    fn deleting(&self, call: &NotebookEdit) -> Result<(Splice, String), String> {
        let number = self.find(call)?;
        let at = |number: usize| self.place(self.cells[number].get());
        let range = match (number.checked_sub(1), number + 1 < self.cells.len()) {
            (_, true) => at(number).start..at(number + 1).start,
            (Some(before), false) => at(before).end..at(number).end,
            (None, false) => self.place(self.list.get()),
        };
        let with = if self.cells.len() == 1 { "[]" } else { "" };
        Ok((vec![(range, with.to_owned())], format!("Deleted cell {number}")))
    }

    /// A line's end and the indentation of the next one.
    fn line_start(&self, depth: usize) -> String {
        match self.json.contains('\n') {
            true => format!("\n{}", self.indent.repeat(depth)),
            false => String::new(),
        }
    }

    /// JSON laid out as the rest of the notebook, `depth` steps in.
    fn pretty(&self, value: &Value, depth: usize) -> String {
        let line = self.line_start(depth);
        if line.is_empty() {
            return value.to_string();
        }
        // Strings hold no raw newlines, so that every newline is one of the layout.
        format!("{value:#}")
            .lines()
            .map(|line| {
                let text = line.trim_start_matches(' ');
                format!("{}{text}", self.indent.repeat((line.len() - text.len()) / 2))
            })
            .collect::<Vec<_>>()
            .join(&line)
    }
}

const fn type_name(cell_type: CellType) -> &'static str {
    match cell_type {
        CellType::Code => "code",
        CellType::Markdown => "markdown",
    }
}

/// Text as the format stores it: a list of lines with their ends.
fn lines(text: &str) -> Value {
    Value::Array(text.split_inclusive('\n').map(|line| json!(line)).collect())
}
