//! The page *Look at the file*.

use std::ops::ControlFlow;

use maud::{Markup, html};
use posterity::data::{
    Adjacency, Column, DataError, Domain, Look, LookedFor, Question, Resources, Source, left_out,
};
use posterity::new_file;
use posterity_present::Mark;
use posterity_present::looked::{Looked, ShownColumn, schema};

use super::declared::{LookForm, known, names, ticked};
use crate::delimiter::Delimiter;
use crate::extract::{Form, Query};
use crate::folder::Folder;
use crate::html::{self, scroll};
use crate::inputs::told;
use crate::known::NONE;
use crate::layout::{self, Section};
use crate::reply::{Answer, Reply};
use crate::sentence::sentence;
use crate::site::Site;
use crate::typed::Typed;
use crate::{adjacency, encoding};

const TITLE: &str = "Look at the file";
const LEAD: &str = "What its columns hold, and what a release would do with it. This is for you, the owner of the data: it is not private, nothing is published, and nothing is charged.";

/// What follows if the number of people is public, and if it is not.
const FOLLOWS: [&str; 2] = [
    "A value that is not declared would stop a release.",
    "A value that is not declared would be left out of a release without a word.",
];

/// What was found in the file.
struct Found {
    look: Look,
    looked: Looked,
    question: Question,
}

/// The page before anything is read.
pub(crate) fn page(site: &Site, Query(form): Query<LookForm>) -> Answer {
    Ok(Reply::Html(shown(site, &form, None, &Markup::default())))
}

/// The page with what was found, which may be written into a schema.
pub(crate) fn look(site: &Site, Form(form): Form<LookForm>) -> Answer {
    let Some(folder) = site.folder() else { return page(site, Query(form)) };
    let found = found(folder, &form);
    let said = match (&found, form.0.get("go")) {
        (Err(why), _) => html::wrong(why),
        (Ok(found), Some("write")) => match write(folder, &form, found) {
            Ok(name) => written(&form, found, &name),
            Err(why) => html::wrong(why),
        },
        (Ok(_), _) => Markup::default(),
    };
    Ok(Reply::Html(shown(site, &form, found.ok().as_ref(), &said)))
}

/// Reads the file.
fn found(folder: &Folder, form: &LookForm) -> Result<Found, String> {
    let name = form.0.get("file").ok_or("Choose a file.")?;
    let path = folder.find(name).ok_or("There is no such file in the folder.")?;
    let typed = |name: &str| form.0.text(name).to_owned();
    let mut source = Source::files(path.to_string_lossy()).below(folder.root());
    if let Some(delimiter) = Typed::<Delimiter>::from(typed("delimiter")).value()? {
        source = source.with_delimiter(delimiter.0);
    }
    if let Some(encoding) = Typed::from(typed("encoding")).value()? {
        source = source.with_encoding(encoding);
    }
    let columns = form.columns(folder)?;
    let adjacency = Typed::<Adjacency>::from(typed("adjacency")).value()?.unwrap_or_default();
    let unit = form.0.get("unit").map(ToOwned::to_owned);
    let wanted = LookedFor { values: columns.iter().map(|column| column.name.clone()).collect(), unit };
    let go_on = |_| ControlFlow::Continue(());
    let wrong = |error: DataError| sentence(told(&error.to_string()));
    let look = posterity::data::look(&source, &wanted, &Resources::default(), &go_on).map_err(wrong)?;
    let question = Question { adjacency, unit: wanted.unit, ..Question::new(columns) };
    let lacks = match question.columns.as_slice() {
        [] => None,
        _ => {
            let source = look.delimiter.iter().fold(source, |source, sign| source.with_delimiter(*sign));
            Some(left_out(&source, &question, &Resources::default(), &go_on).map_err(wrong)?)
        }
    };
    let looked = Looked::new(&look, lacks.as_ref().map(|lacks| (&question, lacks)));
    Ok(Found { look, looked, question })
}

/// Writes the schema into the folder, and says its name.
fn write(folder: &Folder, form: &LookForm, found: &Found) -> Result<String, String> {
    let columns = form.additions().to(&found.question.columns).map_err(sentence)?;
    if columns.is_empty() {
        return Err("Declare the values of a column first.".to_owned());
    }
    let (_, before) = form.of_schema(folder)?;
    let before = before.and_then(|text| serde_json::from_str::<serde_json::Value>(&text).ok());
    let before = before.filter(|schema| schema.get("fields").is_some());
    let text = format!("{:#}\n", schema(before.as_ref(), &found.look, &columns));
    let name = new_name(form);
    let may_replace = form.0.get("replace").is_some();
    let path = match folder.find(&name) {
        Some(_) if !may_replace => {
            return Err(format!("{name} exists. Tick that it may be replaced, or move it."));
        }
        Some(path) => path,
        None => folder.path().join(&name),
    };
    new_file::write(&path, text.as_bytes(), may_replace).map_err(sentence)?;
    Ok(name)
}

/// The schema that is named like the file.
fn new_name(form: &LookForm) -> String {
    let file = form.0.text("file");
    let start = file.rfind('/').map_or(0, |slash| slash + 1);
    let stem = file[start..].split('.').next().unwrap_or_default();
    format!("{}{stem}.schema.json", &file[..start])
}

/// Where to go once a schema is written. Whoever looked at the file knows its first line, and what separates its fields.
fn written(form: &LookForm, found: &Found, name: &str) -> Markup {
    let sign =
        found.look.delimiter.map(|sign| if sign == '\t' { "tab".to_owned() } else { sign.to_string() });
    let typed = |name: &str| form.0.text(name).to_owned();
    let known = [
        ("kind", "rate".to_owned()),
        ("file", typed("file")),
        ("header", "yes".to_owned()),
        ("delimiter", sign.unwrap_or_else(|| typed("delimiter"))),
        ("encoding", typed("encoding")),
        ("schema", name.to_owned()),
        ("unit", typed("unit")),
        ("adjacency", typed("adjacency")),
    ];
    let mut query = form_urlencoded::Serializer::new(String::new());
    query.extend_pairs(known.iter().filter(|(_, text)| !text.is_empty()));
    html! {
        p.notice role="status" {
            "Wrote " (name) ". " a id="ask" href={ "/ask?" (query.finish()) } { "Ask a question with it" } "."
        }
    }
}

fn shown(site: &Site, form: &LookForm, found: Option<&Found>, said: &Markup) -> Markup {
    let Some(folder) = site.folder() else {
        let body = html! {
            (html::intro(TITLE, "There is no folder of data yet. Start Posterity with the folder that holds your files:"))
            (html::shell("posterity web --data FOLDER"))
        };
        return layout::page(TITLE, Section::Ask, &body);
    };
    let body = html! {
        (html::intro(TITLE, LEAD))
        (said)
        form.release id="look-form" action="/look" method="post" autocomplete="off" {
            (site.token_field())
            (file(form, folder, found))
            @if let Some(found) = found { (result(form, found)) }
        }
    };
    layout::page(TITLE, Section::Ask, &body)
}

/// The file, and how it is read.
fn file(form: &LookForm, folder: &Folder, found: Option<&Found>) -> Markup {
    let is_open = form.0.any(["delimiter", "encoding", "schema"]);
    let columns = found.map(|found| names(&found.look)).unwrap_or_default();
    html! {
        fieldset {
            legend { "1. The file" }
            p {
                label for="file" { "File" }
                select id="file" name="file" required {
                    option value="" { "Choose a file" }
                    (html::options(&folder.files(), |name| form.0.text("file") == name))
                }
            }
            details open[is_open] {
                summary { "How the file is written, and its schema" }
                (crate::delimiter::field(form.0.text("delimiter")))
                (encoding::field(form.0.text("encoding")))
                p {
                    label for="schema" { "Schema that declares values" }
                    select id="schema" name="schema" {
                        option value="" { "the one that is named like the file" }
                        option value=(NONE) selected[form.0.text("schema") == NONE] { "none" }
                        (html::options(&folder.schemas(), |name| form.0.text("schema") == name))
                    }
                }
            }
            p {
                label for="unit" { "Column that tells people apart" }
                input id="unit" name="unit" value=(form.0.text("unit")) list="columns" placeholder="every person has one record";
                datalist id="columns" { @for name in columns { option value=(name) {} } }
            }
            (adjacency::field(form.0.text("adjacency"), FOLLOWS))
            p.act { button name="go" value="look" { "Look" } " " span.help { "This reads the file, and charges nothing." } }
        }
    }
}

/// What was found.
fn result(form: &LookForm, found: &Found) -> Markup {
    let looked = &found.looked;
    let unit = found.question.unit.as_deref();
    html! {
        p.wrong { (Mark::ALARM) ": what follows is data. Do not show it to others." }
        fieldset {
            legend { "2. What the columns hold" }
            p { (looked.in_all()) }
            @if let Some(written) = looked.written() { p.notice { (written) " Choose it above, and in a release." } }
            @if let Some(said) = unit.and_then(|unit| looked.of_units(unit)) { p { (said) } }
            @for column in &looked.columns {
                @if let Some(note) = &column.note { p.notice { strong { (column.name) } ": " (note) "." } }
            }
            (columns(form, found))
            p.help {
                "Declare the possible values from what you know of the hospital, the survey, the register: not from this page. Values that \
                 occur are private until they are released."
            }
            p.act { button name="go" value="look" { "Look at these values" } }
        }
        @if !looked.left_out.is_empty() || looked.columns.iter().any(|column| !column.declared.is_empty() || !column.undeclared.is_empty()) {
            fieldset {
                legend { "3. What a release would do" }
                @for column in &looked.columns { (values(column, &found.question)) }
                (lacks(looked))
                (write_it(form, looked))
            }
        }
    }
}

/// One row for each column, with what is declared of it.
fn columns(form: &LookForm, found: &Found) -> Markup {
    let declared = |name: &str| found.question.columns.iter().find(|column| column.name == name);
    let table = html! {
        table.read {
            thead {
                tr {
                    @for name in ["column", "holds", "missing", "from, to", "possible values", "or edges of bins", "missing counts as"] {
                        th scope="col" { (name) }
                    }
                }
            }
            tbody {
                @for (place, column) in found.looked.columns.iter().enumerate().take(names(&found.look).len()) {
                    tr {
                        th scope="row" { (column.name) (html::hidden(&format!("name{place}"), &column.name)) }
                        td.group { (column.holds) }
                        td { @if column.missing > 0 { (column.missing) } }
                        td.group { @if let Some([from, to]) = &column.range { (from) " to " (to) } }
                        (inputs(form, place, &column.name, declared(&column.name)))
                    }
                }
            }
        }
    };
    scroll("Columns of the file", &table)
}

/// What may be declared of a column.
fn inputs(form: &LookForm, place: usize, name: &str, declared: Option<&Column>) -> Markup {
    let known = |field: &str| match (field, declared.map(|column| &column.domain)) {
        ("missing", _) => declared.and_then(|column| column.missing.clone()),
        ("bins", Some(Domain::Bins(bins))) => Some(bins.edges().join(", ")),
        ("categories", Some(Domain::Values(values))) => Some(values.join(", ")),
        _ => None,
    };
    html! {
        @for (field, label) in [("categories", "possible values"), ("bins", "edges of bins"), ("missing", "category of missing values")] {
            @let input = format!("{field}{place}");
            td.group {
                input id=(input) name=(input) value=(form.0.text(&input)) aria-label={ (name) ": " (label) }
                    placeholder=(known(field).unwrap_or_default());
            }
        }
    }
}

/// The values of a column, in quotes, and what a release does with them.
fn values(column: &ShownColumn, question: &Question) -> Markup {
    if column.declared.is_empty() && column.undeclared.is_empty() {
        return Markup::default();
    }
    let is_listed = |one: &Column| one.name == column.name && matches!(one.domain, Domain::Values(_));
    let may_add = question.columns.iter().any(is_listed);
    let quoted = |value: &str| format!("{value:?}");
    let table = html! {
        table.read {
            caption { "The values of " (column.name) ", in quotes" }
            thead {
                tr { th scope="col" { "value" } th scope="col" class="number" { "records" } th scope="col" { "a release" } th scope="col" { "in the schema" } }
            }
            tbody {
                @for one in &column.declared {
                    tr { td.group { code { (quoted(&one.category)) } } td { (one.records) } td.group { "counts it" } td.group { "declared" } }
                }
                @for (place, one) in column.undeclared.iter().enumerate() {
                    @let input = format!("{}-{place}", column.name);
                    tr {
                        td.group { code { (quoted(&one.value)) } }
                        td { (one.records) }
                        td.group { (one.becomes) }
                        td.group {
                            @match &one.alias_of {
                                Some(category) => label {
                                    input type="checkbox" name={ "alias-" (input) } value=(ticked(&[&one.column, category, &one.value]));
                                    " counts as " (quoted(category))
                                },
                                None if may_add => label {
                                    input type="checkbox" name={ "known-" (input) } value=(known(one));
                                    " a value that was known before anyone looked"
                                },
                                None => "",
                            }
                        }
                    }
                }
            }
        }
    };
    scroll(&format!("Values of {}", column.name), &table)
}

/// What does not count, or counts elsewhere.
fn lacks(looked: &Looked) -> Markup {
    if looked.left_out.is_empty() {
        return html! { p { "Nothing would be left out or refused." } };
    }
    html! {
        ul {
            @for part in &looked.left_out {
                li { (part.why) ", " (part.records) " records: " (part.becomes) "." }
            }
        }
    }
}

/// The way to a schema.
fn write_it(form: &LookForm, looked: &Looked) -> Markup {
    let name = new_name(form);
    html! {
        p.help {
            "A schema is published with what is released. "
            @if looked.undeclared.iter().any(|one| one.alias_of.is_none()) {
                "Tick a value that nobody declared only if a list of the wards, a code book or a form has it: a value that is known from \
                 the data alone can name a person."
            }
        }
        p.check { label { input type="checkbox" name="replace" value="yes"; " Replace " (name) " if it is there" } }
        p.act { button name="go" value="write" { "Write " (name) } }
    }
}
