//! How a source is known to a reader and to a ledger.

use posterity_count::{Location, Question, Relation, Source, describe};

/// What a source is called, and what a ledger knows a question about it by.
pub(crate) struct KnownSource {
    pub(crate) name: String,
    pub(crate) description: String,
    /// Whether it is a view of a database.
    pub(crate) view: bool,
}

impl KnownSource {
    /// Nothing if it is the standard input and has no name.
    pub(crate) fn of(source: &Source, question: &Question) -> Option<Self> {
        match source.location() {
            Location::StandardInput { name } => Self::named(name.as_deref()?, question),
            Location::Files(_) | Location::Table(_) | Location::Postgres(_) => Some(Self {
                // To a reader it is the name that was given: a path from the root may say more than they should know.
                name: source.to_string(),
                // Two files of one name in two folders are two questions.
                description: describe(&source.clone().absolute(), question),
                view: matches!(source.relation(), Some(Relation::View(_))),
            }),
        }
    }

    /// Records that their owner named; nothing if the name is blank.
    pub(crate) fn named(name: &str, question: &Question) -> Option<Self> {
        if name.trim().is_empty() {
            return None;
        }
        // The text for a file of this name, below a key that no file has.
        let asked = describe(&Source::files(name), question);
        let description = serde_json::json!({ "version": 1, "memory": name, "question": asked });
        Some(Self { name: name.to_owned(), description: description.to_string(), view: false })
    }
}
