//! A description before it is written in a format: headings, sentences, lists and tables.

use std::borrow::Cow;

use maud::Markup;

use crate::bars::Bars;
use crate::sheet::{Column, Sheet, Value};
use crate::words::capital;

/// A page for people who decide.
#[derive(Clone, Debug)]
pub struct Description {
    /// What it is.
    pub title: String,
    /// What nobody may miss, such as that nothing is promised.
    pub alarm: Option<String>,
    /// Its parts, in their order.
    pub sections: Vec<Section>,
    /// What people sign on paper, if they do.
    pub signed: Option<String>,
}

/// A part of a description.
#[derive(Clone, Debug)]
pub struct Section {
    /// Its heading.
    pub heading: Cow<'static, str>,
    /// What it says.
    pub blocks: Vec<Block>,
    /// Whether it stands on the first page on paper, with the answer. What follows is the second page.
    pub is_first: bool,
}

/// One thing that is said.
#[derive(Clone, Debug)]
pub enum Block {
    /// A paragraph.
    Say(String),
    /// A list of sentences.
    List(Vec<String>),
    /// Names with their values.
    Facts(Vec<(&'static str, String)>),
    /// A table under a caption.
    Table(String, Table),
    /// A line to type.
    Code(String),
}

/// What is drawn of a row: its number, which there may not be, and its interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Drawn {
    /// The number.
    pub middle: Option<f64>,
    /// The interval.
    pub interval: [f64; 2],
}

/// A table of texts.
#[derive(Clone, Debug)]
pub struct Table {
    /// The columns.
    pub columns: Vec<Column>,
    /// The rows, each with one text for each column.
    pub rows: Vec<Vec<String>>,
    /// What is drawn beside each row, where pages are drawn; empty if nothing is.
    pub drawn: Vec<Drawn>,
}

impl Section {
    pub(super) fn new(heading: impl Into<Cow<'static, str>>, blocks: Vec<Block>) -> Self {
        Self { heading: heading.into(), blocks, is_first: false }
    }

    /// The same on the first page.
    pub(super) fn first(self) -> Self {
        Self { is_first: true, ..self }
    }
}

impl Description {
    /// The same under another title, and with these words in the place of the names of columns and values, where questions and
    /// answers name them.
    #[must_use]
    pub fn in_words_of(mut self, title: Option<&str>, words: &[(String, String)]) -> Self {
        if let Some(title) = title {
            title.clone_into(&mut self.title);
        }
        for block in self.sections.iter_mut().filter(|one| one.is_first).flat_map(|one| &mut one.blocks) {
            match block {
                Block::Table(caption, table) => {
                    *caption = named(caption, words);
                    for column in &mut table.columns {
                        column.name = named(&column.name, words).into();
                    }
                    table.rows.iter_mut().flatten().for_each(|cell| {
                        if let Some((_, said)) = words.iter().find(|(name, _)| name == cell) {
                            said.clone_into(cell);
                        }
                    });
                }
                Block::List(all) => all.iter_mut().for_each(|one| *one = named(one, words)),
                Block::Say(_) | Block::Facts(_) | Block::Code(_) => {}
            }
        }
        self
    }
}

/// A text with words in the place of names, where these are not parts of other words.
fn named(text: &str, words: &[(String, String)]) -> String {
    let is_letter = |letter: Option<char>| letter.is_some_and(char::is_alphanumeric);
    let mut text = text.to_owned();
    let first = words.iter().map(|(name, said)| (capital(name), capital(said)));
    let all: Vec<(String, String)> = words.iter().cloned().chain(first).collect();
    for (name, said) in all.iter().filter(|(name, _)| !name.is_empty()) {
        let (mut done, mut rest) = (String::new(), text.as_str());
        while let Some(at) = rest.find(name.as_str()) {
            let (before, after) = (&rest[..at], &rest[at + name.len()..]);
            let last = before.chars().next_back().or_else(|| done.chars().next_back());
            let is_part = is_letter(last) || is_letter(after.chars().next());
            done += before;
            done += if is_part { name } else { said };
            rest = after;
        }
        text = done + rest;
    }
    text
}

impl Block {
    pub(super) fn say(text: impl Into<String>) -> Self {
        Self::Say(text.into())
    }
}

impl Table {
    /// The first rows of a sheet.
    pub(super) fn of(sheet: Sheet<'_>, most: usize) -> Self {
        let texts = |row: Vec<Value<'_>>| row.iter().map(|value| value.shown().into_owned()).collect();
        Self { drawn: Vec::new(), columns: sheet.columns, rows: sheet.rows.take(most).map(texts).collect() }
    }

    /// Rows of texts under columns.
    pub(super) fn new(columns: Vec<Column>, rows: Vec<Vec<String>>) -> Self {
        Self { columns, rows, drawn: Vec::new() }
    }

    /// What is drawn, as bars on one scale. A row without a number has no bar: nothing is known of it.
    pub(super) fn bars(&self) -> Vec<Markup> {
        let known = self.drawn.iter().filter(|one| one.middle.is_some());
        let bars = Bars::of(known.map(|one| one.interval));
        let bar =
            |one: &Drawn| one.middle.map_or_else(Markup::default, |middle| bars.bar(middle, one.interval));
        self.drawn.iter().map(bar).collect()
    }

    /// The rows for whoever writes tables.
    #[must_use]
    pub fn sheet(&self) -> Sheet<'_> {
        let rows = self.rows.iter().map(|row| row.iter().map(Value::text).collect());
        Sheet::new(self.columns.clone(), rows)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_take_the_place_of_names_only() {
        let words =
            [("cured", "recovered"), ("yes", "home")].map(|(name, said)| (name.to_owned(), said.to_owned()));
        for (text, expected) in [
            (
                "What is the share of cured=yes within each ward?",
                "What is the share of recovered=home within each ward?",
            ),
            ("uncured, cured2, cured", "uncured, cured2, recovered"),
            ("yesyes", "yesyes"),
            ("Cured, by ward", "Recovered, by ward"),
        ] {
            assert_eq!(named(text, &words), expected);
        }
    }
}
