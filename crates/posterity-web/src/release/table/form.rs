//! The form of a posterior over declared categories.

use std::collections::BTreeMap;

use maud::{Markup, html};
use posterity::data::Domain;
use posterity::plan::declared_fields;

use super::asked::{ALL, TableForm};
use super::mechanisms;
use crate::desk::Desk;
use crate::folder::Folder;
use crate::html;
use crate::payer;
use crate::release::asked::FormPage;
use crate::release::fieldsets::{self, People};
use crate::typed::Typed;

impl FormPage for TableForm {
    /// Takes the column that a schema declares.
    fn begin(&mut self, desk: &Desk<'_>) {
        let declared = desk.folder.and_then(|folder| declared(folder, &self.schema).ok());
        if let Some(domain) = declared.as_ref().and_then(|columns| columns.get(&*self.take)) {
            self.columns.declare(0, &self.take, domain);
        }
    }

    fn page(&self, desk: &Desk<'_>, wrong: Option<&str>) -> Markup {
        page(desk, self, wrong)
    }
}

fn page(desk: &Desk<'_>, typed: &TableForm, wrong: Option<&str>) -> Markup {
    let Some(folder) = desk.folder else { return without_folder() };
    let files = folder.files();
    if files.is_empty() {
        let lead = format!("The folder {} has no file of records.", folder.name());
        let more = html! { p { "CSV, JSON lines, Parquet and Arrow files are read." } };
        return fieldsets::without("Release", &lead, wrong, &more);
    }
    let several = "A release of several columns answers every question about them. ";
    let fields = [
        fieldsets::file(&files, &typed.common.file),
        column_fields(typed),
        person_fields(typed, wrong.is_some()),
        budget_fields(desk, typed),
        fieldsets::readings(&typed.common.readings, several, true),
    ];
    fieldsets::page(desk, ("Release", "/release"), &intro(folder, typed, wrong), fields)
}

fn without_folder() -> Markup {
    let lead = "There is no folder of data yet. Start Posterity with the folder that holds your files:";
    let more = html! {
        (html::shell("posterity web --data FOLDER"))
        p { "CSV, JSON lines, Parquet and Arrow files are read. They stay where they are." }
    };
    fieldsets::without("Release", lead, None, &more)
}

fn intro(folder: &Folder, typed: &TableForm, wrong: Option<&str>) -> Markup {
    html! {
        div.intro {
            h1 { "Release" }
            p.lead {
                "Publish shares of categories, with noise that protects every person. True counts are never shown. For every \
                 pair of many columns there are " a href="/margins" { "tables of many columns" } "."
            }
        }
        (html::maybe_wrong(wrong))
        @if typed.columns.is_empty() { (schemas(folder)) }
    }
}

/// The columns that a schema of the folder declares, or what is wrong with it.
fn declared(folder: &Folder, schema: &str) -> Result<BTreeMap<String, Domain>, String> {
    let mut columns: BTreeMap<String, Domain> = declared_fields(&folder.text(schema)?)?.into_iter().collect();
    columns.retain(|_, domain| domain.names().len() >= 2);
    if columns.is_empty() {
        return Err(
            "declares no values; add \"constraints\": {\"enum\": [...]} or \"bins\": [...] to a field"
                .to_owned(),
        );
    }
    Ok(columns)
}

/// What the schemas of the folder declare, to be taken into the form.
fn schemas(folder: &Folder) -> Markup {
    let schemas = folder.schemas();
    html! {
        @if !schemas.is_empty() {
            section.card {
                h2 { "Declared in a schema" }
                p.small { "Take a column with the values that its schema declares." }
                ul.plain { @for name in &schemas { (columns_of(folder, name)) } }
            }
        }
    }
}

/// A link for each column of a schema, or what is wrong with it.
fn columns_of(folder: &Folder, schema: &str) -> Markup {
    let query = |name: &str| {
        let mut query = form_urlencoded::Serializer::new(String::new());
        query.append_pair("schema", schema).append_pair("take", name).finish()
    };
    match declared(folder, schema) {
        Ok(columns) => html! {
            @for (name, domain) in &columns {
                li {
                    a href={ "/release?" (query(name)) } { (name) }
                    " "
                    span.small { (domain.names().join(", ")) " · " (schema) }
                }
            }
        },
        Err(why) => html! { li { (schema) " " span.small { (why) } } },
    }
}

fn column_fields(typed: &TableForm) -> Markup {
    let columns = typed.columns.all();
    let more = 1..columns.len();
    html! {
        fieldset {
            legend { "2. The question" }
            (column(0, columns[0]))
            p.help id="values-help" {
                "Write the values as they are in the file, with commas between them. They are published, so they are never \
                 filled in from the data: that would reveal which ones occur."
            }
            details open[columns[1..].iter().any(|[name, ..]| !name.is_empty())] {
                summary { "More columns, taken together as one table" }
                @for index in more { (column(index, columns[index])) }
            }
        }
    }
}

fn column(index: usize, [name, values, bins]: [&Typed; 3]) -> Markup {
    let [name_id, values_id, bins_id] = ["column", "values", "bins"].map(|field| format!("{field}{index}"));
    html! {
        div.column {
            p {
                label for=(name_id) { "Column" }
                input id=(name_id) name=(name_id) value=(name) required[index == 0];
            }
            p {
                label for=(values_id) { "Its possible values" }
                input id=(values_id) name=(values_id) value=(values) placeholder="yes, no"
                    aria-describedby="values-help";
            }
            p {
                label for=(bins_id) { "Or the edges of bins" }
                input id=(bins_id) name=(bins_id) value=(bins) placeholder="0, 18, 65, 120";
            }
        }
    }
}

/// What follows if the number of people is public, and if it is not.
const FOLLOWS: [&str; 2] = [
    "What each person says is protected. Values that are not declared are an error, and filters are for what is public about people.",
    "Values that are not declared and missing values are left out silently, filters may use any column, and the noise is geometric. n is \
     estimated, with an interval.",
];

/// Who is protected. Where something was refused, the fields that may help are open.
fn person_fields(typed: &TableForm, refused: bool) -> Markup {
    let (rule, records) = match typed.common.per_unit.split_once(' ') {
        Some((ALL, records)) => (ALL, records),
        _ => (typed.common.per_unit.or("random"), &*typed.records),
    };
    let records = html! {
        p {
            label for="records" { "If by all of its records, by at most" }
            input id="records" name="records" value=(records) inputmode="numeric" placeholder="3"
                aria-describedby="records-help";
            span.help id="records-help" { "With 3, the noise is three times as wide." }
        }
    };
    let people = People {
        follows: FOLLOWS,
        counts: "once",
        rules: &[(ALL, "all of its records, up to a number; for a private n only")],
        chosen: rule,
        rule_fields: records,
        undeclared: typed.undeclared.fields(&typed.columns),
        open: refused || !typed.undeclared.is_empty(),
    };
    fieldsets::people(&typed.common, &people)
}

fn budget_fields(desk: &Desk<'_>, typed: &TableForm) -> Markup {
    let adjacency = typed.common.adjacency.value().ok().flatten().unwrap_or_default();
    let help = html! { "Smaller protects more. " a href="/plan" { "Plan it first." } };
    html! {
        fieldset {
            legend { "4. The budget" }
            (fieldsets::epsilon(&typed.common.epsilon, &help))
            (payer::field(desk.ledger, &typed.common.account, true, None))
            details open[!typed.prior.is_empty() || !typed.mechanism.is_empty()] {
                summary { "Prior and mechanism" }
                p {
                    label for="prior" { "Prior" }
                    input id="prior" name="prior" value=(typed.prior) placeholder="1" aria-describedby="prior-help";
                    span.help id="prior-help" {
                        "Dirichlet parameters: one for all, or one for each. 1 is uniform."
                    }
                }
                (mechanisms::field(&typed.mechanism, adjacency))
            }
        }
    }
}
