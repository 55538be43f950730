//! A script that cannot be played is refused with file, line, column and reason.

use planwright_model::script::ScriptModel;

use super::{check, placeholders, script_file, without_folder};

#[test]
fn a_bad_script_names_its_fault() {
    let rows = [
        ("", "script.json:1:1: malformed JSON: EOF while parsing a value"),
        ("{\"turns\": [\n  {\"text\": \"a\"},\n]}", "script.json:3:1: `turns`: malformed JSON: trailing comma"),
        ("{\"turns\": []}\n{}", "script.json:2:1: malformed JSON: trailing characters"),
        (
            "{\"turns\": [\n  {\"txt\": \"a\"}\n]}",
            "script.json:2:8: `turns[0].txt`: unknown field `txt`, expected one of \
          `text`, `tools`, `expect`, `delay_ms`, `error`, `stop`, `usage`, `opaque`, `again`. Did you mean `text`?",
        ),
        (
            "{\"turn\": []}",
            "script.json:1:7: `turn`: unknown field `turn`, expected one of `turns`, `agents`, `context_tokens`, `output_tokens`, `price`. Did you mean `turns`?",
        ),
        (
            "{\"turns\": [], \"zzz\": 1}",
            "script.json:1:19: `zzz`: unknown field `zzz`, expected one of `turns`, `agents`, `context_tokens`, `output_tokens`, `price`",
        ),
        (
            "{\"turns\": [{\"error\": {\"context_full\": false}}]}",
            "script.json:1:44: `turns[0].error.context_full`: it is `true`, or not there",
        ),
        (
            "{\"turns\": [{\"stop\": \"max_token\"}]}",
            "script.json:1:31: `turns[0].stop`: unknown variant `max_token`, expected one of `max_tokens`, \
          `pause_turn`, `refusal`, `context_full`. Did you mean `max_tokens`?",
        ),
        (
            "{\"turns\": [{\"again\": 5}]}",
            "script.json:1:22: `turns[0].again`: invalid type: integer `5`, expected an object",
        ),
        (
            "{\"turns\": [{\"usage\": 5}]}",
            "script.json:1:22: `turns[0].usage`: invalid type: integer `5`, expected an object",
        ),
        ("{}", "script.json:1:2: missing field `turns`"),
        ("[]", "script.json:1:1: invalid type: sequence, expected an object"),
        ("{\"turns\": [[]]}", "script.json:1:11: `turns[0]`: invalid type: sequence, expected an object"),
        (
            "{\"turns\": [{\"tools\": [[\"Read\", {}]]}]}",
            "script.json:1:22: `turns[0].tools[0]`: invalid type: sequence, expected an object",
        ),
        ("{\"turns\": {}}", "script.json:1:10: `turns`: invalid type: map, expected a sequence"),
        (
            "{\"turns\": [{\"text\": 5}]}",
            "script.json:1:21: `turns[0].text`: invalid type: integer `5`, expected a string",
        ),
        (
            "{\"turns\": [{\"tools\": [{\"input\": {}}]}]}",
            "script.json:1:35: `turns[0].tools[0]`: missing field `name`",
        ),
        (
            "{\"turns\": [{\"tools\": [{\"name\": \"Read\", \"inputs\": {}}]}]}",
            "script.json:1:47: `turns[0].tools[0].inputs`: \
          unknown field `inputs`, expected `name` or `input`. Did you mean `input`?",
        ),
        (
            "{\"turns\": [{\"expect\": {\"contains\": \"a\"}}]}",
            "script.json:1:38: `turns[0].expect.contains`: invalid type: \
          string \"a\", expected a sequence",
        ),
        (
            "{\"turns\": [{\"error\": {\"stats\": 529}}]}",
            "script.json:1:29: `turns[0].error`: unknown variant `stats`, expected \
          one of `status`, `cut_after`, `context_full`. Did you mean `status`?",
        ),
        (
            "{\"turns\": [{\"error\": {\"status\": -1}}]}",
            "script.json:1:34: `turns[0].error.status`: invalid value: integer \
          `-1`, expected u16",
        ),
        (
            "{\"turns\": [], \"agents\": {\"Explore\":\n [{\"txt\": \"a\"}]}}",
            "script.json:2:8: `agents.Explore[0].txt`: unknown \
          field `txt`, expected one of `text`, `tools`, `expect`, `delay_ms`, `error`, `stop`, `usage`, `opaque`, `again`. Did you mean `text`?",
        ),
        (
            "{\"turns\": [], \"agents\": {\"Explore\":\n [[{\"txt\": \"a\"}]]}}",
            "script.json:2:9: `agents.Explore[0][0].txt`: \
          unknown field `txt`, expected one of `text`, `tools`, `expect`, `delay_ms`, `error`, `stop`, `usage`, `opaque`, `again`. Did you mean `text`?",
        ),
        (
            "{\"turns\": [], \"agents\": {\"Explore\": [{}, []]}}",
            "script.json:1:44: `agents.Explore`: turns and lists of turns \
          are mixed in one list",
        ),
        (
            "{\"turns\": [], \"agents\": {\"Explore\": [3]}}",
            "script.json:1:38: `agents.Explore[0]`: invalid type: integer `3`, \
          expected a turn, or a list of turns",
        ),
        ("{\"turns\": [], \"turns\": []}", "script.json:1:21: duplicate field `turns`"),
    ];
    check(rows.map(|(text, wanted)| {
        let (_folder, path) = script_file(text);
        let got = match ScriptModel::load(&path, placeholders()) {
            Ok(_) => "no error".to_owned(),
            Err(error) => without_folder(&error.to_string()),
        };
        (text.to_owned(), wanted.to_owned(), got)
    }));
}

#[test]
fn bytes_that_are_not_utf_8_are_found() {
    let (folder, path) = script_file("");
    std::fs::write(&path, b"{\"turns\": [\n {\"text\": \"\xFF\"}]}").unwrap();
    let error = ScriptModel::load(&path, placeholders()).unwrap_err();
    assert_eq!(error.place, Some((2, 12)), "{error}");
    drop(folder);
}

#[test]
fn a_byte_order_mark_is_no_fault() {
    let (_folder, path) = script_file("\u{FEFF}{\"turns\": []}");
    ScriptModel::load(&path, placeholders()).unwrap();
}

#[test]
fn a_missing_file_is_said() {
    let (folder, path) = script_file("{}");
    let path = path.with_file_name("other.json");
    let error = ScriptModel::load(&path, placeholders()).unwrap_err();
    assert_eq!(error.place, None);
    assert!(error.to_string().starts_with(&format!("{}: the script cannot be read: ", path.display())), "{error}");
    assert_eq!(error.hint(), "Check the path after `script:`.");
    let error = ScriptModel::load(folder.path(), placeholders()).unwrap_err();
    assert!(error.reason.starts_with("the script cannot be read"), "a folder is no script: {error}");
}
