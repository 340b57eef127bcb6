//! The form of tables of many columns.

use maud::{Markup, html};

use super::asked::MarginsForm;
use crate::desk::Desk;
use crate::html;
use crate::large_delta;
use crate::payer;
use crate::people;
use crate::release::asked::FormPage;
use crate::release::fieldsets::{self, People};

const TITLE: &str = "Tables of many columns";
const LEAD: &str = "Release every pair or triple of many columns at once, under one budget, with an interval for every number. A schema \
                    declares the columns and their values.";

impl FormPage for MarginsForm {
    fn page(&self, desk: &Desk<'_>, wrong: Option<&str>) -> Markup {
        page(desk, self, wrong)
    }
}

fn page(desk: &Desk<'_>, typed: &MarginsForm, wrong: Option<&str>) -> Markup {
    let files = desk.folder.map(|folder| (folder.files(), folder.schemas())).unwrap_or_default();
    let (files, schemas) = match files {
        (files, schemas) if !files.is_empty() && !schemas.is_empty() => (files, schemas),
        _ => return without_files(wrong),
    };
    let intro = html! { (html::intro(TITLE, LEAD)) (html::maybe_wrong(wrong)) };
    let fields = [
        fieldsets::file(&files, &typed.common.file),
        table_fields(&schemas, typed),
        person_fields(typed),
        budget_fields(desk, typed),
        fieldsets::readings(&typed.common.readings, "", false),
    ];
    fieldsets::page(desk, (TITLE, "/margins"), &intro, fields)
}

fn without_files(wrong: Option<&str>) -> Markup {
    let more = html! {
        p {
            "Start Posterity with a folder that holds a file of records and a Table Schema, such as " code { "visits.csv" }
            " and " code { "visits.schema.json" } ":"
        }
        (html::shell("posterity web --data FOLDER"))
    };
    fieldsets::without(TITLE, LEAD, wrong, &more)
}

fn table_fields(schemas: &[String], typed: &MarginsForm) -> Markup {
    html! {
        fieldset {
            legend { "2. The tables" }
            p {
                label for="schema" { "Schema" }
                select id="schema" name="schema" aria-describedby="schema-help" {
                    option value="" { "The one that is named like the file" }
                    (html::options(schemas, |name| *typed.schema == *name))
                }
                span.help id="schema-help" {
                    "It declares the values of the columns, or bins for numbers. Nothing is learned from the data."
                }
            }
            p {
                label for="margins" { "Which tables" }
                input id="margins" name="margins" value=(typed.margins.or("2")) required
                    aria-describedby="margins-help";
                span.help id="margins-help" {
                    code { "2" } " is every pair of columns and every column by itself, " code { "3" } " also every triple. "
                    code { "ward, outcome; ward, age" } " is these pairs only: fewer tables have less noise. "
                    code { "2; ward, outcome = 5" } " is every pair, and one of them matters five times as much."
                }
            }
        }
    }
}

/// What follows if the number of people is public, and if it is not.
const FOLLOWS: [&str; 2] = [
    "What each person says is protected. Values that are not declared are an error, and filters are for what is public about people.",
    "Records with values that are not declared or missing are left out silently, and filters may use any column. n is estimated, with an \
     interval.",
];

fn person_fields(typed: &MarginsForm) -> Markup {
    let help = "Without these, values that are not declared and missing values are an error if n is public, and their records are left out \
                if it is private.";
    let people = People {
        follows: FOLLOWS,
        counts: "with one record in all tables",
        rules: &[],
        chosen: typed.common.per_unit.or("random"),
        rule_fields: Markup::default(),
        undeclared: fieldsets::undeclared(&typed.other, &typed.missing, help),
        open: !typed.other.is_empty() || !typed.missing.is_empty(),
    };
    fieldsets::people(&typed.common, &people)
}

fn budget_fields(desk: &Desk<'_>, typed: &MarginsForm) -> Markup {
    let help = html! { "For all tables together. Smaller protects more." };
    let account_help = "It needs a delta: such a release is charged in rho.";
    html! {
        fieldset {
            legend { "4. The budget" }
            (fieldsets::epsilon(&typed.common.epsilon, &help))
            p {
                label for="delta" { "Delta" }
                input id="delta" name="delta" value=(typed.delta.or("1e-9")) inputmode="decimal" required
                    aria-describedby="delta-help";
                span.help id="delta-help" {
                    "The probability that the promise by epsilon fails: far below one part of as many as there are people."
                }
            }
            (large_delta::field(&typed.allow_large_delta))
            (people::field(&typed.n))
            (payer::field(desk.ledger, &typed.common.account, true, Some(account_help)))
        }
    }
}
