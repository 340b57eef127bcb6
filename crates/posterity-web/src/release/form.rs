//! The form of a release.

use std::sync::Arc;

use posterity::Ledger;
use posterity_core::mechanism::ALL;

use super::asked::COLUMNS;
use crate::failure::Failure;
use crate::fields::Fields;
use crate::html;
use crate::layout::{self, Section};
use crate::payer;
use crate::plan::sentence;
use crate::readings;
use crate::schema;
use crate::site::{Reply, Site};

/// The page with an empty form, with that of a draft, or with what a schema declares.
pub(crate) fn page(site: &Arc<Site>, fields: &Fields) -> Result<Reply, Failure> {
    // Whoever comes back from a summary finds what they typed.
    let draft = fields.get("draft").and_then(|id| site.releases().draft(id));
    Ok(Reply::Html(with(site, draft.as_ref().map_or(fields, |(asked, _)| &asked.typed), None)))
}

/// The page with what was typed, and what is wrong with it.
pub(super) fn with(site: &Site, typed: &Fields, wrong: Option<&str>) -> String {
    let Some(folder) = site.folder() else {
        let body = "<div class=\"intro\"><h1>Release</h1><p class=\"lead\">There is no folder of data yet. Start Posterity with the folder \
                    that holds your files:</p></div><pre tabindex=\"0\"><code>posterity web --data FOLDER</code></pre>\
                    <p>CSV, JSON lines, Parquet and Arrow files are read. They stay where they are.</p>";
        return layout::page("Release", Section::Release, body);
    };
    let wrong = wrong
        .map(|why| format!("<p class=\"wrong\" role=\"alert\">{}</p>", html::text(why)))
        .unwrap_or_default();
    let files = folder.files();
    if files.is_empty() {
        let body = format!(
            "<div class=\"intro\"><h1>Release</h1><p class=\"lead\">The folder {} has no file of records.</p></div>{wrong}\
             <p>CSV, JSON lines, Parquet and Arrow files are read.</p>",
            html::text(folder.name())
        );
        return layout::page("Release", Section::Release, &body);
    }
    let (schemas, typed) = from_schema(site, typed);
    let body = format!(
        "<div class=\"intro\"><h1>Release</h1><p class=\"lead\">Publish shares of categories, with noise that protects every person. True \
         counts are never shown.</p></div>{wrong}{schemas}\
         <form class=\"release\" action=\"/release/check\" method=\"post\" autocomplete=\"off\">{}{}{}{}{}{}\
         <p class=\"act\"><button>Look at the summary</button> <span class=\"help\">Nothing is read or charged yet.</span></p></form>",
        site.token_field(),
        file_fields(&files, &typed),
        column_fields(&typed),
        person_fields(&typed),
        budget_fields(site, &typed),
        reading_fields(&typed),
    );
    layout::page("Release", Section::Release, &body)
}

/// What the schemas of the folder declare, to be taken into the form; and the form with what was taken.
fn from_schema(site: &Site, typed: &Fields) -> (String, Fields) {
    let Some(folder) = site.folder() else { return (String::new(), typed.clone()) };
    let mut list = String::new();
    let mut filled = typed.clone();
    for name in folder.schemas() {
        let columns = folder.text(&name).and_then(|text| schema::declared(&text).map_err(sentence));
        match columns {
            Ok(columns) => {
                for column in columns {
                    let taken = typed.get("schema") == Some(&name) && typed.get("take") == Some(&column.name);
                    if taken {
                        filled =
                            filled.with("column0", &column.name).with("values0", &column.values.join(", "));
                    }
                    let address = form_urlencoded::Serializer::new(String::new())
                        .append_pair("schema", &name)
                        .append_pair("take", &column.name)
                        .finish();
                    list += &format!(
                        "<li><a href=\"/release?{}\">{}</a> <span class=\"small\">{} · {}</span></li>",
                        html::text(address),
                        html::text(&column.name),
                        html::text(column.values.join(", ")),
                        html::text(&name)
                    );
                }
            }
            Err(why) => {
                list += &format!(
                    "<li>{} <span class=\"small\">{}</span></li>",
                    html::text(&name),
                    html::text(why)
                )
            }
        }
    }
    if list.is_empty() {
        return (String::new(), filled);
    }
    let section = format!(
        "<section class=\"card\"><h2>Declared in a schema</h2><p class=\"small\">Take a column with the values that its schema declares.</p>\
         <ul class=\"plain\">{list}</ul></section>"
    );
    (section, filled)
}

fn file_fields(files: &[String], typed: &Fields) -> String {
    let options = files.iter().map(|name| {
        let chosen = if typed.get("file") == Some(name) { " selected" } else { "" };
        format!("<option{chosen}>{}</option>", html::text(name))
    });
    format!(
        "<fieldset><legend>1. The file</legend><p><label for=\"file\">File</label><select id=\"file\" name=\"file\" required><option value=\"\">Choose a file</option>{}</select></p>\
         </fieldset>",
        options.collect::<String>()
    )
}

fn column_fields(typed: &Fields) -> String {
    let field = |index: usize| {
        let value = |name: &str| html::text(typed.text(&format!("{name}{index}")));
        let required = if index == 0 { " required" } else { "" };
        format!(
            "<div class=\"column\"><p><label for=\"column{index}\">Column</label><input id=\"column{index}\" name=\"column{index}\" \
             value=\"{}\"{required}></p>\
             <p><label for=\"values{index}\">Its possible values</label><input id=\"values{index}\" name=\"values{index}\" value=\"{}\" \
             placeholder=\"yes, no\" aria-describedby=\"values-help\"></p>\
             <p><label for=\"bins{index}\">Or the edges of bins</label><input id=\"bins{index}\" name=\"bins{index}\" value=\"{}\" \
             placeholder=\"0, 18, 65, 120\"></p></div>",
            value("column"),
            value("values"),
            value("bins")
        )
    };
    let more: String = (1..COLUMNS).map(field).collect();
    let open =
        if (1..COLUMNS).any(|index| typed.get(&format!("column{index}")).is_some()) { " open" } else { "" };
    format!(
        "<fieldset><legend>2. The question</legend>{}<p class=\"help\" id=\"values-help\">Write the values as they are in the file, with commas \
         between them. They are published, so they are never filled in from the data: that would reveal which ones occur.</p>\
         <details{open}><summary>More columns, taken together as one table</summary>{more}</details></fieldset>",
        field(0)
    )
}

fn person_fields(typed: &Fields) -> String {
    let value = |name: &str| html::text(typed.text(name));
    let given = ["filter", "other", "missing", "per_unit"]
        .iter()
        .any(|name| typed.get(name).is_some_and(|text| text != "random"));
    let open = if given { " open" } else { "" };
    let rule = typed.get("per_unit").unwrap_or("random");
    let rules = [
        ("random", "one of its records, drawn at random"),
        ("first", "the value that is declared first"),
        ("mode", "the value that most of its records have"),
    ];
    let rules: String = rules
        .iter()
        .map(|(name, words)| {
            let chosen = if *name == rule { " selected" } else { "" };
            format!("<option value=\"{name}\"{chosen}>{words}</option>")
        })
        .collect();
    format!(
        "<fieldset><legend>3. Who is protected</legend>\
         <p><label for=\"unit\">Column that tells people apart</label><input id=\"unit\" name=\"unit\" value=\"{}\" \
         aria-describedby=\"unit-help\"><span class=\"help\" id=\"unit-help\">Leave it empty only if every person has one record. With it, \
         all records of one person are protected together, and each person counts once.</span></p>\
         <details{open}><summary>Filter, other and missing values</summary>\
         <p><label for=\"per_unit\">A person counts by</label><select id=\"per_unit\" name=\"per_unit\">{rules}</select></p>\
         <p><label for=\"filter\">Count only records where</label><input id=\"filter\" name=\"filter\" value=\"{}\" \
         placeholder=\"year = 2025\" aria-describedby=\"filter-help\"><span class=\"help\" id=\"filter-help\">The filter and the number of \
         records that pass it are published exactly. Use it for what is public about people only.</span></p>\
         <p><label for=\"other\">Count other values as</label><input id=\"other\" name=\"other\" value=\"{}\"></p>\
         <p><label for=\"missing\">Count missing values as</label><input id=\"missing\" name=\"missing\" value=\"{}\"></p></details></fieldset>",
        value("unit"),
        value("filter"),
        value("other"),
        value("missing"),
    )
}

fn budget_fields(site: &Site, typed: &Fields) -> String {
    let value = |name: &str, usual: &str| html::text(typed.get(name).unwrap_or(usual));
    let account = match site.ledger() {
        None => payer::no_ledger(),
        Some(path) => match Ledger::open(path).and_then(|ledger| ledger.accounts()) {
            Ok(accounts) if accounts.is_empty() => payer::no_account("The ledger has no account yet."),
            Ok(accounts) => format!(
                "<p><label for=\"account\">Account that pays</label><select id=\"account\" name=\"account\" required>{}</select></p>",
                payer::options(&accounts, typed)
            ),
            Err(error) => payer::no_account(&sentence(error)),
        },
    };
    let mechanism = typed.get("mechanism").unwrap_or("lattice");
    let mechanisms = ALL.iter().filter(|one| one.private).map(|one| {
        let chosen = if one.name == mechanism { " selected" } else { "" };
        format!("<option value=\"{0}\"{chosen}>{0}</option>", one.name)
    });
    format!(
        "<fieldset><legend>4. The budget</legend>\
         <p><label for=\"epsilon\">Epsilon</label><input id=\"epsilon\" name=\"epsilon\" value=\"{}\" inputmode=\"decimal\" required \
         aria-describedby=\"epsilon-help\"><span class=\"help\" id=\"epsilon-help\">Smaller protects more. <a href=\"/plan\">Plan it \
         first.</a></span></p>{account}\
         <details><summary>Prior and mechanism</summary>\
         <p><label for=\"prior\">Prior</label><input id=\"prior\" name=\"prior\" value=\"{}\" placeholder=\"uniform\"></p>\
         <p><label for=\"mechanism\">Mechanism</label><select id=\"mechanism\" name=\"mechanism\">{}</select></p></details></fieldset>",
        value("epsilon", "1"),
        value("prior", ""),
        mechanisms.collect::<String>()
    )
}

fn reading_fields(typed: &Fields) -> String {
    let open = if typed.get("read").is_some() || typed.get("compare").is_some() { " open" } else { "" };
    format!(
        "<fieldset><legend>5. What to read from it</legend><p class=\"help\">A release of several columns answers every question about them. \
         Readings cost nothing, and more of them can be asked for later.</p><details{open}><summary>Readings and comparisons</summary>{}\
         </details></fieldset>",
        readings::fields(typed)
    )
}
