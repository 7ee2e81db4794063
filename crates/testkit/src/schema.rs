//! Whether a JSON document follows a JSON Schema.
//!
//! Only what the schemas in `tests/schemas` and our own ones are made of (draft 7). A keyword that
//! is not known is an error: a document is never valid because something was not looked at.

use regex_lite::Regex;
use serde_json::{Map, Value};

/// What is wrong with a document, one line each; nothing if it is valid.
pub fn violations(schema: &Value, document: &Value) -> Vec<String> {
    let mut check = Check {
        root: schema,
        found: Vec::new(),
    };
    check.value(schema, document, "$");
    check.found
}

struct Check<'s> {
    root: &'s Value,
    found: Vec<String>,
}

impl<'s> Check<'s> {
    fn complain(&mut self, path: &str, what: impl std::fmt::Display) {
        self.found.push(format!("{path}: {what}"));
    }

    fn value(&mut self, schema: &'s Value, value: &Value, path: &str) {
        let fields = match schema {
            Value::Bool(true) => return,
            Value::Object(fields) => fields,
            _ => return self.complain(path, "nothing is allowed here"),
        };
        for (keyword, rule) in fields {
            self.keyword(fields, keyword, rule, value, path);
        }
    }

    fn keyword(
        &mut self,
        fields: &'s Map<String, Value>,
        keyword: &str,
        rule: &'s Value,
        value: &Value,
        path: &str,
    ) {
        match keyword {
            "$schema" | "$id" | "title" | "description" | "default" | "definitions"
            | "examples" => {}
            "$ref" => match self.referenced(rule) {
                Some(schema) => self.value(schema, value, path),
                None => self.complain(path, format_args!("no such schema: {rule}")),
            },
            "type" => {
                let allowed = |name: &Value| name.as_str().is_some_and(|name| is(value, name));
                let fits = match rule {
                    Value::Array(names) => names.iter().any(allowed),
                    name => allowed(name),
                };
                if !fits {
                    self.complain(path, format_args!("not of type {rule}: {value}"));
                }
            }
            "enum" => {
                if !rule.as_array().is_some_and(|values| values.contains(value)) {
                    self.complain(path, format_args!("{value} is none of {rule}"));
                }
            }
            "const" if rule != value => self.complain(path, format_args!("{value} is not {rule}")),
            "const" => {}
            "anyOf" | "oneOf" => self.alternatives(keyword, rule, value, path),
            "allOf" => {
                for schema in rule.as_array().into_iter().flatten() {
                    self.value(schema, value, path);
                }
            }
            "not" if self.fits(rule, value) => {
                self.complain(path, format_args!("{value} fits {rule}"));
            }
            "not" => {}
            "properties" | "required" | "additionalProperties" => {
                self.object(fields, keyword, rule, value, path);
            }
            "items" | "minItems" | "maxItems" | "uniqueItems" => {
                self.array(keyword, rule, value, path);
            }
            "minimum" | "maximum" | "exclusiveMinimum" => self.number(keyword, rule, value, path),
            "pattern" | "format" => self.string(keyword, rule, value, path),
            _ => self.complain(
                path,
                format_args!("unknown keyword in the schema: {keyword}"),
            ),
        }
    }

    fn referenced(&self, reference: &Value) -> Option<&'s Value> {
        self.root.pointer(reference.as_str()?.strip_prefix('#')?)
    }

    fn fits(&self, schema: &'s Value, value: &Value) -> bool {
        let mut check = Check {
            root: self.root,
            found: Vec::new(),
        };
        check.value(schema, value, "");
        check.found.is_empty()
    }

    fn alternatives(&mut self, keyword: &str, rule: &'s Value, value: &Value, path: &str) {
        let schemas = rule.as_array().map_or(&[][..], Vec::as_slice);
        let fitting = schemas
            .iter()
            .filter(|schema| self.fits(schema, value))
            .count();
        if fitting == 0 || (keyword == "oneOf" && fitting > 1) {
            self.complain(path, format_args!("{keyword}: {fitting} alternatives fit"));
        }
    }

    fn object(
        &mut self,
        fields: &'s Map<String, Value>,
        keyword: &str,
        rule: &'s Value,
        value: &Value,
        path: &str,
    ) {
        let Value::Object(members) = value else {
            return;
        };
        match keyword {
            "properties" => {
                for (name, schema) in rule.as_object().into_iter().flatten() {
                    if let Some(member) = members.get(name) {
                        self.value(schema, member, &format!("{path}.{name}"));
                    }
                }
            }
            "required" => {
                for name in rule.as_array().into_iter().flatten() {
                    if name.as_str().is_none_or(|name| !members.contains_key(name)) {
                        self.complain(path, format_args!("{name} is missing"));
                    }
                }
            }
            _ => {
                let named = fields.get("properties");
                for (name, member) in members {
                    if named.is_none_or(|named| named.get(name).is_none()) {
                        self.value(rule, member, &format!("{path}.{name}"));
                    }
                }
            }
        }
    }

    fn array(&mut self, keyword: &str, rule: &'s Value, value: &Value, path: &str) {
        let Value::Array(items) = value else {
            return;
        };
        let limit = rule.as_u64().map(|limit| limit as usize);
        match keyword {
            "items" => {
                for (index, item) in items.iter().enumerate() {
                    self.value(rule, item, &format!("{path}[{index}]"));
                }
            }
            "minItems" if limit.is_some_and(|limit| items.len() < limit) => {
                self.complain(path, "too few items");
            }
            "maxItems" if limit.is_some_and(|limit| items.len() > limit) => {
                self.complain(path, "too many items");
            }
            "uniqueItems" if *rule == Value::Bool(true) => {
                let repeats = |(index, item)| items[..index].contains(item);
                if items.iter().enumerate().any(repeats) {
                    self.complain(path, "items are repeated");
                }
            }
            _ => {}
        }
    }

    fn number(&mut self, keyword: &str, rule: &Value, value: &Value, path: &str) {
        let (Some(value), Some(limit)) = (value.as_f64(), rule.as_f64()) else {
            return;
        };
        let fits = match keyword {
            "minimum" => value >= limit,
            "maximum" => value <= limit,
            _ => value > limit,
        };
        if !fits {
            self.complain(path, format_args!("{value} breaks {keyword} {limit}"));
        }
    }

    fn string(&mut self, keyword: &str, rule: &Value, value: &Value, path: &str) {
        let (Value::String(text), Value::String(rule)) = (value, rule) else {
            return;
        };
        let fits = match (keyword, rule.as_str()) {
            ("pattern", pattern) => Regex::new(pattern).is_ok_and(|regex| regex.is_match(text)),
            (_, "uri") => text.contains(':') && is_reference(text),
            (_, "uri-reference") => is_reference(text),
            // Times are never written.
            _ => false,
        };
        if !fits {
            self.complain(path, format_args!("{text:?} breaks {keyword} {rule}"));
        }
    }
}

/// Whether every character may be in a URI.
fn is_reference(text: &str) -> bool {
    text.bytes()
        .all(|byte| byte.is_ascii_alphanumeric() || b"-._~:/?#[]@!$&'()*+,;=%".contains(&byte))
}

fn is(value: &Value, name: &str) -> bool {
    match name {
        "null" => value.is_null(),
        "boolean" => value.is_boolean(),
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        "string" => value.is_string(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::violations;

    #[test]
    fn each_keyword_can_be_broken() {
        let cases: &[(Value, Value, Value)] = &[
            (json!({ "type": "string" }), json!("a"), json!(1)),
            (json!({ "type": ["null", "integer"] }), json!(2), json!(2.5)),
            (json!({ "enum": ["a", 1] }), json!(1), json!("b")),
            (json!({ "const": 1 }), json!(1), json!(2)),
            (json!({ "required": ["a"] }), json!({ "a": 1 }), json!({})),
            (
                json!({ "properties": { "a": { "type": "string" } }, "additionalProperties": false }),
                json!({ "a": "" }),
                json!({ "b": "" }),
            ),
            (
                json!({ "additionalProperties": { "type": "string" } }),
                json!({ "x": "" }),
                json!({ "x": 1 }),
            ),
            (
                json!({ "items": { "type": "string" } }),
                json!(["a"]),
                json!([1]),
            ),
            (json!({ "minItems": 1 }), json!([1]), json!([])),
            (json!({ "maxItems": 1 }), json!([1]), json!([1, 2])),
            (json!({ "uniqueItems": true }), json!([1, 2]), json!([1, 1])),
            (json!({ "minimum": 1 }), json!(1), json!(0)),
            (json!({ "maximum": 1 }), json!(1), json!(2)),
            (json!({ "exclusiveMinimum": 1 }), json!(2), json!(1)),
            (json!({ "pattern": "^a+$" }), json!("aa"), json!("b")),
            (json!({ "format": "uri" }), json!("file:///a"), json!("a b")),
            (
                json!({ "anyOf": [{ "type": "null" }, { "minimum": 3 }] }),
                json!(3),
                json!(2),
            ),
            (
                json!({ "oneOf": [{ "minimum": 1 }, { "minimum": 3 }] }),
                json!(2),
                json!(3),
            ),
            (
                json!({ "allOf": [{ "minimum": 1 }, { "maximum": 3 }] }),
                json!(2),
                json!(4),
            ),
            (json!({ "not": { "type": "null" } }), json!(1), json!(null)),
            (
                json!({ "$ref": "#/definitions/a", "definitions": { "a": { "type": "null" } } }),
                json!(null),
                json!(1),
            ),
        ];
        for (schema, good, bad) in cases {
            assert!(violations(schema, good).is_empty(), "{schema} {good}");
            assert!(!violations(schema, bad).is_empty(), "{schema} {bad}");
        }
    }

    #[test]
    fn what_is_not_known_is_not_passed_over() {
        assert!(!violations(&json!({ "if": {} }), &json!(1)).is_empty());
        assert!(!violations(&json!({ "$ref": "#/definitions/a" }), &json!(1)).is_empty());
    }
}
