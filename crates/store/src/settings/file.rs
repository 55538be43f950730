//! One settings file: read, and checked against the table of keys.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use jsonc_parser::ast::{Object, ObjectProp, Value as Node};
use jsonc_parser::common::Ranged;
use jsonc_parser::{CollectOptions, ParseOptions, parse_to_ast};
use planwright_core::bounds;
use planwright_core::call::nearest;
use planwright_core::settings::{KEYS, Key, Kind};
use planwright_core::text;

use super::SettingWarning;

/// A value that a file gives to a key, of the kind that the key takes.
pub(super) struct Given {
    pub key: &'static Key,
    /// Where the key stands.
    pub line: usize,
    pub value: Value,
}

/// A checked value.
pub(super) enum Value {
    /// `null`: as if nothing was set below.
    Unset,
    Bool(bool),
    Number(u32),
    Text(String),
    /// Each with its line; 0 for a flag.
    Texts(Vec<(String, usize)>),
    Object(serde_json::Value),
}

impl Value {
    /// As JSON, to be shown.
    pub fn shown(&self) -> serde_json::Value {
        match self {
            Self::Unset => serde_json::Value::Null,
            Self::Bool(value) => (*value).into(),
            Self::Number(value) => (*value).into(),
            Self::Text(text) => text.as_str().into(),
            Self::Texts(texts) => texts.iter().map(|(text, _)| text.as_str()).collect(),
            Self::Object(object) => object.clone(),
        }
    }
}

impl Given {
    /// The texts of a flag that is short for the list at `path`.
    pub fn texts(path: &str, texts: &[String]) -> Self {
        let key = KEYS.iter().find(|key| key.path == path).expect("flags stand for keys of the table");
        Self { key, line: 0, value: Value::Texts(texts.iter().map(|text| (text.clone(), 0)).collect()) }
    }

    /// The value, if it is a text.
    pub fn text(&self) -> Option<&str> {
        match &self.value {
            Value::Text(text) => Some(text),
            Value::Unset | Value::Bool(_) | Value::Number(_) | Value::Texts(_) | Value::Object(_) => None,
        }
    }

    /// How many texts there are, if it is a list.
    pub fn count(&self) -> Option<usize> {
        match &self.value {
            Value::Texts(texts) => Some(texts.len()),
            Value::Unset | Value::Bool(_) | Value::Number(_) | Value::Text(_) | Value::Object(_) => None,
        }
    }
}

/// What a file holds.
#[derive(Default)]
pub(super) struct Contents {
    pub given: Vec<Given>,
    pub warnings: Vec<SettingWarning>,
}

/// Reads a file. One that is not there holds nothing, without a warning unless it must be there; one
/// that cannot be read or parsed holds nothing, with a warning.
pub(super) fn read(path: &Path, must_exist: bool) -> Contents {
    match read_bytes(path) {
        Ok(bytes) => parse(path, &text::decode(&bytes).text),
        Err(error) if error.kind() == io::ErrorKind::NotFound && !must_exist => Contents::default(),
        Err(error) => {
            let mut checked = Checked { path, text: "", contents: Contents::default() };
            checked.warn(None, format!("the settings file cannot be read: {error}; {UNUSED}"));
            checked.contents
        }
    }
}

/// What becomes of a file that cannot be used.
const UNUSED: &str = "its settings and rules, `deny` rules too, are not in force";

/// The settings that a text gives; `path` is what warnings call it.
pub(super) fn parse(path: &Path, text: &str) -> Contents {
    let mut checked = Checked { path, text, contents: Contents::default() };
    // JSON with comments and trailing commas; nothing looser, or a slip would pass for a setting.
    let options = ParseOptions {
        allow_comments: true,
        allow_trailing_commas: true,
        allow_loose_object_property_names: false,
        allow_missing_commas: false,
        allow_single_quoted_strings: false,
        allow_hexadecimal_numbers: false,
        allow_unary_plus_numbers: false,
        allow_bare_decimal_point_numbers: false,
        allow_non_finite_numbers: false,
        allow_extended_string_escapes: false,
    };
    match parse_to_ast(text, &CollectOptions::default(), &options) {
        Ok(parsed) => match parsed.value {
            Some(Node::Object(object)) => checked.object(object, ""),
            Some(other) => {
                let line = checked.line(other.start());
                checked.warn(Some(line), format!("the settings are not an object, `{{…}}`; {UNUSED}"));
            }
            None => {}
        },
        Err(error) => {
            let line = error.line_display();
            checked.warn(Some(line), format!("the settings are not valid JSON: {}; {UNUSED}", error.kind()));
        }
    }
    checked.contents
}

fn read_bytes(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    // Opening a pipe would wait for a writer.
    if !std::fs::metadata(path)?.is_file() {
        return Err(io::Error::other("it is not a regular file"));
    }
    File::open(path)?.take(bounds::SETTINGS_BYTES + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > bounds::SETTINGS_BYTES {
        return Err(io::Error::other(format!("it is longer than {} bytes", bounds::SETTINGS_BYTES)));
    }
    Ok(bytes)
}

/// A file on its way through the table.
struct Checked<'a> {
    path: &'a Path,
    text: &'a str,
    contents: Contents,
}

impl Checked<'_> {
    fn warn(&mut self, line: Option<usize>, message: String) {
        self.contents.warnings.push(SettingWarning { file: Some(self.path.to_owned()), line, message });
    }

    fn line(&self, at: usize) -> usize {
        1 + self.text.as_bytes()[..at].iter().filter(|byte| **byte == b'\n').count()
    }

    /// The keys of an object; `above` is the path to it, with a dot, or empty.
    fn object(&mut self, object: Object<'_>, above: &str) {
        let mut names: Vec<String> = Vec::new();
        for property in object.properties {
            let name = property.name.as_str().to_owned();
            let path = format!("{above}{name}");
            let line = self.line(property.start());
            if names.contains(&name) {
                let message =
                    format!("`{path}` is given twice in this file: lists are joined, else the last one counts");
                self.warn(Some(line), message);
            }
            names.push(name);
            self.property(property, &path, line, above);
        }
    }

    fn property(&mut self, property: ObjectProp<'_>, path: &str, line: usize, above: &str) {
        if let Some(key) = KEYS.iter().find(|key| key.path == path) {
            if let Some(value) = self.value(key, property.value) {
                self.contents.given.push(Given { key, line, value });
            }
            return;
        }
        let inside: Vec<&str> = KEYS.iter().filter_map(|key| key.path.strip_prefix(&format!("{path}."))).collect();
        match property.value {
            Node::Object(object) if !inside.is_empty() => self.object(object, &format!("{path}.")),
            _ if !inside.is_empty() => {
                let message = format!("`{path}` takes an object with {}; it is not used", quoted(&inside));
                self.warn(Some(line), message);
            }
            // The address of the schema, for editors.
            _ if path == "$schema" => {}
            _ => self.warn(Some(line), unknown(path, above)),
        }
    }

    fn value(&mut self, key: &'static Key, node: Node<'_>) -> Option<Value> {
        let line = self.line(node.start());
        let value = match (key.kind, &node) {
            (Kind::Texts, Node::Array(_)) => return Some(self.texts(key, node)),
            // What it means is plain, and dropping a rule would loosen what it was to hold back.
            (Kind::Texts, Node::StringLit(literal)) => {
                let text = literal.value.clone().into_owned();
                self.warn(
                    Some(line),
                    format!("`{}` takes {}; the one string is taken for a list of one", key.path, key.kind),
                );
                return Some(Value::Texts(vec![(text, line)]));
            }
            (Kind::Text | Kind::Word(_) | Kind::Number(..), Node::NullKeyword(_))
                if key.default == "null" || key.kind == Kind::Text =>
            {
                Some(Value::Unset)
            }
            (Kind::Bool, Node::BooleanLit(literal)) => Some(Value::Bool(literal.value)),
            (Kind::Number(low, high), Node::NumberLit(literal)) => {
                literal.value.parse().ok().filter(|number| (low..=high).contains(number)).map(Value::Number)
            }
            (Kind::Text, Node::StringLit(literal)) => Some(Value::Text(literal.value.clone().into_owned())),
            (Kind::Word(words), Node::StringLit(literal)) => {
                // `Plan ` is plainly `plan`, and dropping it could loosen.
                let meant = literal.value.trim();
                let word = words.iter().find(|word| word.eq_ignore_ascii_case(meant));
                if let Some(word) = word.filter(|word| ***word != *literal.value) {
                    self.warn(Some(line), format!("`{}`: `{}` is taken for `{word}`", key.path, literal.value));
                }
                word.map(|word| Value::Text((*word).to_owned()))
            }
            (Kind::Open, Node::Object(_)) => return Some(Value::Object(node.into())),
            (Kind::Bool | Kind::Number(..) | Kind::Text | Kind::Word(_) | Kind::Texts | Kind::Open, _) => None,
        };
        if value.is_none() {
            let written: String = self.text[node.start()..node.end()].chars().take(bounds::SHOWN_VALUE_CHARS).collect();
            let rule = loosening_if_lost(key);
            self.warn(Some(line), format!("`{}` takes {}, not `{written}`; it is not used{rule}", key.path, key.kind));
        }
        value
    }

    fn texts(&mut self, key: &'static Key, node: Node<'_>) -> Value {
        let mut texts = Vec::new();
        let Node::Array(array) = node else { return Value::Texts(texts) };
        for element in array.elements {
            let line = self.line(element.start());
            match element {
                Node::StringLit(literal) => texts.push((literal.value.into_owned(), line)),
                other => {
                    let written: String =
                        self.text[other.start()..other.end()].chars().take(bounds::SHOWN_VALUE_CHARS).collect();
                    let rule = loosening_if_lost(key);
                    let message = format!("`{}` takes {}; `{written}` in it is not used{rule}", key.path, key.kind);
                    self.warn(Some(line), message);
                }
            }
        }
        Value::Texts(texts)
    }
}

/// A reminder where a value that is not used leaves more allowed than its author meant.
fn loosening_if_lost(key: &Key) -> &'static str {
    match key.path {
        "permissions.deny" | "permissions.ask" => ": what it was to hold back is NOT held back",
        _ => "",
    }
}

fn unknown(path: &str, above: &str) -> String {
    let name = path.strip_prefix(above).unwrap_or(path);
    let leaf = |key: &Key| key.path.rsplit('.').next().unwrap_or(key.path);
    let at_leaf = |name: &str| KEYS.iter().find(|key| leaf(key).eq_ignore_ascii_case(name));
    let here: Vec<&str> = KEYS
        .iter()
        .filter_map(|key| key.path.strip_prefix(above))
        .map(|rest| rest.split('.').next().unwrap_or(rest))
        .collect();
    let leaves: Vec<&str> = KEYS.iter().map(leaf).collect();
    // The very name, at another place; else a name like it that could stand here; else anywhere.
    let meant = at_leaf(name)
        .map(|key| key.path.to_owned())
        .or_else(|| nearest(name, &here).map(|near| format!("{above}{near}")))
        .or_else(|| nearest(name, &leaves).and_then(at_leaf).map(|key| key.path.to_owned()));
    match meant {
        Some(meant) => format!("unknown key `{path}`; it is not used. Did you mean `{meant}`?"),
        None => format!("unknown key `{path}`; it is not used. `planwright doctor --schema` lists the keys"),
    }
}

fn quoted(names: &[&str]) -> String {
    names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}
