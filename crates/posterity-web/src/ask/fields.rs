//! The fields of a question. What is known of the file is offered in menus; everything else is typed.
//!
//! A part of the form that depends on other fields is marked by `data-part`, so that a script can renew it.

use maud::{Markup, html};
use posterity::data::Domain;

use super::form::AskForm;
use crate::folder::Folder;
use crate::html;
use crate::known::{Known, NONE};
use crate::question::{Kind, QuestionForm};
use crate::release::nodes;
use crate::{delimiter, encoding};

/// The fields of a form of question.
pub(super) fn fields(kind: Kind, form: &AskForm, folder: &Folder, known: &Known) -> Markup {
    html! {
        fieldset { legend { "1. The file" } (file(&form.question, folder, known)) }
        fieldset { legend { "2. " (kind.title()) } (asked(kind, &form.question, known)) }
        fieldset { legend { "3. The people" } (people(kind, form, known)) }
    }
}

/// What is asked of the columns.
fn asked(kind: Kind, question: &QuestionForm, known: &Known) -> Markup {
    match kind {
        Kind::Share => column(0, "The column", question, known),
        Kind::Rate => html! {
            (outcome(question, known, "each of them"))
            (column(0, "Within each", question, known))
            @for index in 2..nodes::COLUMNS { (column(index, "And within each, if any", question, known)) }
        },
        Kind::Difference => html! {
            (outcome(question, known, "choose one"))
            (column(0, "Between two groups of", question, known))
            (compared(question, known))
        },
        Kind::Table => html! {
            @for (index, label) in ["First column", "Second column", "Third column, if any"].iter().enumerate() {
                (column(index, label, question, known))
            }
        },
    }
}

fn file(form: &QuestionForm, folder: &Folder, known: &Known) -> Markup {
    // What may have to be changed is never folded away: one name alone speaks for another delimiter.
    let is_doubtful = known.wrong().is_some() || known.names().len() == 1;
    let is_said = !form.delimiter.is_empty() || !form.encoding.is_empty() || !form.schema.is_empty();
    let is_open = is_doubtful || is_said;
    html! {
        p {
            label for="file" { "File" }
            select id="file" name="file" data-renew {
                option value="" { "Choose a file" }
                (html::options(&folder.files(), |name| *form.file == *name))
            }
        }
        p.check {
            label {
                input type="checkbox" id="header" name="header" value="yes" data-renew aria-describedby="header-help"
                    checked[!form.header.is_empty()];
                " The first line of the CSV file is a header"
            }
            span.help id="header-help" {
                "Then its names are offered below. Do not tick this if the first line may be a person."
            }
        }
        details open[is_open] {
            summary { "How the file is written, and its schema" }
            (delimiter::field(&form.delimiter))
            (encoding::field(&form.encoding))
            (schema(folder, &form.schema))
        }
        div data-part="known" { (said(form, known)) }
        p.help {
            "Spellings that differ, missing values, a decimal comma: " a href={ "/look?" (looked(form)) } { "look at the file" }
            " first. You alone see that."
        }
    }
}

/// The address of a look at the file of a question.
fn looked(form: &QuestionForm) -> String {
    let mut query = form_urlencoded::Serializer::new(String::new());
    query.extend_pairs(form.file.get().map(|file| ("file", file)));
    query.extend_pairs(form.unit.get().map(|unit| ("unit", unit)));
    query.finish()
}

/// The choice of the schema; nothing if the folder has none.
fn schema(folder: &Folder, chosen: &str) -> Markup {
    let schemas = folder.schemas();
    html! {
        @if !schemas.is_empty() {
            p {
                label for="schema" { "Schema that declares names and values" }
                select id="schema" name="schema" data-renew {
                    option value="" { "the one that is named like the file" }
                    option value=(NONE) selected[chosen == NONE] { "none" }
                    (html::options(&schemas, |name| chosen == name))
                }
            }
        }
    }
}

/// Where the names come from, or why there are none.
fn said(form: &QuestionForm, known: &Known) -> Markup {
    if let Some(wrong) = known.wrong() {
        return html::wrong(wrong);
    }
    if form.file.is_empty() {
        return Markup::default();
    }
    let many = known.names().len();
    let words = match (many, known.schema()) {
        (0, _) => "The names of its columns are not known. Type them as they are in the file.".to_owned(),
        (1, None) => "It has one name only: look at the delimiter.".to_owned(),
        (_, Some(schema)) => format!("{many} names are known, with the values that {schema} declares."),
        (_, None) => format!("{many} names are known. Their values are not: type them."),
    };
    html! { p.help role="status" { (words) } }
}

/// A column with its values.
fn column(index: usize, label: &str, form: &QuestionForm, known: &Known) -> Markup {
    let id = format!("column{index}");
    let name = form.columns.text(&id);
    html! {
        div data-part=(id) {
            p { (name_field(&id, label, name, known, "Choose a column")) }
            div data-part={ "values" (index) } {
                // Not every question has so many columns.
                @if index < 2 || !name.is_empty() { (values_field(index, form, known)) }
            }
        }
    }
}

/// The values of a column: those that are declared, or two fields to type them.
fn values_field(index: usize, form: &QuestionForm, known: &Known) -> Markup {
    let [name_id, values_id, bins_id] =
        ["column", "categories", "bins"].map(|field| format!("{field}{index}"));
    if let Some(domain) = known.domain(form.columns.text(&name_id)) {
        return html! { p.help { "Its values are declared: " (domain.names().join(", ")) "." } };
    }
    html! {
        div.typed {
            p {
                label for=(values_id) { "Its possible values" }
                input id=(values_id) name=(values_id) value=(form.columns.text(&values_id)) placeholder="yes, no" data-renew;
            }
            p {
                label for=(bins_id) { "Or the edges of bins" }
                input id=(bins_id) name=(bins_id) value=(form.columns.text(&bins_id)) placeholder="0, 18, 65, 120" data-renew;
            }
        }
    }
}

/// A field for the name of a column: a menu if the names are known.
fn name_field(id: &str, label: &str, typed: &str, known: &Known, none: &str) -> Markup {
    html! {
        label for=(id) { (label) }
        @if known.names().is_empty() {
            input id=(id) name=(id) value=(typed) data-renew;
        } @else {
            (menu(id, known.names(), typed, none))
        }
    }
}

/// Names to choose from. Choosing one may change what other fields offer.
fn menu(id: &str, names: &[String], chosen: &str, none: &str) -> Markup {
    html! {
        select id=(id) name=(id) data-renew {
            option value="" { (none) }
            (html::options(names, |name| chosen == name))
        }
    }
}

/// The column of the outcome, and which of its values is counted.
fn outcome(form: &QuestionForm, known: &Known, none: &str) -> Markup {
    html! {
        (column(1, "The outcome", form, known))
        p data-part="value" { (value_field(1, "value", "The value that is counted", &form.value, form, known, none)) }
    }
}

/// The two groups that are compared.
fn compared(form: &QuestionForm, known: &Known) -> Markup {
    html! {
        div.typed {
            p data-part="first" {
                (value_field(0, "first", "The first group", &form.first, form, known, "choose one"))
            }
            p data-part="second" {
                (value_field(0, "second", "The second group", &form.second, form, known, "choose one"))
            }
        }
    }
}

/// A field for a value of a column: a menu once the values are declared.
fn value_field(
    column: usize,
    id: &str,
    label: &str,
    typed: &str,
    form: &QuestionForm,
    known: &Known,
    none: &str,
) -> Markup {
    let values = values_of(column, form, known);
    html! {
        label for=(id) { (label) }
        @if values.is_empty() {
            input id=(id) name=(id) value=(typed) data-renew;
        } @else {
            (menu(id, &values, typed, none))
        }
    }
}

/// The values of a column, declared or typed; none if they are not known yet.
fn values_of(column: usize, form: &QuestionForm, known: &Known) -> Vec<String> {
    let name = form.columns.text(&format!("column{column}"));
    let typed = || nodes::domain(&form.columns, column);
    known.domain(name).cloned().or_else(typed).as_ref().map(Domain::names).unwrap_or_default()
}

fn people(kind: Kind, form: &AskForm, known: &Known) -> Markup {
    const TELLS: &str = "Column that tells people apart";
    html! {
        p data-part="unit" {
            (name_field("unit", TELLS, &form.question.unit, known, "every person has one record"))
            span.help { "Leave it empty only if every person has one record." }
        }
        p {
            label for="n" { "How many people there are, about" }
            input id="n" name="n" value=(form.n) inputmode="numeric" data-renew aria-describedby="n-help";
            span.help id="n-help" { "From a public source: it is not counted here." }
        }
        @if kind.has_groups() { (sizes(&form.question.sizes)) }
        p {
            label for="w" { "The error you can bear, in percentage points" }
            input id="w" name="w" value=(form.width) inputmode="decimal" placeholder="5" data-renew aria-describedby="w-help";
            span.help id="w-help" {
                "The least epsilon that does it is searched for. Leave it empty to choose epsilon yourself."
            }
        }
    }
}

/// How large the groups are.
fn sizes(typed: &str) -> Markup {
    html! {
        p {
            label for="sizes" { "How large the groups are, one number for each" }
            input id="sizes" name="sizes" value=(typed) placeholder="equal" data-renew aria-describedby="sizes-help";
            span.help id="sizes-help" {
                "From public sources only, such as the beds of each ward: sizes counted in the data would be published through \
                 your choice of epsilon."
            }
        }
    }
}
