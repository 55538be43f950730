//! The settings as a JSON Schema, for editors; printed from the table of keys.

use planwright_core::settings::{KEYS, Key, Kind};
use serde_json::{Map, Value, json};

/// The JSON Schema of a settings file.
pub fn schema() -> Value {
    let mut root = object();
    for key in KEYS {
        let mut at = &mut root;
        let (above, name) = key.path.rsplit_once('.').map_or((None, key.path), |(above, name)| (Some(above), name));
        for part in above.into_iter().flat_map(|above| above.split('.')) {
            at = properties(at).entry(part).or_insert_with(object);
        }
        properties(at).insert(name.to_owned(), value(key));
    }
    properties(&mut root).insert("$schema".to_owned(), json!({"type": "string"}));
    root["$schema"] = "https://json-schema.org/draft/2020-12/schema".into();
    root["title"] = "Planwright settings".into();
    root
}

fn object() -> Value {
    json!({"type": "object", "properties": {}, "additionalProperties": false})
}

fn properties(schema: &mut Value) -> &mut Map<String, Value> {
    schema["properties"].as_object_mut().expect("every object of the schema has properties")
}

fn value(key: &Key) -> Value {
    let default: Value = serde_json::from_str(key.default).expect("defaults in the table are JSON");
    let nullable = default.is_null() || key.kind == Kind::Text;
    let kind = |name: &str| if nullable { json!([name, "null"]) } else { json!(name) };
    let mut schema = match key.kind {
        Kind::Bool => json!({"type": kind("boolean")}),
        Kind::Number(low, high) => json!({"type": kind("integer"), "minimum": low, "maximum": high}),
        Kind::Text => json!({"type": kind("string")}),
        Kind::Word(words) => {
            let mut words: Vec<Value> = words.iter().map(|word| json!(word)).collect();
            words.extend(nullable.then_some(Value::Null));
            json!({"enum": words})
        }
        Kind::Texts => json!({"type": "array", "items": {"type": "string"}}),
        Kind::Open => json!({"type": "object"}),
    };
    schema["description"] = key.doc.into();
    schema["default"] = default;
    schema
}
