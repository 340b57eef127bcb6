//! The fields of a question. What is known of the file is offered in menus; everything else is typed.
//!
//! A part of the form that depends on other fields is marked by `data-part`, so that a script can renew it.

use posterity::data::Domain;

use super::form::AskForm;
use crate::folder::Folder;
use crate::html;
use crate::known::{Known, NONE};
use crate::question::{Kind, QuestionForm};
use crate::{delimiter, encoding};

/// The fields of a form of question.
pub(super) fn fields(kind: Kind, form: &AskForm, folder: &Folder, known: &Known) -> String {
    let question = &form.question;
    let asked = match kind {
        Kind::Share => column(0, "The column", question, known),
        Kind::Rate => outcome(question, known, "each of them") + &column(0, "Within each", question, known),
        Kind::Difference => {
            outcome(question, known, "choose one")
                + &column(0, "Between two groups of", question, known)
                + &compared(question, known)
        }
        Kind::Table => (0..3)
            .map(|index| {
                column(
                    index,
                    ["First column", "Second column", "Third column, if any"][index],
                    question,
                    known,
                )
            })
            .collect(),
    };
    format!(
        "<fieldset><legend>1. The file</legend>{}</fieldset><fieldset><legend>2. {}</legend>{asked}</fieldset>\
         <fieldset><legend>3. The people</legend>{}</fieldset>",
        file(question, folder, known),
        kind.title(),
        people(kind, form, known)
    )
}

fn file(form: &QuestionForm, folder: &Folder, known: &Known) -> String {
    format!(
        "<p><label for=\"file\">File</label><select id=\"file\" name=\"file\" data-renew><option value=\"\">Choose a file</option>{}</select></p>\
         <p class=\"check\"><label><input type=\"checkbox\" id=\"header\" name=\"header\" value=\"yes\" data-renew aria-describedby=\"header-help\"{}> \
         The first line of the CSV file is a header</label><span class=\"help\" id=\"header-help\">Then its names are offered below. Do not tick \
         this if the first line may be a person.</span></p>\
         <details{}><summary>How the file is written, and its schema</summary>{}{}{}</details>\
         <div data-part=\"known\">{}</div>",
        html::options(&folder.files(), |name| *form.file == *name),
        html::attribute("checked", !form.header.is_empty()),
        html::attribute(
            "open",
            !form.delimiter.is_empty() || !form.encoding.is_empty() || !form.schema.is_empty()
        ),
        delimiter::field(&form.delimiter),
        encoding::field(&form.encoding),
        schema(folder, &form.schema),
        said(form, known)
    )
}

/// The choice of the schema; nothing if the folder has none.
fn schema(folder: &Folder, chosen: &str) -> String {
    let schemas = folder.schemas();
    if schemas.is_empty() {
        return String::new();
    }
    format!(
        "<p><label for=\"schema\">Schema that declares names and values</label><select id=\"schema\" name=\"schema\" data-renew>\
         <option value=\"\">the one that is named like the file</option><option value=\"{NONE}\"{}>none</option>{}</select></p>",
        html::attribute("selected", chosen == NONE),
        html::options(&schemas, |name| chosen == name)
    )
}

/// Where the names come from, or why there are none.
fn said(form: &QuestionForm, known: &Known) -> String {
    if let Some(wrong) = known.wrong() {
        return html::wrong(wrong);
    }
    if form.file.is_empty() {
        return String::new();
    }
    let many = known.names().len();
    let words = match (many, known.schema()) {
        (0, _) => "The names of its columns are not known. Type them as they are in the file.".to_owned(),
        (1, None) => "It has one name only: look at the delimiter.".to_owned(),
        (_, Some(schema)) => format!("{many} names are known, with the values that {schema} declares."),
        (_, None) => format!("{many} names are known. Their values are not: type them."),
    };
    format!("<p class=\"help\" role=\"status\">{}</p>", html::text(words))
}

/// A column with its values.
fn column(index: usize, label: &str, form: &QuestionForm, known: &Known) -> String {
    let [name, values, bins] = form.columns.all()[index];
    let declared = known.domain(name);
    let values = match declared {
        Some(domain) => format!(
            "<p class=\"help\">Its values are declared: {}.</p>",
            html::text(domain.names().join(", "))
        ),
        None => format!(
            "<div class=\"typed\"><p><label for=\"values{index}\">Its possible values</label><input id=\"values{index}\" name=\"values{index}\" \
             value=\"{}\" placeholder=\"yes, no\" data-renew></p><p><label for=\"bins{index}\">Or the edges of bins</label>\
             <input id=\"bins{index}\" name=\"bins{index}\" value=\"{}\" placeholder=\"0, 18, 65, 120\" data-renew></p></div>",
            html::text(values),
            html::text(bins)
        ),
    };
    format!(
        "<div data-part=\"column{index}\"><p>{}</p><div data-part=\"values{index}\">{values}</div></div>",
        name_field(&format!("column{index}"), label, name, known, "Choose a column")
    )
}

/// A field for the name of a column: a menu if the names are known.
fn name_field(id: &str, label: &str, typed: &str, known: &Known, none: &str) -> String {
    let label = format!("<label for=\"{id}\">{label}</label>");
    if known.names().is_empty() {
        return format!(
            "{label}<input id=\"{id}\" name=\"{id}\" value=\"{}\" data-renew>",
            html::text(typed)
        );
    }
    format!("{label}{}", menu(id, known.names(), typed, none))
}

/// Names to choose from. Choosing one may change what other fields offer.
fn menu(id: &str, names: &[String], chosen: &str, none: &str) -> String {
    format!(
        "<select id=\"{id}\" name=\"{id}\" data-renew><option value=\"\">{none}</option>{}</select>",
        html::options(names, |name| chosen == name)
    )
}

/// The column of the outcome, and which of its values is counted.
fn outcome(form: &QuestionForm, known: &Known, none: &str) -> String {
    format!(
        "{}<p data-part=\"value\">{}</p>",
        column(1, "The outcome", form, known),
        value_field(1, "value", "The value that is counted", &form.value, form, known, none)
    )
}

/// The two groups that are compared.
fn compared(form: &QuestionForm, known: &Known) -> String {
    format!(
        "<div class=\"typed\"><p data-part=\"first\">{}</p><p data-part=\"second\">{}</p></div>",
        value_field(0, "first", "The first group", &form.first, form, known, "choose one"),
        value_field(0, "second", "The second group", &form.second, form, known, "choose one")
    )
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
) -> String {
    let label = format!("<label for=\"{id}\">{label}</label>");
    let values = values_of(column, form, known);
    if values.is_empty() {
        return format!("{label}<input id=\"{id}\" name=\"{id}\" value=\"{}\">", html::text(typed));
    }
    format!("{label}{}", menu(id, &values, typed, none))
}

/// The values of a column, declared or typed; none if they are not known yet.
fn values_of(column: usize, form: &QuestionForm, known: &Known) -> Vec<String> {
    let [name, ..] = form.columns.all()[column];
    let typed = || form.columns.domain(column);
    known.domain(name).cloned().or_else(typed).as_ref().map(Domain::names).unwrap_or_default()
}

fn people(kind: Kind, form: &AskForm, known: &Known) -> String {
    let sizes = if kind.has_groups() {
        format!(
            "<p><label for=\"sizes\">How large the groups are, one number for each</label><input id=\"sizes\" name=\"sizes\" value=\"{}\" \
             placeholder=\"equal\" aria-describedby=\"sizes-help\"><span class=\"help\" id=\"sizes-help\">From public sources only, such as the \
             beds of each ward: sizes counted in the data would be published through your choice of epsilon.</span></p>",
            html::text(&form.question.sizes)
        )
    } else {
        String::new()
    };
    format!(
        "<p data-part=\"unit\">{}<span class=\"help\">Leave it empty only if every person has one record.</span></p>\
         <p><label for=\"n\">How many people there are, about</label><input id=\"n\" name=\"n\" value=\"{}\" inputmode=\"numeric\" \
         aria-describedby=\"n-help\"><span class=\"help\" id=\"n-help\">From a public source: it is not counted here.</span></p>{sizes}\
         <p><label for=\"w\">The error you can bear, in percentage points</label><input id=\"w\" name=\"w\" value=\"{}\" inputmode=\"decimal\" \
         placeholder=\"5\" aria-describedby=\"w-help\"><span class=\"help\" id=\"w-help\">The least epsilon that does it is searched for. Leave it \
         empty to choose epsilon yourself.</span></p>",
        name_field(
            "unit",
            "Column that tells people apart",
            &form.question.unit,
            known,
            "every person has one record"
        ),
        html::text(&form.n),
        html::text(&form.width)
    )
}
