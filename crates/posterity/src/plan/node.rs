//! The values of a plan as they are written, whoever wrote them.

use std::fmt;
use std::str::FromStr;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;

/// A value as it is written: in TOML, in JSON, by flags, by arguments or in a form. A number keeps its digits, so that 0.1 is
/// one tenth.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    value: Value,
    /// The line it stands on, from 1, if it stands in a file with lines.
    line: Option<usize>,
}

/// What is written.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// Text.
    Text(String),
    /// A number, by its digits.
    Number(String),
    /// True or false.
    Truth(bool),
    /// Several values.
    List(Vec<Node>),
    /// Values by their keys, in the order in which they are written.
    Table(Vec<(String, Node)>),
    /// What no plan has, such as a date, in words.
    Other(&'static str),
}

impl Node {
    /// A value that stands on this line.
    #[must_use]
    pub fn on_line(self, line: usize) -> Self {
        Self { line: Some(line), ..self }
    }

    /// Text.
    pub fn text(text: impl Into<String>) -> Self {
        Value::Text(text.into()).into()
    }

    /// A number by its digits.
    pub fn number(digits: impl Into<String>) -> Self {
        Value::Number(digits.into()).into()
    }

    /// A number by its digits, or a text if it is none: a plan that is read with it says what is wrong.
    #[must_use]
    pub fn digits(text: &str) -> Self {
        let text = text.trim();
        if serde_json::from_str::<serde_json::Number>(text).is_ok() {
            Self::number(text)
        } else {
            Self::text(text)
        }
    }

    /// Several values.
    pub fn list(items: impl IntoIterator<Item = Self>) -> Self {
        Value::List(items.into_iter().collect()).into()
    }

    /// Values by their keys.
    pub fn table<K: Into<String>>(entries: impl IntoIterator<Item = (K, Self)>) -> Self {
        Value::Table(entries.into_iter().map(|(key, node)| (key.into(), node)).collect()).into()
    }

    /// What is written.
    #[must_use]
    pub fn value(&self) -> &Value {
        &self.value
    }

    /// The line it stands on, if it stands on one.
    #[must_use]
    pub fn line(&self) -> Option<usize> {
        self.line
    }

    /// The value of a key, if this is a table that has it.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<&Self> {
        let Value::Table(entries) = &self.value else { return None };
        entries.iter().find(|(name, _)| name == key).map(|(_, node)| node)
    }

    /// Takes a key with its value out of a table.
    pub fn take(&mut self, key: &str) -> Option<Self> {
        let Value::Table(entries) = &mut self.value else { return None };
        let place = entries.iter().position(|(name, _)| name == key)?;
        Some(entries.remove(place).1)
    }

    /// Gives a key of a table this value, in the place of the one it had.
    pub fn set(&mut self, key: &str, node: Self) {
        let Value::Table(entries) = &mut self.value else { return };
        match entries.iter_mut().find(|(name, _)| name == key) {
            Some((_, known)) => *known = node,
            None => entries.push((key.to_owned(), node)),
        }
    }

    /// What kind of value this is, in words.
    pub(super) fn kind(&self) -> &'static str {
        match self.value {
            Value::Text(_) => "text",
            Value::Number(_) => "a number",
            Value::Truth(_) => "a truth value",
            Value::List(_) => "a list",
            Value::Table(_) => "a table",
            Value::Other(what) => what,
        }
    }
}

impl From<Value> for Node {
    fn from(value: Value) -> Self {
        Self { value, line: None }
    }
}

impl From<bool> for Node {
    fn from(truth: bool) -> Self {
        Value::Truth(truth).into()
    }
}

/// A plan in JSON. Keys that stand twice are refused.
impl FromStr for Node {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        // The parser knows the place, so the text is read with it once; each value is then taken from the raw text.
        let raw: &RawValue = serde_json::from_str(text).map_err(|error| error.to_string())?;
        read_raw(raw).map_err(|error| error.to_string())
    }
}

fn read_raw(raw: &RawValue) -> Result<Node, serde_json::Error> {
    let text = raw.get();
    Ok(match text.as_bytes().first() {
        Some(b'"') => Node::text(serde_json::from_str::<String>(text)?),
        Some(b'[') => {
            let items: Vec<&RawValue> = serde_json::from_str(text)?;
            Node::list(items.into_iter().map(read_raw).collect::<Result<Vec<_>, _>>()?)
        }
        Some(b'{') => serde_json::from_str::<Entries>(text)?.0,
        Some(b't') => true.into(),
        Some(b'f') => false.into(),
        Some(b'n') => Value::Other("null").into(),
        _ => Node::number(text),
    })
}

/// A table in JSON, in its order.
struct Entries(Node);

impl<'de> Deserialize<'de> for Entries {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Visitor;
        impl<'de> serde::de::Visitor<'de> for Visitor {
            type Value = Entries;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a table")
            }

            fn visit_map<A: serde::de::MapAccess<'de>>(self, mut map: A) -> Result<Entries, A::Error> {
                let mut entries: Vec<(String, Node)> = Vec::new();
                while let Some((key, raw)) = map.next_entry::<String, &RawValue>()? {
                    if entries.iter().any(|(known, _)| *known == key) {
                        return Err(A::Error::custom(format!("the key {key:?} stands twice")));
                    }
                    entries.push((key, read_raw(raw).map_err(A::Error::custom)?));
                }
                Ok(Entries(Value::Table(entries).into()))
            }
        }
        deserializer.deserialize_map(Visitor)
    }
}

/// As TOML: what stands in lines comes first, then tables and lists of tables.
impl fmt::Display for Node {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Value::Table(entries) = &self.value else { return write_inline(f, self) };
        write_lines(f, entries)?;
        for (key, node) in entries {
            match &node.value {
                Value::Table(entries) => {
                    writeln!(f, "\n[{}]", written_key(key))?;
                    entries.iter().try_for_each(|entry| write_line(f, entry))?;
                }
                Value::List(_) if is_tables(node) => write_tables(f, key, node)?,
                _ => {}
            }
        }
        Ok(())
    }
}

/// The entries of a table that are no tables themselves, one for each line.
fn write_lines(f: &mut fmt::Formatter<'_>, entries: &[(String, Node)]) -> fmt::Result {
    let is_line = |node: &Node| !matches!(node.value, Value::Table(_)) && !is_tables(node);
    entries.iter().filter(|(_, node)| is_line(node)).try_for_each(|entry| write_line(f, entry))
}

fn write_line(f: &mut fmt::Formatter<'_>, (key, node): &(String, Node)) -> fmt::Result {
    write!(f, "{} = ", written_key(key))?;
    write_inline(f, node)?;
    writeln!(f)
}

fn write_tables(f: &mut fmt::Formatter<'_>, key: &str, list: &Node) -> fmt::Result {
    let Value::List(items) = &list.value else { return Ok(()) };
    for item in items {
        writeln!(f, "\n[[{}]]", written_key(key))?;
        if let Value::Table(entries) = &item.value {
            entries.iter().try_for_each(|entry| write_line(f, entry))?;
        }
    }
    Ok(())
}

/// Whether this is a list of tables only.
fn is_tables(node: &Node) -> bool {
    let is_table = |item: &Node| matches!(item.value, Value::Table(_));
    matches!(&node.value, Value::List(items) if !items.is_empty() && items.iter().all(is_table))
}

fn write_inline(f: &mut fmt::Formatter<'_>, node: &Node) -> fmt::Result {
    match &node.value {
        // What TOML escapes is a part of what JSON does.
        Value::Text(text) => f.write_str(&quoted(text)),
        Value::Number(digits) => f.write_str(digits),
        Value::Truth(truth) => write!(f, "{truth}"),
        Value::Other(what) => f.write_str(&quoted(what)),
        Value::List(items) => {
            f.write_str("[")?;
            for (index, item) in items.iter().enumerate() {
                f.write_str(if index == 0 { "" } else { ", " })?;
                write_inline(f, item)?;
            }
            f.write_str("]")
        }
        Value::Table(entries) => {
            f.write_str("{ ")?;
            for (index, (key, item)) in entries.iter().enumerate() {
                write!(f, "{}{} = ", if index == 0 { "" } else { ", " }, written_key(key))?;
                write_inline(f, item)?;
            }
            f.write_str(" }")
        }
    }
}

fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string().replace('\u{7f}', "\\u007f")
}

/// A key, quoted if it must be.
fn written_key(key: &str) -> String {
    let is_bare = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
    if !key.is_empty() && key.bytes().all(is_bare) { key.to_owned() } else { quoted(key) }
}

impl Node {
    /// The value as JSON. Numbers keep their digits.
    #[must_use]
    pub fn to_json(&self) -> String {
        match &self.value {
            Value::Text(text) => serde_json::Value::from(text.as_str()).to_string(),
            Value::Number(digits) => match serde_json::from_str::<&RawValue>(digits) {
                Ok(_) => digits.clone(),
                // TOML has numbers that JSON has not, such as +1.
                Err(_) => quoted(digits),
            },
            Value::Truth(truth) => truth.to_string(),
            Value::Other(what) => quoted(what),
            Value::List(items) => {
                format!("[{}]", items.iter().map(Self::to_json).collect::<Vec<_>>().join(", "))
            }
            Value::Table(entries) => {
                let entry = |(key, node): &(String, Self)| format!("{}: {}", quoted(key), node.to_json());
                format!("{{{}}}", entries.iter().map(entry).collect::<Vec<_>>().join(", "))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_keep_their_digits() {
        let text =
            r#"{"epsilon": 0.10, "columns": {"a b": [1, "x"], "c": {"bins": [1e3, 18]}}, "again": false}"#;
        let node: Node = text.parse().expect("JSON");
        assert_eq!(node.get("epsilon").map(Node::value), Some(&Value::Number("0.10".to_owned())));
        assert_eq!(node.to_json(), text);
        assert_eq!(node.to_json().parse::<Node>().as_ref(), Ok(&node));
        let toml =
            "epsilon = 0.10\nagain = false\n\n[columns]\n\"a b\" = [1, \"x\"]\nc = { bins = [1e3, 18] }\n";
        assert_eq!(node.to_string(), toml);
    }

    #[test]
    fn what_stands_twice_is_refused() {
        for text in [r#"{"a": 1, "a": 2}"#, r#"{"b": {"a": 1, "a": 1}}"#, "{", "1 2"] {
            assert!(text.parse::<Node>().is_err(), "{text}");
        }
    }
}
