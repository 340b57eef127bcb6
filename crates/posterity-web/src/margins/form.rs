//! The form of a release of many tables.

use serde::Deserialize;

use super::asked::MarginsForm;
use super::document::OFFERED;
use crate::adjacency;
use crate::extract::Query;
use crate::html;
use crate::large_delta;
use crate::layout::{self, Section};
use crate::payer;
use crate::people;
use crate::release::file_fields;
use crate::reply::{Answer, Reply};
use crate::site::Site;
use crate::typed::Typed;

/// What the form begins with: the draft of a summary, or what was typed before.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(crate) struct Beginning {
    draft: Typed,
    #[serde(flatten)]
    form: MarginsForm,
}

/// The page with what was typed before, or with that of a draft.
pub(crate) fn page(site: &Site, Query(Beginning { draft, form }): Query<Beginning>) -> Answer {
    // Whoever comes back from a summary finds what they typed.
    let form = site.margins().draft(&draft).map(|(asked, _)| asked.typed.clone()).unwrap_or(form);
    Ok(Reply::Html(with(site, &form, None)))
}

const INTRO: &str = "<div class=\"intro\"><h1>Tables of many columns</h1><p class=\"lead\">Release every pair or triple of many columns at once, under \
                     one budget, with an interval for every number. A schema declares the columns and their values.</p></div>";

/// The page with what was typed, and what is wrong with it.
pub(super) fn with(site: &Site, typed: &MarginsForm, wrong: Option<&str>) -> String {
    let wrong = wrong.map(html::wrong).unwrap_or_default();
    let files = site.folder().map(|folder| (folder.files(), folder.schemas())).unwrap_or_default();
    let (files, schemas) = match files {
        (files, schemas) if !files.is_empty() && !schemas.is_empty() => (files, schemas),
        _ => {
            let body = format!(
                "{INTRO}{wrong}<p>Start Posterity with a folder that holds a file of records and a Table Schema, such as \
                 <code>visits.csv</code> and <code>visits.schema.json</code>:</p>\
                 <pre tabindex=\"0\"><code>posterity web --data FOLDER</code></pre>"
            );
            return layout::page("Tables of many columns", Section::Release, &body);
        }
    };
    let body = format!(
        "{INTRO}{wrong}<form class=\"release\" data-keep=\"/margins\" action=\"/margins/check\" method=\"post\" autocomplete=\"off\">{}{}{}{}{}{}\
         <p class=\"act\"><button>Look at the summary</button> <span class=\"help\">This reads and charges nothing.</span></p></form>",
        site.token_field(),
        file_fields(&files, &typed.file),
        table_fields(&schemas, typed),
        person_fields(typed),
        budget_fields(site, typed),
        reading_fields(typed),
    );
    layout::page("Tables of many columns", Section::Release, &body)
}

fn table_fields(schemas: &[String], typed: &MarginsForm) -> String {
    format!(
        "<fieldset><legend>2. The tables</legend><p><label for=\"schema\">Schema</label><select id=\"schema\" name=\"schema\" \
         aria-describedby=\"schema-help\"><option value=\"\">The one that is named like the file</option>{}</select>\
         <span class=\"help\" id=\"schema-help\">It declares the values of the columns, or bins for numbers. Nothing is learned from the \
         data.</span></p>\
         <p><label for=\"margins\">Which tables</label><input id=\"margins\" name=\"margins\" value=\"{}\" required aria-describedby=\"margins-help\">\
         <span class=\"help\" id=\"margins-help\"><code>2</code> is every pair of columns and every column by itself, <code>3</code> also every \
         triple. <code>ward, outcome; ward, age</code> is these pairs only: fewer tables have less noise. <code>2; ward, outcome = 5</code> \
         is every pair, and one of them matters five times as much.</span></p></fieldset>",
        html::options(schemas, |name| *typed.schema == *name),
        html::text(typed.margins.or("2"))
    )
}

/// What follows if the number of people is public, and if it is not.
const FOLLOWS: [&str; 2] = [
    "What each person says is protected. Values that are not declared are an error, and filters are for what is public about people.",
    "Records with values that are not declared or missing are left out silently, and filters may use any column. n is estimated, with an \
     interval.",
];

fn person_fields(typed: &MarginsForm) -> String {
    let rules = [
        ("random", "one of its records, drawn at random"),
        ("first", "the value that is declared first"),
        ("mode", "the value that most of its records have"),
    ];
    let chosen = typed.per_unit.or("random");
    let rule = |(name, words): &(&str, &str)| {
        format!("<option value=\"{name}\"{}>{words}</option>", html::attribute("selected", *name == chosen))
    };
    let field = |id: &str, label: &str, value: &Typed| {
        format!(
            "<p><label for=\"{id}\">{label}</label><input id=\"{id}\" name=\"{id}\" value=\"{}\"></p>",
            html::text(value)
        )
    };
    let given = [&typed.filter, &typed.other, &typed.missing].iter().any(|one| !one.is_empty());
    format!(
        "<fieldset><legend>3. Who is protected</legend>{}\
         <p><label for=\"unit\">Column that tells people apart</label><input id=\"unit\" name=\"unit\" value=\"{}\" aria-describedby=\"unit-help\">\
         <span class=\"help\" id=\"unit-help\">Leave it empty only if every person has one record. With it, all records of one person are \
         protected together, and each person counts with one record in all tables.</span></p>\
         <details{}><summary>Filter, other and missing values</summary>\
         <p><label for=\"per_unit\">A person counts by</label><select id=\"per_unit\" name=\"per_unit\">{}</select></p>{}{}{}\
         </details></fieldset>",
        adjacency::field(&typed.adjacency, FOLLOWS),
        html::text(&typed.unit),
        html::attribute("open", given || chosen != "random"),
        rules.iter().map(rule).collect::<String>(),
        field("filter", "Count only records where", &typed.filter),
        field("other", "Count other values as", &typed.other),
        field("missing", "Count missing values as", &typed.missing),
    )
}

fn budget_fields(site: &Site, typed: &MarginsForm) -> String {
    format!(
        "<fieldset><legend>4. The budget</legend>\
         <p><label for=\"epsilon\">Epsilon</label><input id=\"epsilon\" name=\"epsilon\" value=\"{}\" inputmode=\"decimal\" required \
         aria-describedby=\"epsilon-help\"><span class=\"help\" id=\"epsilon-help\">For all tables together. Smaller protects more.</span></p>\
         <p><label for=\"delta\">Delta</label><input id=\"delta\" name=\"delta\" value=\"{}\" inputmode=\"decimal\" required \
         aria-describedby=\"delta-help\"><span class=\"help\" id=\"delta-help\">The probability that the promise by epsilon fails: far below one \
         part of as many as there are people.</span></p>{}{}{}</fieldset>",
        html::text(typed.epsilon.or("1")),
        html::text(typed.delta.or("1e-9")),
        large_delta::field(&typed.allow_large_delta),
        people::field(&typed.n),
        payer::field(
            site,
            &typed.account,
            "required aria-describedby=\"account-help\"",
            "<span class=\"help\" id=\"account-help\">It needs a delta: such a release is charged in rho.</span>"
        )
    )
}

fn reading_fields(typed: &MarginsForm) -> String {
    format!(
        "<fieldset><legend>5. What to read from it</legend><p class=\"help\">Readings cost nothing, and more of them can be asked for later.</p>\
         <details{}><summary>Readings and comparisons</summary>{}</details>{}</fieldset>",
        html::attribute("open", !typed.readings.is_empty()),
        typed.readings.fields(&OFFERED),
        typed.readings.intervals()
    )
}
