//! The fields that the pages of all forms have alike.

use maud::{Markup, html};
use posterity::Epsilon;

use super::common::Common;
use crate::adjacency;
use crate::chosen::FileForm;
use crate::desk::Desk;
use crate::html;
use crate::layout::{self, Section};
use crate::readings::ReadingForm;
use crate::typed::Typed;
use crate::{delimiter, encoding};

/// A page without its form, which says why there is none.
pub(super) fn without(title: &str, lead: &str, wrong: Option<&str>, more: &Markup) -> Markup {
    let body = html! { (html::intro(title, lead)) (html::maybe_wrong(wrong)) (more) };
    layout::page(title, Section::Release, &body)
}

/// The page of a form at this address. `intro` stands above it.
pub(super) fn page(
    desk: &Desk<'_>,
    (title, address): (&str, &str),
    intro: &Markup,
    fieldsets: [Markup; 5],
) -> Markup {
    let body = html! {
        (intro)
        form.release data-keep=(address) action={ (address) "/check" } method="post" autocomplete="off" {
            (desk.token)
            @for fieldset in fieldsets { (fieldset) }
            p.act {
                button { "Look at the summary" }
                " "
                span.help { "This reads and charges nothing." }
            }
        }
    };
    layout::page(title, Section::Release, &body)
}

/// The file, its edition and how it is written.
pub(super) fn file(files: &[String], typed: &FileForm) -> Markup {
    html! {
        fieldset {
            legend { "1. The file" }
            p {
                label for="file" { "File" }
                select id="file" name="file" required {
                    option value="" { "Choose a file" }
                    (html::options(files, |name| *typed.name == *name))
                }
            }
            p {
                label for="edition" { "Its edition" }
                input id="edition" name="edition" value=(typed.edition) placeholder="2026"
                    aria-describedby="edition-help";
                span.help id="edition-help" {
                    "Leave it empty for a file that never changes. It is published, and tells this file from earlier ones of \
                     the same name, whose answers the ledger has."
                }
            }
            details open[!typed.delimiter.is_empty() || !typed.encoding.is_empty()] {
                summary { "How the file is written" }
                (delimiter::field(&typed.delimiter))
                (encoding::field(&typed.encoding))
            }
        }
    }
}

/// Who is protected, as far as forms differ in it.
pub(super) struct People<'a> {
    /// What follows if the number of people is public, and if it is not.
    pub(super) follows: [&'a str; 2],
    /// How often each person counts.
    pub(super) counts: &'a str,
    /// Rules of counting beside the usual ones, with what they mean, and the one that is chosen.
    pub(super) rules: &'a [(&'a str, &'a str)],
    pub(super) chosen: &'a str,
    /// Fields that belong to these rules.
    pub(super) rule_fields: Markup,
    /// The fields of other and missing values.
    pub(super) undeclared: Markup,
    /// Whether there is something in the fields that are folded.
    pub(super) open: bool,
}

/// Who is protected.
pub(super) fn people(typed: &Common, people: &People<'_>) -> Markup {
    html! {
        fieldset {
            legend { "3. Who is protected" }
            (adjacency::field(&typed.adjacency, people.follows))
            p {
                label for="unit" { "Column that tells people apart" }
                input id="unit" name="unit" value=(typed.unit) aria-describedby="unit-help";
                span.help id="unit-help" {
                    "Leave it empty only if every person has one record. With it, all records of one person are protected \
                     together, and each person counts " (people.counts) "."
                }
            }
            details open[people.open || !typed.filter.is_empty() || people.chosen != "random"] {
                summary { "Filter, other and missing values" }
                (rules(people))
                (people.rule_fields)
                (filter(&typed.filter))
                (people.undeclared)
            }
        }
    }
}

/// By which of its records a person counts.
fn rules(people: &People<'_>) -> Markup {
    const USUAL: [(&str, &str); 3] = [
        ("random", "one of its records, drawn at random"),
        ("first", "the value that is declared first"),
        ("mode", "the value that most of its records have"),
    ];
    html! {
        p {
            label for="per_unit" { "A person counts by" }
            select id="per_unit" name="per_unit" {
                @for (name, words) in USUAL.iter().chain(people.rules) {
                    option value=(name) selected[*name == people.chosen] { (words) }
                }
            }
        }
    }
}

fn filter(typed: &Typed) -> Markup {
    html! {
        p {
            label for="filter" { "Count only records where" }
            input id="filter" name="filter" value=(typed) placeholder="year = 2025" aria-describedby="filter-help";
            span.help id="filter-help" {
                "The filter is published. If n is public, the number of records that pass it is published exactly: use it for \
                 what is public about people only. If n is private, it may use any column."
            }
        }
    }
}

/// The categories of other and of missing values of all columns. `help` follows them.
pub(super) fn undeclared(other: &Typed, missing: &Typed, help: &str) -> Markup {
    html! {
        p {
            label for="other" { "Count other values as" }
            input id="other" name="other" value=(other);
        }
        p {
            label for="missing" { "Count missing values as" }
            input id="missing" name="missing" value=(missing) aria-describedby="missing-help";
            span.help id="missing-help" { (help) }
        }
    }
}

/// The budget. `help` says what epsilon is for.
pub(super) fn epsilon(typed: &Typed<Epsilon>, help: &Markup) -> Markup {
    html! {
        p {
            label for="epsilon" { "Epsilon" }
            input id="epsilon" name="epsilon" value=(typed.or("1")) inputmode="decimal" required
                aria-describedby="epsilon-help";
            span.help id="epsilon-help" { (help) }
        }
    }
}

/// What to read. `lead` stands before what is said of all readings.
pub(super) fn readings(typed: &ReadingForm, lead: &str, independence: bool) -> Markup {
    html! {
        fieldset {
            legend { "5. What to read from it" }
            p.help { (lead) "Readings cost nothing, and more of them can be asked for later." }
            details open[!typed.is_empty()] {
                summary { "Readings and comparisons" }
                (typed.fields(independence))
            }
            (typed.intervals())
        }
    }
}
