//! The command that asks for the same release: the fields of its plan as flags.

use std::path::Path;

use posterity::plan::{FIELDS, Form, Node, Place, Value};
use posterity_present::words::quoted;

use super::asked::Asked;

/// What a command says of a column behind its `--column`, by the fields of a plan.
const OF_COLUMN: [(&str, &str); 8] = [
    ("categories", "--categories"),
    ("bins", "--bins"),
    ("aliases", "--alias"),
    ("labels", "--label"),
    ("ordered", "--ordered"),
    ("whole", "--whole"),
    ("other", "--other"),
    ("missing", "--missing"),
];

/// Who pays, and who signs, as paths and names.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Paying<'a> {
    pub(super) ledger: Option<&'a Path>,
    pub(super) key: Option<&'a Path>,
}

/// The command line, quoted for a shell. Where flags cannot say what is asked, it takes the plan from a file.
pub(super) fn command(asked: &Asked, folder: &Path, paying: Paying<'_>) -> String {
    let flags = flags(asked, folder).unwrap_or_else(|| vec![("--plan".to_owned(), PLAN_FILE.to_owned())]);
    let paid = paying.ledger.zip(asked.account.as_ref());
    let paid = paid.into_iter().flat_map(|(ledger, account)| {
        let key = paying.key.map(|key| ("--sign".to_owned(), key.to_string_lossy().into_owned()));
        let payer = [
            ("--ledger".to_owned(), ledger.to_string_lossy().into_owned()),
            ("--account".to_owned(), account.clone()),
        ];
        payer.into_iter().chain(key)
    });
    let words = flags.into_iter().chain(paid).map(|(flag, value)| match value.as_str() {
        "" => format!(" {flag}"),
        // What begins like a flag is tied to its own.
        value if value.starts_with('-') => format!(" {flag}={}", quoted(value)),
        value => format!(" {flag} {}", quoted(value)),
    });
    format!("posterity {} {}{}", asked.of.word, quoted(&asked.file.path), words.collect::<String>())
}

/// The name of the file of a plan that is saved.
pub(super) const PLAN_FILE: &str = "plan.toml";

type Flags = Vec<(String, String)>;

/// The flags that say what is asked; none if some of it has no flag.
fn flags(asked: &Asked, folder: &Path) -> Option<Flags> {
    let (root, empty) = (&asked.node, Node::table::<String>([]));
    let question = match root.get(asked.of.key)?.value() {
        Value::List(items) => items.first()?,
        _ => return None,
    };
    let mut flags = Flags::new();
    // Before the first column they are for all of them.
    for key in ["other", "missing"] {
        if let Some(node) = root.get(key) {
            flags.push((format!("--{key}"), text(node)?));
        }
    }
    if let Some(schema) = root.get("schema") {
        flags.push(("--schema".to_owned(), folder.join(text(schema)?).to_string_lossy().into_owned()));
    }
    let columns = root.get("columns").unwrap_or(&empty);
    let named = question.get("columns").or_else(|| question.get("column"));
    let named = named.map(list).unwrap_or_default().iter().map(text).collect::<Option<Vec<_>>>()?;
    if let Value::Table(declared) = columns.value()
        && declared.iter().any(|(name, _)| !named.contains(name))
    {
        return None;
    }
    for name in named {
        flags.extend(column(&name, columns.get(&name))?);
    }
    for field in FIELDS {
        let by_hand = ["source", "column", "columns", "categories", "bins", "other", "missing"];
        let node = match field.outermost() {
            _ if by_hand.contains(&field.name) => None,
            Some(Place::Plan) => root.get(field.name),
            _ => question.get(field.name),
        };
        let Some(node) = node else { continue };
        let flag = format!("--{}", field.name);
        match field.form {
            Form::Texts => {
                for one in list(node) {
                    flags.push((flag.clone(), text(&one)?));
                }
            }
            Form::Truth => flags.push((flag, String::new())),
            _ => flags.push((flag, joined(node)?)),
        }
    }
    Some(flags)
}

/// The flags of a column with what is declared for it.
fn column(name: &str, declared: Option<&Node>) -> Option<Flags> {
    let mut flags = vec![("--column".to_owned(), name.to_owned())];
    match declared.map(|node| (node, node.value())) {
        None => {}
        Some((_, Value::Table(entries))) => {
            for (key, node) in entries {
                let (_, flag) = OF_COLUMN.iter().find(|(known, _)| *known == key)?;
                let values = match (key.as_str(), node.value()) {
                    (_, Value::Truth(true)) => vec![String::new()],
                    ("aliases" | "labels", _) => list(node).iter().map(text).collect::<Option<_>>()?,
                    _ => vec![joined(node)?],
                };
                flags.extend(values.into_iter().map(|value| ((*flag).to_owned(), value)));
            }
        }
        Some((list, _)) => flags.push(("--categories".to_owned(), joined(list)?)),
    }
    Some(flags)
}

/// The values of a list, or the only one.
fn list(node: &Node) -> Vec<Node> {
    match node.value() {
        Value::List(items) => items.clone(),
        _ => vec![node.clone()],
    }
}

/// Values with commas between them; none if one of them has a comma itself, or blanks around it.
fn joined(node: &Node) -> Option<String> {
    let Value::List(items) = node.value() else { return text(node) };
    let items = items.iter().map(text).collect::<Option<Vec<_>>>()?;
    let is_plain = |item: &String| !item.contains([',', '\n']) && item.trim() == item;
    items.iter().all(is_plain).then(|| items.join(","))
}

fn text(node: &Node) -> Option<String> {
    match node.value() {
        Value::Text(text) | Value::Number(text) => Some(text.clone()),
        _ => None,
    }
}
