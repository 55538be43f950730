//! Notebooks.

use serde_json::json;

use crate::ground::Ground;

/// Key order, indentation, number formats and escapes that a rewrite would change.
const NOTEBOOK: &str = r##"{
 "cells": [
  {
   "cell_type": "markdown",
   "id": "intro",
   "metadata": {},
   "source": [
    "# Title\n",
    "text"
   ]
  },
  {
   "cell_type": "code",
   "execution_count": 3,
   "id": "sum",
   "metadata": {"zeta": 1.50, "alpha": 1e3},
   "outputs": [
    {
     "name": "stdout",
     "output_type": "stream",
     "text": ["3\n"]
    }
   ],
   "source": [
    "print(1 + 2)"
   ]
  },
  {
   "cell_type": "code",
   "execution_count": null,
   "id": "last",
   "metadata": {},
   "outputs": [],
   "source": "whole = 'caf\u00e9'"
  }
 ],
 "metadata": {
  "float": 0.10000000000000001
 },
 "nbformat": 4,
 "nbformat_minor": 5
}
"##;

async fn opened(text: &str) -> Ground {
    let mut ground = Ground::with(&[("n.ipynb", text)]);
    ground.ok("Read", json!({"file_path": "n.ipynb"})).await;
    ground
}

#[tokio::test]
async fn shown_as_cells() {
    let mut ground = opened(NOTEBOOK).await;
    assert_eq!(
        ground.ok("Read", json!({"file_path": "n.ipynb"})).await,
        "[cell 0, markdown, id intro]\n# Title\ntext\n[cell 1, code, id sum]\nprint(1 + 2)\n[output of cell \
         1]\n3\n\n[cell 2, code, id last]\nwhole = 'café'\n"
    );
    ground.put("broken.ipynb", "{ not json");
    assert_eq!(ground.ok("Read", json!({"file_path": "broken.ipynb"})).await, "1→{ not json\n");
}

#[tokio::test]
async fn only_what_changes_changes() {
    // input, (from, to) in the text
    let rows = [
        (
            json!({"cell_id": "intro", "new_source": "# Other\n"}),
            vec![("    \"# Title\\n\",\n    \"text\"\n", "    \"# Other\\n\"\n")],
        ),
        (
            json!({"cell_id": "1", "new_source": "a\nb"}),
            vec![
                ("\"execution_count\": 3", "\"execution_count\": null"),
                (
                    "[\n    {\n     \"name\": \"stdout\",\n     \"output_type\": \"stream\",\n     \"text\": [\"3\\n\"]\n    \
                     }\n   ]",
                    "[]",
                ),
                ("    \"print(1 + 2)\"\n", "    \"a\\n\",\n    \"b\"\n"),
            ],
        ),
        (json!({"cell_id": "last", "new_source": "x"}), vec![("\"whole = 'caf\\u00e9'\"", "\"x\"")]),
        (
            json!({"cell_id": "last", "new_source": "", "edit_mode": "delete"}),
            vec![(
                &NOTEBOOK[NOTEBOOK.find(",\n  {\n   \"cell_type\": \"code\",\n   \"execution_count\": null").unwrap()
                    ..NOTEBOOK.find("\n ],\n \"metadata\"").unwrap()],
                "",
            )],
        ),
        (
            json!({"cell_id": "intro", "new_source": "", "edit_mode": "delete"}),
            vec![(
                &NOTEBOOK[NOTEBOOK.find("{\n   \"cell_type\": \"markdown\"").unwrap()
                    ..NOTEBOOK.find("{\n   \"cell_type\": \"code\"").unwrap()],
                "",
            )],
        ),
    ];
    let mut wrong = Vec::new();
    for (mut input, changes) in rows {
        let mut ground = opened(NOTEBOOK).await;
        input["notebook_path"] = json!("n.ipynb");
        let outcome = ground.call("NotebookEdit", input.clone()).await;
        let wanted = changes.iter().fold(NOTEBOOK.to_owned(), |text, (from, to)| {
            assert_eq!(text.matches(from).count(), 1, "{from}");
            text.replacen(from, to, 1)
        });
        if outcome.is_error || ground.get("n.ipynb") != wanted || outcome.diff.is_none() {
            wrong.push(format!("{input}: {}\n{}", outcome.content, ground.get("n.ipynb")));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[tokio::test]
async fn cells_are_inserted() {
    let new = |id: &str| {
        format!(
            "  {{\n   \"cell_type\": \"markdown\",\n   \"id\": \"{id}\",\n   \"metadata\": {{}},\n   \"source\": [\n    \
             \"new\"\n   ]\n  }}"
        )
    };
    for (cell_id, before) in [(None, " \"cells\": [\n"), (Some("sum"), "    \"print(1 + 2)\"\n   ]\n  },\n")] {
        let mut ground = opened(NOTEBOOK).await;
        let mut input = json!({
            "notebook_path": "n.ipynb", "new_source": "new", "edit_mode": "insert", "cell_type": "markdown",
        });
        if let Some(id) = cell_id {
            input["cell_id"] = json!(id);
        }
        ground.ok("NotebookEdit", input).await;
        let text = ground.get("n.ipynb");
        let id = text.split(&format!("{before}  {{\n   \"cell_type\": \"markdown\",\n   \"id\": \"")).nth(1).unwrap();
        let wanted = NOTEBOOK.replacen(before, &format!("{before}{},\n", new(&id[..8])), 1);
        assert_eq!(text, wanted);
        // Once written it is known, so it can be changed again.
        ground
            .ok("NotebookEdit", json!({"notebook_path": "n.ipynb", "cell_id": &id[..8], "new_source": "newer"}))
            .await;
    }
}

#[tokio::test]
async fn other_layouts_and_types() {
    // notebook, input, notebook after
    let rows = [
        (
            r#"{"cells":[],"nbformat":4,"nbformat_minor":4}"#,
            json!({"new_source": "x", "edit_mode": "insert", "cell_type": "code"}),
            concat!(
                r#"{"cells":[{"cell_type":"code","execution_count":null,"metadata":{},"outputs":[],"source":["x"]}],"#,
                r#""nbformat":4,"nbformat_minor":4}"#
            ),
        ),
        (
            r#"{"cells":[{"cell_type":"code","source":"x"}],"nbformat":4}"#,
            json!({"cell_id": "0", "new_source": "", "edit_mode": "delete"}),
            r#"{"cells":[],"nbformat":4}"#,
        ),
        (
            r#"{"cells":[{"cell_type":"code","execution_count":1,"metadata":{},"outputs":[],"source":"x"}]}"#,
            json!({"cell_id": "0", "new_source": "y", "cell_type": "markdown"}),
            r#"{"cells":[{"cell_type":"markdown","metadata":{},"source":["y"]}]}"#,
        ),
        (
            "{\r\n\t\"cells\": [\r\n\t\t{\r\n\t\t\t\"cell_type\": \"raw\",\r\n\t\t\t\"source\": \"x\"\r\n\t\t}\r\n\t]\r\n}",
            json!({"cell_id": "0", "new_source": "y"}),
            "{\r\n\t\"cells\": [\r\n\t\t{\r\n\t\t\t\"cell_type\": \"raw\",\r\n\t\t\t\"source\": \"y\"\r\n\t\t}\r\n\t]\r\n}",
        ),
    ];
    let mut wrong = Vec::new();
    for (before, mut input, after) in rows {
        let mut ground = opened(before).await;
        input["notebook_path"] = json!("n.ipynb");
        let outcome = ground.call("NotebookEdit", input.clone()).await;
        if outcome.is_error || ground.get("n.ipynb") != after {
            wrong.push(format!("{input}: {}\n{}", outcome.content, ground.get("n.ipynb")));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[tokio::test]
async fn refusals() {
    let edit = |input: serde_json::Value| {
        let mut input = input;
        input["notebook_path"] = json!("n.ipynb");
        input["new_source"] = json!("x");
        input
    };
    // notebook, input, part of the message
    let rows = [
        (NOTEBOOK, json!({"cell_id": "none"}), "no cell `none`; the notebook has 3 cells"),
        (NOTEBOOK, json!({"cell_id": "3"}), "no cell `3`"),
        (NOTEBOOK, json!({}), "`cell_id` is missing"),
        (NOTEBOOK, json!({"edit_mode": "insert"}), "`cell_type` is missing"),
        ("{}", json!({"cell_id": "0"}), "not a notebook: it has no `cells`"),
        ("{\"cells\": 3}", json!({"cell_id": "0"}), "not a notebook: `cells`"),
        ("[", json!({"cell_id": "0"}), "not a notebook"),
    ];
    let mut wrong = Vec::new();
    for (text, input, part) in rows {
        let mut ground = opened(text).await;
        let message = ground.error("NotebookEdit", edit(input.clone())).await;
        if !message.contains(part) || ground.get("n.ipynb") != text {
            wrong.push(format!("{input}: {message}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let mut unread = Ground::with(&[("n.ipynb", NOTEBOOK)]);
    assert!(unread.error("NotebookEdit", edit(json!({"cell_id": "0"}))).await.contains("Read it first"));
    let mut ground = opened(NOTEBOOK).await;
    let input = json!({"file_path": "n.ipynb", "old_string": "Title", "new_string": "x"});
    assert!(ground.error("Edit", input).await.contains("NotebookEdit"));
}
