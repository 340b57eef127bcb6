//! The forms of releases: one for each kind that can be asked for.

use maud::{Markup, html};
use posterity::Table;
use posterity::discovery::Discovered;
use posterity::document::Kind;
use posterity::margins::Margins;

use crate::html;

/// A form of releases.
#[derive(Debug)]
pub(crate) struct FormOf {
    /// The name of the kind, the key of its questions in a plan, and the word of its address and of its command.
    pub(super) kind: &'static str,
    pub(super) key: &'static str,
    pub(super) word: &'static str,
    pub(super) title: &'static str,
    /// The title of its summary.
    pub(super) question: &'static str,
    /// What follows if the number of people is public, and if it is not.
    pub(super) follows: [&'static str; 2],
}

/// A kind of release with its form.
pub(crate) trait HasForm: 'static {
    const FORM: FormOf;
}

impl HasForm for Table {
    const FORM: FormOf = FormOf {
        kind: Self::NAME,
        key: "question",
        word: "release",
        title: "Release",
        question: "Release this?",
        follows: [
            "What each person says is protected. Values that are not declared are an error, and filters are for what is public about \
             people.",
            "Values that are not declared and missing values are left out silently, filters may use any column, and the noise is \
             geometric. n is estimated, with an interval.",
        ],
    };
}

impl HasForm for Margins {
    const FORM: FormOf = FormOf {
        kind: Self::NAME,
        key: "margins",
        word: "margins",
        title: "Tables of many columns",
        question: "Release these tables?",
        follows: [
            "What each person says is protected. Values that are not declared are an error, and filters are for what is public about \
             people.",
            "Records with values that are not declared or missing are left out silently, and filters may use any column. n is \
             estimated, with an interval.",
        ],
    };
}

impl HasForm for Discovered {
    const FORM: FormOf = FormOf {
        kind: Self::NAME,
        key: "discover",
        word: "discover",
        title: "Discover values",
        question: "Discover these values?",
        follows: ["", ""],
    };
}

impl FormOf {
    /// Whether a schema declares all columns, of which none need be named.
    pub(super) fn takes_all_columns(&self) -> bool {
        self.kind == Margins::NAME
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
            _ => html! {
                "Name the values of a column that enough people have, where nobody can list them beforehand. A value that one person \
                 alone has is named with a probability of at most delta. Where the values can be listed, " a href="/release" { "a release" }
                " says more for the same budget."
            },
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
