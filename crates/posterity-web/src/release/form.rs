//! The form of a release.

use std::collections::BTreeMap;

use posterity::data::Domain;
use posterity_study::declared_columns;
use serde::Deserialize;

use super::asked::{ALL, ReleaseForm};
use super::mechanisms;
use crate::adjacency;
use crate::chosen::FileForm;
use crate::extract::Query;
use crate::folder::Folder;
use crate::html;
use crate::layout::{self, Section};
use crate::payer;
use crate::readings::Offered;
use crate::reply::{Answer, Reply};
use crate::site::Site;
use crate::typed::Typed;
use crate::{delimiter, encoding};

/// What the form begins with: what was typed before, or a column that a schema declares.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(crate) struct Beginning {
    /// The draft of a summary.
    draft: Typed,
    /// A schema, and the column to take from it.
    schema: Typed,
    take: Typed,
    #[serde(flatten)]
    form: ReleaseForm,
}

/// The page with an empty form, with that of a draft, or with what a schema declares.
pub(crate) fn page(site: &Site, Query(beginning): Query<Beginning>) -> Answer {
    let Beginning { draft, schema, take, mut form } = beginning;
    // Whoever comes back from a summary finds what they typed.
    if let Some((asked, _)) = site.releases().draft(&draft) {
        form = asked.typed.clone();
    }
    let declared = site.folder().and_then(|folder| declared(folder, &schema).ok());
    if let Some(domain) = declared.as_ref().and_then(|columns| columns.get(&*take)) {
        form.columns.declare(0, &take, domain);
    }
    Ok(Reply::Html(with(site, &form, None)))
}

/// The page with what was typed, and what is wrong with it.
pub(super) fn with(site: &Site, typed: &ReleaseForm, wrong: Option<&str>) -> String {
    let Some(folder) = site.folder() else {
        let body = "<div class=\"intro\"><h1>Release</h1><p class=\"lead\">There is no folder of data yet. Start Posterity with the folder \
                    that holds your files:</p></div><pre tabindex=\"0\"><code>posterity web --data FOLDER</code></pre>\
                    <p>CSV, JSON lines, Parquet and Arrow files are read. They stay where they are.</p>";
        return layout::page("Release", Section::Release, body);
    };
    let refused = wrong.is_some();
    let wrong = wrong.map(html::wrong).unwrap_or_default();
    let files = folder.files();
    if files.is_empty() {
        let body = format!(
            "<div class=\"intro\"><h1>Release</h1><p class=\"lead\">The folder {} has no file of records.</p></div>{wrong}\
             <p>CSV, JSON lines, Parquet and Arrow files are read.</p>",
            html::text(folder.name())
        );
        return layout::page("Release", Section::Release, &body);
    }
    let body = format!(
        "<div class=\"intro\"><h1>Release</h1><p class=\"lead\">Publish shares of categories, with noise that protects every person. True \
         counts are never shown. For every pair of many columns there are <a href=\"/margins\">tables of many columns</a>.</p></div>{wrong}{}\
         <form class=\"release\" data-keep=\"/release\" action=\"/release/check\" method=\"post\" autocomplete=\"off\">{}{}{}{}{}{}\
         <p class=\"act\"><button>Look at the summary</button> <span class=\"help\">This reads and charges nothing.</span></p></form>",
        if typed.columns.is_empty() { schemas(folder) } else { String::new() },
        site.token_field(),
        file_fields(&files, &typed.file),
        column_fields(typed),
        person_fields(typed, refused),
        budget_fields(site, typed),
        reading_fields(typed),
    );
    layout::page("Release", Section::Release, &body)
}

/// The columns that a schema of the folder declares, or what is wrong with it.
fn declared(folder: &Folder, schema: &str) -> Result<BTreeMap<String, Domain>, String> {
    let mut columns = declared_columns(&folder.text(schema)?)?;
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

/// The file, its edition and how it is written.
pub(crate) fn file_fields(files: &[String], typed: &FileForm) -> String {
    format!(
        "<fieldset><legend>1. The file</legend><p><label for=\"file\">File</label><select id=\"file\" name=\"file\" required>\
         <option value=\"\">Choose a file</option>{}</select></p>\
         <p><label for=\"edition\">Its edition</label><input id=\"edition\" name=\"edition\" value=\"{}\" placeholder=\"2026\" \
         aria-describedby=\"edition-help\"><span class=\"help\" id=\"edition-help\">Leave it empty for a file that never changes. It is \
         published, and tells this file from earlier ones of the same name, whose answers the ledger has.</span></p>\
         <details{}><summary>How the file is written</summary>{}{}</details></fieldset>",
        html::options(files, |name| *typed.name == *name),
        html::text(&typed.edition),
        html::attribute("open", !typed.delimiter.is_empty() || !typed.encoding.is_empty()),
        delimiter::field(&typed.delimiter),
        encoding::field(&typed.encoding)
    )
}

fn column_fields(typed: &ReleaseForm) -> String {
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
fn person_fields(typed: &ReleaseForm, refused: bool) -> String {
    let (rule, records) = match typed.per_unit.split_once(' ') {
        Some((ALL, records)) => (ALL, records),
        _ => (typed.per_unit.or("random"), &*typed.records),
    };
    let given = !typed.filter.is_empty() || !typed.undeclared.is_empty();
    let open = html::attribute("open", refused || given || rule != "random");
    let rules = [
        ("random", "one of its records, drawn at random"),
        ("first", "the value that is declared first"),
        ("mode", "the value that most of its records have"),
        (ALL, "all of its records, up to a number; for a private n only"),
    ];
    let rules: String = rules
        .iter()
        .map(|(name, words)| {
            let chosen = html::attribute("selected", *name == rule);
            format!("<option value=\"{name}\"{chosen}>{words}</option>")
        })
        .collect();
    format!(
        "<fieldset><legend>3. Who is protected</legend>{}\
         <p><label for=\"unit\">Column that tells people apart</label><input id=\"unit\" name=\"unit\" value=\"{}\" \
         aria-describedby=\"unit-help\"><span class=\"help\" id=\"unit-help\">Leave it empty only if every person has one record. With it, \
         all records of one person are protected together, and each person counts once.</span></p>\
         <details{open}><summary>Filter, other and missing values</summary>\
         <p><label for=\"per_unit\">A person counts by</label><select id=\"per_unit\" name=\"per_unit\">{rules}</select></p>\
         <p><label for=\"records\">If by all of its records, by at most</label><input id=\"records\" name=\"records\" value=\"{}\" \
         inputmode=\"numeric\" placeholder=\"3\" aria-describedby=\"records-help\"><span class=\"help\" id=\"records-help\">With 3, \
         the noise is three times as wide.</span></p>\
         <p><label for=\"filter\">Count only records where</label><input id=\"filter\" name=\"filter\" value=\"{}\" \
         placeholder=\"year = 2025\" aria-describedby=\"filter-help\"><span class=\"help\" id=\"filter-help\">The filter is published. If n is \
         public, the number of records that pass it is published exactly: use it for what is public about people only. If n is private, it may use \
         any column.</span></p>\
         {}</details></fieldset>",
        adjacency::field(&typed.adjacency, FOLLOWS),
        html::text(&typed.unit),
        html::text(records),
        html::text(&typed.filter),
        typed.undeclared.fields(&typed.columns),
    )
}

fn budget_fields(site: &Site, typed: &ReleaseForm) -> String {
    format!(
        "<fieldset><legend>4. The budget</legend>\
         <p><label for=\"epsilon\">Epsilon</label><input id=\"epsilon\" name=\"epsilon\" value=\"{}\" inputmode=\"decimal\" required \
         aria-describedby=\"epsilon-help\"><span class=\"help\" id=\"epsilon-help\">Smaller protects more. <a href=\"/plan\">Plan it \
         first.</a></span></p>{}\
         <details{}><summary>Prior and mechanism</summary>\
         <p><label for=\"prior\">Prior</label><input id=\"prior\" name=\"prior\" value=\"{}\" placeholder=\"1\" \
         aria-describedby=\"prior-help\"><span class=\"help\" id=\"prior-help\">Dirichlet parameters: one for all, or one for each. 1 is \
         uniform.</span></p>\
         {}</details></fieldset>",
        html::text(typed.epsilon.or("1")),
        payer::field(site, &typed.account, "required", ""),
        html::attribute("open", !typed.prior.is_empty() || !typed.mechanism.is_empty()),
        html::text(&typed.prior),
        mechanisms::field(&typed.mechanism, typed.adjacency.value().ok().flatten().unwrap_or_default())
    )
}

fn reading_fields(typed: &ReleaseForm) -> String {
    let open = html::attribute("open", !typed.readings.is_empty());
    format!(
        "<fieldset><legend>5. What to read from it</legend><p class=\"help\">A release of several columns answers every question about them. \
         Readings cost nothing, and more of them can be asked for later.</p><details{open}><summary>Readings and comparisons</summary>{}\
         </details>{}</fieldset>",
        typed.readings.fields(&Offered::OF_POSTERIOR),
        typed.readings.intervals()
    )
}
