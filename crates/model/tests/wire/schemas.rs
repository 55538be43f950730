//! Schemas in the subset that a provider takes: rows, and what holds for every schema.

use planwright_core::call::TOOLS;
use planwright_model::schema::{Subset, converted};
use proptest::prelude::*;
use serde_json::{Value, json};

use super::none_wrong;

/// The schema of one property, converted.
fn property(schema: &Value, subset: Subset) -> Value {
    let whole = json!({"type": "object", "properties": {"p": schema}, "$defs": {
        "name": {"type": "string", "title": "Name", "description": "A name."},
        "list": {"type": "array", "items": {"$ref": "#/$defs/list"}},
    }});
    converted(&whole, subset)["properties"]["p"].clone()
}

#[test]
fn gemini_takes_what_openapi_says() {
    let rows = [
        (json!({"type": "integer", "format": "uint64", "minimum": 0}), json!({"type": "integer", "minimum": 0})),
        (json!({"type": "string", "format": "date-time"}), json!({"type": "string", "format": "date-time"})),
        (json!({"type": ["string", "null"]}), json!({"nullable": true, "type": "string"})),
        (
            json!({"type": ["string", "integer"], "description": "Either."}),
            json!({"anyOf": [
                {"type": "string", "description": "Either."},
                {"type": "integer", "description": "Either."},
            ]}),
        ),
        (
            json!({"anyOf": [{"type": "string"}, {"type": "null"}], "description": "Perhaps."}),
            json!({"description": "Perhaps.", "nullable": true, "type": "string"}),
        ),
        (
            json!({"oneOf": [{"type": "string"}, {"type": "boolean"}]}),
            json!({"anyOf": [{"type": "string"}, {"type": "boolean"}]}),
        ),
        (
            json!({"allOf": [{"type": "object", "properties": {"a": {"type": "string"}}}, {"properties": {"b": {}}}]}),
            json!({"type": "object", "properties": {"a": {"type": "string"}, "b": {}}}),
        ),
        (json!({"const": "on"}), json!({"enum": ["on"], "type": "string"})),
        (json!({"enum": ["a", "b", null]}), json!({"enum": ["a", "b"], "type": "string"})),
        (json!({"type": "integer", "enum": [1, 2]}), json!({"type": "integer"})),
        (json!({"type": "array"}), json!({"type": "array", "items": {"type": "string"}})),
        (json!({"type": "array", "prefixItems": [{}, {}]}), json!({"type": "array", "items": {"type": "string"}})),
        (
            json!({"type": "object", "properties": {"a": true}, "required": ["a", "gone"], "additionalProperties": false}),
            json!({"type": "object", "properties": {"a": {}}, "required": ["a"]}),
        ),
        (json!({"type": "number", "exclusiveMinimum": 0, "default": 1, "x-order": 3}), json!({"type": "number"})),
        (json!({"$ref": "#/$defs/name"}), json!({"type": "string", "description": "A name."})),
        (json!({"$ref": "#/$defs/name", "description": "Whose?"}), json!({"type": "string", "description": "Whose?"})),
        // It holds itself: what the inner one holds is left open, which Gemini does not let a list do.
        (json!({"$ref": "#/$defs/list"}), json!({"type": "array", "items": {"type": "string"}})),
        (json!({"$ref": "#/$defs/nowhere"}), json!({})),
        (json!({"$ref": "https://example.com/schema"}), json!({})),
    ];
    let mut wrong = Vec::new();
    for (schema, expected) in rows {
        let got = property(&schema, Subset::OpenApi);
        if got != expected {
            wrong.push(format!("{schema}\n  wanted: {expected}\n  got:    {got}"));
        }
    }
    none_wrong(&wrong);
}

#[test]
fn others_take_json_schema_with_a_plain_root() {
    let rows = [
        (
            json!({"$schema": "x", "type": "object", "properties": {"a": {"$ref": "#/definitions/n"}}, "definitions": {"n": {"type": "string", "format": "uri"}}}),
            json!({"type": "object", "properties": {"a": {"type": "string", "format": "uri"}}}),
        ),
        (
            json!({"oneOf": [
                {"properties": {"a": {"type": "string"}}, "required": ["a"]},
                {"properties": {"b": {"type": "string"}}, "required": ["b"]},
            ]}),
            json!({"properties": {"a": {"type": "string"}, "b": {"type": "string"}}, "type": "object"}),
        ),
        (
            json!({"allOf": [
                {"properties": {"a": {}}, "required": ["a"]},
                {"properties": {"b": {}}, "required": ["b"]},
            ]}),
            json!({"properties": {"a": {}, "b": {}}, "required": ["a", "b"], "type": "object"}),
        ),
        (json!({}), json!({"type": "object", "properties": {}})),
        (json!(true), json!({"type": "object", "properties": {}})),
        (json!({"type": "object", "not": {"required": ["a"]}}), json!({"type": "object", "properties": {}})),
        // A property may have any name.
        (
            json!({"type": "object", "properties": {"title": {"type": "string"}, "$ref": {"type": "string"}, "anyOf": {}}}),
            json!({"type": "object", "properties": {"title": {"type": "string"}, "$ref": {"type": "string"}, "anyOf": {}}}),
        ),
    ];
    let mut wrong = Vec::new();
    for (schema, expected) in rows {
        let got = converted(&schema, Subset::JsonSchema);
        if got != expected {
            wrong.push(format!("{schema}\n  wanted: {expected}\n  got:    {got}"));
        }
    }
    none_wrong(&wrong);
}

/// A schema whose references double at every step would be endless.
#[test]
fn a_schema_that_grows_has_an_end() {
    let step = |to: usize| json!({"type": "object", "properties": {"a": {"$ref": format!("#/$defs/{to}")}, "b": {"$ref": format!("#/$defs/{to}")}}});
    let steps: serde_json::Map<_, _> = (0..40).map(|at| (at.to_string(), step(at + 1))).collect();
    let schema = json!({"$ref": "#/$defs/0", "$defs": steps});
    for subset in [Subset::JsonSchema, Subset::OpenApi] {
        let length = converted(&schema, subset).to_string().len();
        assert!(length < 400_000, "{length} bytes");
    }
}

/// A server of tools could have us run out of stack.
#[test]
fn a_schema_that_deepens_has_an_end() {
    let step = |to: usize| json!({"type": "array", "items": {"$ref": format!("#/$defs/{to}")}});
    let steps: serde_json::Map<_, _> = (0..100_000).map(|at| (at.to_string(), step(at + 1))).collect();
    let schema = json!({"type": "object", "properties": {"a": {"$ref": "#/$defs/0"}}, "$defs": steps});
    for subset in [Subset::JsonSchema, Subset::OpenApi] {
        let depth = converted(&schema, subset).to_string().matches("items").count();
        assert!((10..100).contains(&depth), "{depth} deep");
    }
}

/// What is wrong with a schema for Gemini, anywhere in it.
fn beyond_open_api(schema: &Value, wrong: &mut Vec<String>) {
    let keys = [
        "type",
        "format",
        "description",
        "nullable",
        "enum",
        "properties",
        "required",
        "items",
        "minItems",
        "maxItems",
        "minLength",
        "maxLength",
        "pattern",
        "minimum",
        "maximum",
        "anyOf",
    ];
    let Some(object) = schema.as_object() else { return wrong.push(format!("no object: {schema}")) };
    wrong.extend(object.keys().filter(|key| !keys.contains(&key.as_str())).map(|key| format!("`{key}` in {schema}")));
    if object.get("type").is_some_and(Value::is_array) {
        wrong.push(format!("several types in {schema}"));
    }
    if object.get("properties").is_some_and(|properties| !properties.is_object()) {
        wrong.push(format!("odd properties in {schema}"));
    }
    if object.get("required").is_some_and(|required| !required.is_array()) {
        wrong.push(format!("odd `required` in {schema}"));
    }
    if object.contains_key("anyOf") && object.len() > 1 {
        wrong.push(format!("something beside `anyOf` in {schema}"));
    }
    let properties = object.get("properties").and_then(Value::as_object).into_iter().flatten().map(|(_, inner)| inner);
    let choices = object.get("anyOf").and_then(Value::as_array).into_iter().flatten();
    properties.chain(choices).chain(object.get("items")).for_each(|inner| beyond_open_api(inner, wrong));
}

#[test]
fn our_own_tools_fit() {
    let mut wrong = Vec::new();
    for tool in TOOLS {
        beyond_open_api(&converted(&tool.schema(), Subset::OpenApi), &mut wrong);
        // Nothing of ours needs converting for the others.
        if converted(&tool.schema(), Subset::JsonSchema) != tool.schema() {
            wrong.push(format!("{} is another schema", tool.name));
        }
    }
    none_wrong(&wrong);
}

fn schemas() -> impl Strategy<Value = Value> {
    let name = prop::sample::select(vec!["string", "integer", "object", "array", "null", "odd"]);
    let leaf = prop_oneof![
        Just(json!(true)),
        Just(json!({})),
        Just(json!({"$ref": "#"})),
        Just(json!({"$ref": "#/properties/a"})),
        Just(json!(["odd"])),
        name.clone().prop_map(|name| json!({"type": name, "format": "uuid", "title": "T"})),
        Just(json!({"enum": ["a", 1, null]})),
        Just(json!({"const": 1})),
    ];
    leaf.prop_recursive(4, 40, 4, move |inner| {
        let list = prop::collection::vec(inner.clone(), 0..4);
        let combined = prop::sample::select(vec!["anyOf", "oneOf", "allOf", "prefixItems"]);
        prop_oneof![
            (inner.clone(), inner.clone())
                .prop_map(|(a, b)| json!({"type": "object", "properties": {"a": a, "b": b}, "required": ["a", "c"]})),
            (combined, list).prop_map(|(key, list)| json!({ key: list, "description": "D" })),
            inner.clone().prop_map(|items| json!({"type": ["array", "null"], "items": items})),
            inner.prop_map(|not| json!({"not": not, "properties": 3, "required": "odd"})),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn whatever_a_server_of_tools_says(schema in schemas()) {
        let plain = converted(&schema, Subset::JsonSchema);
        prop_assert_eq!(&plain["type"], "object");
        prop_assert!(!plain.to_string().contains("\"$ref\""), "{}", plain);
        let mut wrong = Vec::new();
        beyond_open_api(&converted(&schema, Subset::OpenApi), &mut wrong);
        prop_assert!(wrong.is_empty(), "{:?}", wrong);
    }
}
