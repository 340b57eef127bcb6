//! The parameters of mechanisms and their values.

/// A parameter of a mechanism.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// The name as it is written everywhere.
    pub name: &'static str,
    /// What values it takes.
    pub form: Form,
    /// What it does, and its value if it is not given.
    pub help: &'static str,
}

/// What values a parameter takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// None: it is there or not.
    Flag,
    /// A number, or a word that stands for one; in help texts it is called this.
    Number(&'static str),
    /// One of these words; in help texts it is called by the first text.
    Word(&'static str, &'static [&'static str]),
    /// A word that the mechanism reads itself, such as one of these examples; in help texts it is called by the first
    /// text.
    Text(&'static str, &'static [&'static str]),
}

/// The value of a parameter.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// The parameter is there.
    Flag,
    /// A number.
    Number(f64),
    /// A word.
    Word(&'static str),
    /// A word with a part that someone chose.
    Text(String),
}

impl Value {
    /// The value as it is written; a flag has none.
    pub(super) fn text(&self) -> Option<String> {
        match self {
            Self::Flag => None,
            Self::Number(number) => Some(written(*number)),
            Self::Word(word) => Some((*word).to_owned()),
            Self::Text(text) => Some(text.clone()),
        }
    }
}

/// The shortest text that reads back as this number.
fn written(number: f64) -> String {
    let (plain, scientific) = (number.to_string(), format!("{number:e}"));
    if plain.len() <= scientific.len() { plain } else { scientific }
}
