//! The form of a posterior over declared categories.

use std::collections::BTreeMap;

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

    fn page(&self, desk: &Desk<'_>, wrong: Option<&str>) -> String {
        page(desk, self, wrong)
    }
}

fn page(desk: &Desk<'_>, typed: &TableForm, wrong: Option<&str>) -> String {
    let Some(folder) = desk.folder else {
        let lead = "There is no folder of data yet. Start Posterity with the folder that holds your files:";
        let more = "<pre tabindex=\"0\"><code>posterity web --data FOLDER</code></pre>\
                    <p>CSV, JSON lines, Parquet and Arrow files are read. They stay where they are.</p>";
        return fieldsets::without("Release", lead, "", more);
    };
    let refused = wrong.is_some();
    let wrong = wrong.map(html::wrong).unwrap_or_default();
    let files = folder.files();
    if files.is_empty() {
        let lead = format!("The folder {} has no file of records.", html::text(folder.name()));
        let more = "<p>CSV, JSON lines, Parquet and Arrow files are read.</p>";
        return fieldsets::without("Release", &lead, &wrong, more);
    }
    let intro = format!(
        "<div class=\"intro\"><h1>Release</h1><p class=\"lead\">Publish shares of categories, with noise that protects every person. True \
         counts are never shown. For every pair of many columns there are <a href=\"/margins\">tables of many columns</a>.</p></div>{wrong}{}",
        if typed.columns.is_empty() { schemas(folder) } else { String::new() }
    );
    let several = "A release of several columns answers every question about them. ";
    let fields = [
        fieldsets::file(&files, &typed.common.file),
        column_fields(typed),
        person_fields(typed, refused),
        budget_fields(desk, typed),
        fieldsets::readings(&typed.common.readings, several, true),
    ];
    fieldsets::page(desk, ("Release", "/release"), &intro, fields)
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
fn schemas(folder: &Folder) -> String {
    let list: String = folder.schemas().iter().map(|name| columns_of(folder, name)).collect();
    if list.is_empty() {
        return list;
    }
    format!(
        "<section class=\"card\"><h2>Declared in a schema</h2><p class=\"small\">Take a column with the values that its schema declares.</p>\
         <ul class=\"plain\">{list}</ul></section>"
    )
}

/// A link for each column of a schema, or what is wrong with it.
fn columns_of(folder: &Folder, schema: &str) -> String {
    let link = |(name, domain): (&String, &Domain)| {
        let address = form_urlencoded::Serializer::new(String::new())
            .append_pair("schema", schema)
            .append_pair("take", name)
            .finish();
        format!(
            "<li><a href=\"/release?{}\">{}</a> <span class=\"small\">{} · {}</span></li>",
            html::text(address),
            html::text(name),
            html::text(domain.names().join(", ")),
            html::text(schema)
        )
    };
    match declared(folder, schema) {
        Ok(columns) => columns.iter().map(link).collect(),
        Err(why) => {
            format!("<li>{} <span class=\"small\">{}</span></li>", html::text(schema), html::text(why))
        }
    }
}

fn column_fields(typed: &TableForm) -> String {
    let columns = typed.columns.all();
    let field = |(index, [name, values, bins]): (usize, &[&Typed; 3])| {
        format!(
            "<div class=\"column\"><p><label for=\"column{index}\">Column</label><input id=\"column{index}\" name=\"column{index}\" \
             value=\"{}\"{}></p>\
             <p><label for=\"values{index}\">Its possible values</label><input id=\"values{index}\" name=\"values{index}\" value=\"{}\" \
             placeholder=\"yes, no\" aria-describedby=\"values-help\"></p>\
             <p><label for=\"bins{index}\">Or the edges of bins</label><input id=\"bins{index}\" name=\"bins{index}\" value=\"{}\" \
             placeholder=\"0, 18, 65, 120\"></p></div>",
            html::text(name),
            html::attribute("required", index == 0),
            html::text(values),
            html::text(bins)
        )
    };
    let mut fields = columns.iter().enumerate().map(field);
    let (first, more) = (fields.next().unwrap_or_default(), fields.collect::<String>());
    let open = html::attribute("open", columns[1..].iter().any(|[name, ..]| !name.is_empty()));
    format!(
        "<fieldset><legend>2. The question</legend>{first}<p class=\"help\" id=\"values-help\">Write the values as they are in the file, with commas \
         between them. They are published, so they are never filled in from the data: that would reveal which ones occur.</p>\
         <details{open}><summary>More columns, taken together as one table</summary>{more}</details></fieldset>"
    )
}

/// What follows if the number of people is public, and if it is not.
const FOLLOWS: [&str; 2] = [
    "What each person says is protected. Values that are not declared are an error, and filters are for what is public about people.",
    "Values that are not declared and missing values are left out silently, filters may use any column, and the noise is geometric. n is \
     estimated, with an interval.",
];

/// Who is protected. Where something was refused, the fields that may help are open.
fn person_fields(typed: &TableForm, refused: bool) -> String {
    let (rule, records) = match typed.common.per_unit.split_once(' ') {
        Some((ALL, records)) => (ALL, records),
        _ => (typed.common.per_unit.or("random"), &*typed.records),
    };
    let records = format!(
        "<p><label for=\"records\">If by all of its records, by at most</label><input id=\"records\" name=\"records\" value=\"{}\" \
         inputmode=\"numeric\" placeholder=\"3\" aria-describedby=\"records-help\"><span class=\"help\" id=\"records-help\">With 3, \
         the noise is three times as wide.</span></p>",
        html::text(records)
    );
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

fn budget_fields(desk: &Desk<'_>, typed: &TableForm) -> String {
    let adjacency = typed.common.adjacency.value().ok().flatten().unwrap_or_default();
    format!(
        "<fieldset><legend>4. The budget</legend>{}{}\
         <details{}><summary>Prior and mechanism</summary>\
         <p><label for=\"prior\">Prior</label><input id=\"prior\" name=\"prior\" value=\"{}\" placeholder=\"1\" \
         aria-describedby=\"prior-help\"><span class=\"help\" id=\"prior-help\">Dirichlet parameters: one for all, or one for each. 1 is \
         uniform.</span></p>\
         {}</details></fieldset>",
        fieldsets::epsilon(
            &typed.common.epsilon,
            "Smaller protects more. <a href=\"/plan\">Plan it first.</a>"
        ),
        payer::field(desk.ledger, &typed.common.account, "required", ""),
        html::attribute("open", !typed.prior.is_empty() || !typed.mechanism.is_empty()),
        html::text(&typed.prior),
        mechanisms::field(&typed.mechanism, adjacency)
    )
}
