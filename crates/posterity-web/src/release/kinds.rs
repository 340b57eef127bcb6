//! The forms of releases: one for each kind that can be asked for, made from the list of kinds.

use std::sync::LazyLock;

use maud::{Markup, html};
use posterity::Table;
use posterity::discovery::Discovered;
use posterity::document::Kind;
use posterity::margins::Margins;
use posterity::plan::{Asking, NamedColumns};

use crate::html;

/// A form of releases.
#[derive(Debug)]
pub(crate) struct FormOf {
    /// The name of the kind, the key of its questions in a plan, and the word of its address and of its command.
    pub(super) kind: &'static str,
    pub(super) key: &'static str,
    pub(crate) word: &'static str,
    /// How its columns are named.
    pub(super) columns: NamedColumns,
    /// Whether the number of people is always private.
    pub(super) private_n: bool,
    /// What it is for, in a few words.
    about: &'static str,
    pub(super) title: &'static str,
    /// The title of its summary.
    pub(super) question: &'static str,
    /// What follows if the number of people is public, and if it is not.
    pub(super) follows: [&'static str; 2],
}

/// What follows for the records of tables of many columns.
const FOLLOWS_OF_TABLES: [&str; 2] = [
    FOLLOWS[0],
    "Records with values that are not declared or missing are left out silently, and filters may use any column. n is \
     estimated, with an interval.",
];

/// What follows for the records of a question about declared values.
const FOLLOWS: [&str; 2] = [
    "What each person says is protected. Values that are not declared are an error, and filters are for what is public about \
     people.",
    "Values that are not declared and missing values are left out silently, filters may use any column, and the noise is \
     geometric. n is estimated, with an interval.",
];

impl FormOf {
    /// The forms of all kinds that can be asked for, in the order of the list of kinds.
    pub(crate) fn all() -> &'static [Self] {
        static ALL: LazyLock<Vec<FormOf>> = LazyLock::new(|| Asking::all().map(FormOf::new).collect());
        &ALL
    }

    fn new(asking: &'static Asking) -> Self {
        let (title, question, follows) = match asking.kind {
            Table::NAME => ("Release", "Release this?", FOLLOWS),
            Margins::NAME => ("Tables of many columns", "Release these tables?", FOLLOWS_OF_TABLES),
            Discovered::NAME => ("Discover values", "Discover these values?", [""; 2]),
            _ => (asking.about, "Release this?", FOLLOWS),
        };
        Self {
            kind: asking.kind,
            key: asking.key,
            word: asking.command,
            columns: asking.columns,
            private_n: asking.private_n.is_some(),
            about: asking.about,
            title,
            question,
            follows,
        }
    }

    /// Whether a schema declares all columns, of which none need be named.
    pub(super) fn takes_all_columns(&self) -> bool {
        self.columns == NamedColumns::DeclaredOrAll
    }

    /// What the form is for.
    pub(super) fn lead(&self) -> Markup {
        match self.kind {
            Table::NAME => html! {
                "Publish shares of categories, with noise that protects every person. True counts are never shown. For every pair of \
                 many columns there are " a href="/margins" { "tables of many columns" } ", and where nobody can list the values of a \
                 column they are " a href="/discover" { "discovered" } "."
            },
            Margins::NAME => html! {
                "Release every pair or triple of many columns at once, under one budget, with an interval for every number. A schema \
                 declares the columns and their values."
            },
            Discovered::NAME => html! {
                "Name the values of a column that enough people have, where nobody can list them beforehand. A value that one person \
                 alone has is named with a probability of at most delta. Where the values can be listed, " a href="/release" { "a release" }
                " says more for the same budget."
            },
            _ => html! { (self.about) ", with noise that protects every person." },
        }
    }

    /// What the folder needs, if it is not there.
    pub(super) fn needed(&self) -> Markup {
        html! {
            @if self.kind == Margins::NAME {
                p {
                    "Start Posterity with a folder that holds a file of records and a Table Schema, such as "
                    code { "visits.csv" } " and " code { "visits.schema.json" } ":"
                }
            } @else {
                p { "There is no folder of data yet. Start Posterity with the folder that holds your files:" }
            }
            (html::shell("posterity web --data FOLDER"))
            p { "CSV, JSON lines, Parquet and Arrow files are read. They stay where they are." }
        }
    }
}
