//! A tool's schema in the subset that a provider takes.
//!
//! No provider's strict mode is used: it makes every optional field required. So OpenAI and its
//! like take almost all of JSON Schema, and only its root must be a plain object; Gemini takes the
//! schema objects of OpenAPI 3.0. What a subset cannot say is left out: an input is checked against
//! the real schema when it comes, and the model is told what is wrong with it.

use planwright_core::bounds::{SCHEMA_DEPTH, SCHEMA_NODES};
use serde_json::{Map, Value, json};

/// What a provider takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Subset {
    /// JSON Schema without references, with a plain object as its root.
    JsonSchema,
    /// Gemini's `Schema`: no combination but `anyOf`, no lists of types, `nullable`, and few formats.
    OpenApi,
}

/// What [`Subset::OpenApi`] keeps of a schema.
const OPEN_API_KEYS: [&str; 15] = [
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
];
/// The formats it knows.
const OPEN_API_FORMATS: [&str; 7] = ["enum", "date-time", "int32", "int64", "float", "double", "byte"];
/// What only serves other schemas, or readers of the file.
const DROPPED: [&str; 8] = ["$schema", "$id", "$defs", "$anchor", "$comment", "definitions", "examples", "title"];
/// What becomes one object at the root of a tool's schema.
const COMBINED: [&str; 3] = ["allOf", "anyOf", "oneOf"];
/// What may not stand there.
const NOT_AT_ROOT: [&str; 7] = ["allOf", "anyOf", "oneOf", "not", "enum", "const", "nullable"];

/// The schema of a tool's input in the subset.
pub fn converted(schema: &Value, subset: Subset) -> Value {
    let mut conversion = Conversion { document: schema, subset, nodes: 0, depth: 0 };
    let mut root = conversion.node(schema, &[]);
    for combined in COMBINED {
        let alternatives = match root.remove(combined) {
            Some(Value::Array(alternatives)) => alternatives,
            _ => continue,
        };
        for alternative in alternatives {
            fold(&mut root, alternative, combined == "allOf");
        }
    }
    root.retain(|key, _| !NOT_AT_ROOT.contains(&key.as_str()));
    root.insert("type".to_owned(), json!("object"));
    root.entry("properties").or_insert_with(|| json!({}));
    Value::Object(root)
}

struct Conversion<'a> {
    document: &'a Value,
    subset: Subset,
    /// Schemas so far.
    nodes: usize,
    /// Schemas that this one is in.
    depth: usize,
}

impl<'a> Conversion<'a> {
    /// A schema, converted. `refs` are the references that led here: one that comes again, and what
    /// lies beyond [`SCHEMA_NODES`] or [`SCHEMA_DEPTH`], becomes a schema that allows everything.
    fn node(&mut self, schema: &'a Value, refs: &[&'a str]) -> Map<String, Value> {
        self.nodes += 1;
        let Some(object) = schema.as_object() else { return Map::new() };
        if self.nodes > SCHEMA_NODES || self.depth >= SCHEMA_DEPTH {
            return Map::new();
        }
        self.depth += 1;
        let node = self.object(object, refs);
        self.depth -= 1;
        match self.subset {
            Subset::JsonSchema => node,
            Subset::OpenApi => open_api(node),
        }
    }

    fn object(&mut self, object: &'a Map<String, Value>, refs: &[&'a str]) -> Map<String, Value> {
        let mut node = Map::new();
        if let Some(target) = object.get("$ref").and_then(Value::as_str) {
            let found = target.strip_prefix('#').and_then(|pointer| self.document.pointer(pointer));
            if let Some(found) = found.filter(|_| !refs.contains(&target)) {
                node = self.node(found, &[refs, &[target]].concat());
            }
        }
        for (key, value) in object.iter().filter(|(key, value)| kept(key, value)) {
            node.insert(key.clone(), self.keyword(key, value, refs));
        }
        node
    }

    fn keyword(&mut self, key: &str, value: &'a Value, refs: &[&'a str]) -> Value {
        match (key, value) {
            ("properties" | "patternProperties" | "dependentSchemas", Value::Object(schemas)) => {
                let schemas = schemas.iter().map(|(name, schema)| (name.clone(), self.node(schema, refs).into()));
                Value::Object(schemas.collect())
            }
            ("anyOf" | "oneOf" | "allOf" | "prefixItems", Value::Array(schemas)) => {
                schemas.iter().map(|schema| Value::Object(self.node(schema, refs))).collect()
            }
            (
                "items" | "additionalProperties" | "contains" | "propertyNames" | "not" | "if" | "then" | "else",
                Value::Object(_),
            ) => self.node(value, refs).into(),
            _ => value.clone(),
        }
    }
}

/// What may stay of a schema. One broken tool of a server must not have the whole request refused.
fn kept(key: &str, value: &Value) -> bool {
    match key {
        "$ref" => false,
        "properties" => value.is_object(),
        "required" => value.is_array(),
        key => !DROPPED.contains(&key),
    }
}

/// Adds what an alternative says to the schema that offers it. Only what holds in all of them
/// (`strict`) makes a property required.
fn fold(into: &mut Map<String, Value>, alternative: Value, strict: bool) {
    let Value::Object(alternative) = alternative else { return };
    for (key, value) in alternative {
        match (into.get_mut(&key), value) {
            (Some(Value::Object(known)), Value::Object(more)) if key == "properties" => {
                more.into_iter().for_each(|(name, schema)| {
                    known.entry(name).or_insert(schema);
                });
            }
            (Some(Value::Array(known)), Value::Array(more)) if key == "required" && strict => {
                more.into_iter().for_each(|name| {
                    if !known.contains(&name) {
                        known.push(name);
                    }
                });
            }
            (Some(_), _) => {}
            (None, _) if key == "required" && !strict => {}
            (None, value) => {
                into.insert(key, value);
            }
        }
    }
}

/// A schema whose parts are converted already, as OpenAPI says it.
fn open_api(mut node: Map<String, Value>) -> Map<String, Value> {
    if let Some(Value::Array(all)) = node.remove("allOf") {
        all.into_iter().for_each(|part| fold(&mut node, part, true));
    }
    let mut choices = choices(&mut node);
    let all = choices.len();
    choices.retain(|choice| choice["type"] != "null");
    if choices.len() < all {
        node.insert("nullable".to_owned(), json!(true));
    }
    if choices.len() == 1 {
        choices.drain(..).for_each(|choice| fold(&mut node, choice, true));
    }
    values(&mut node);
    shape(&mut node);
    node.retain(|key, value| OPEN_API_KEYS.contains(&key.as_str()) && (key != "format" || known_format(value)));
    if choices.is_empty() {
        return node;
    }
    // Beside `anyOf` nothing may stand, so each choice says the rest.
    let shared = Value::Object(node);
    choices.iter_mut().filter_map(Value::as_object_mut).for_each(|choice| fold(choice, shared.clone(), true));
    Map::from_iter([("anyOf".to_owned(), Value::Array(choices))])
}

/// Takes the alternatives out of a schema; several types are alternatives too.
fn choices(node: &mut Map<String, Value>) -> Vec<Value> {
    let mut choices = Vec::new();
    for key in ["anyOf", "oneOf"] {
        if let Some(Value::Array(list)) = node.remove(key) {
            // An alternative that is itself a choice has nothing else to say any more.
            choices.extend(list.into_iter().flat_map(|choice| match &choice["anyOf"] {
                Value::Array(inner) => inner.clone(),
                Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Object(_) => vec![choice],
            }));
        }
    }
    if let Some(Value::Array(types)) = node.get("type") {
        let types: Vec<_> = types.iter().filter(|name| name.is_string()).map(|name| json!({ "type": name })).collect();
        node.remove("type");
        choices.extend(types);
    }
    choices
}

/// Fixed values: only texts can be listed.
fn values(node: &mut Map<String, Value>) {
    if let Some(value) = node.remove("const") {
        node.insert("enum".to_owned(), json!([value]));
    }
    if let Some(Value::Array(values)) = node.get_mut("enum") {
        values.retain(|value| !value.is_null());
        if values.is_empty() || !values.iter().all(Value::is_string) {
            node.remove("enum");
        } else {
            node.entry("type").or_insert_with(|| json!("string"));
        }
    }
}

/// What a list or an object must say of its parts.
fn shape(node: &mut Map<String, Value>) {
    if node.contains_key("properties") {
        node.entry("type").or_insert_with(|| json!("object"));
    }
    if node.get("type").is_some_and(|name| name == "array") {
        let known = node.get("items").is_some_and(|items| items.as_object().is_some_and(|items| !items.is_empty()));
        if !known {
            node.insert("items".to_owned(), json!({ "type": "string" }));
        }
    }
    let properties = node.get("properties").and_then(Value::as_object).cloned().unwrap_or_default();
    if let Some(Value::Array(required)) = node.get_mut("required") {
        required.retain(|name| name.as_str().is_some_and(|name| properties.contains_key(name)));
        if required.is_empty() {
            node.remove("required");
        }
    }
}

fn known_format(format: &Value) -> bool {
    format.as_str().is_some_and(|format| OPEN_API_FORMATS.contains(&format))
}
