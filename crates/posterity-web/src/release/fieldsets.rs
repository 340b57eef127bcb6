//! The page of a form of releases. Its inputs are those of the fields that its kind has; which of them stand together, and
//! which are folded, is laid out here.

use maud::{Markup, html};
use posterity::discovery::Discovered;
use posterity::document::Kind;
use posterity::margins::Margins;
use posterity::plan::{Field, Layer, NamedColumns, declared_fields};
use posterity::{Adjacency, Table};

use super::kinds::FormOf;
use super::{mechanisms, nodes};
use crate::answers::Answers;
use crate::desk::Desk;
use crate::folder::Folder;
use crate::inputs::{Inputs, Wrong};
use crate::layout::{self, Section};
use crate::{adjacency, delimiter, encoding, html, payer, people};

/// Fields of the file.
const FILE: &[&str] = &["edition", "delimiter", "encoding"];
/// Which tables.
const TABLES: &[&str] = &["sets"];
/// Who is protected.
const PEOPLE: &[&str] = &["adjacency", "unit", "one-record-per-person"];
/// Which records count, and how: folded.
const RECORDS: &[&str] = &["per-unit", "where", "within", "other", "missing", "most"];
/// What is spent.
const BUDGET: &[&str] = &["epsilon", "delta", "allow-large-delta", "total-epsilon"];
/// What is read.
const READINGS: &[&str] = &["read", "compare", "test"];
/// How the answers are shown.
const WAYS: &[&str] = &["interval-kind", "about", "level", "simultaneous"];

/// The form with what was typed, and what is wrong with it.
pub(super) fn page(of: &FormOf, desk: &Desk<'_>, answers: &Answers, wrong: Option<&Wrong>) -> Markup {
    let files = desk.folder.map(Folder::files).unwrap_or_default();
    let Some(folder) = desk.folder.filter(|_| !files.is_empty()) else {
        return without(of, desk.folder, wrong);
    };
    if of.takes_all_columns() && folder.schemas().is_empty() {
        return without(of, None, wrong);
    }
    let form = Form { of, desk, folder, inputs: Inputs { answers, wrong } };
    let address = format!("/{}", of.word);
    let body = html! {
        div.intro { h1 { (of.title) } p.lead { (of.lead()) } }
        (form.inputs.alarm())
        form.release data-keep=(address) action={ (address) "/check" } method="post" autocomplete="off" {
            (desk.token)
            (form.file(&files))
            (form.question())
            (form.people())
            (form.budget())
            (form.readings())
            p.act {
                button { "Look at the summary" }
                " "
                span.help { "This reads and charges nothing." }
            }
        }
    };
    layout::page(of.title, Section::Release, &body)
}

/// A page without its form, which says why there is none.
fn without(of: &FormOf, folder: Option<&Folder>, wrong: Option<&Wrong>) -> Markup {
    let body = html! {
        div.intro { h1 { (of.title) } p.lead { (of.lead()) } }
        (html::maybe_wrong(wrong.map(|wrong| &wrong.why)))
        @match folder {
            Some(folder) => {
                p.notice { "The folder " (folder.name()) " has no file of records." }
                p { "CSV, JSON lines, Parquet and Arrow files are read." }
            }
            None => { (of.needed()) }
        }
    };
    layout::page(of.title, Section::Release, &body)
}

struct Form<'a> {
    of: &'a FormOf,
    desk: &'a Desk<'a>,
    folder: &'a Folder,
    inputs: Inputs<'a>,
}

impl Form<'_> {
    fn text(&self, name: &str) -> &str {
        self.inputs.answers.text(name)
    }

    /// The fields of these that the kind has.
    fn fields(&self, names: &[&str]) -> Vec<&'static Field> {
        let known: Vec<&Field> = nodes::fields(self.of.kind).collect();
        names.iter().filter_map(|name| known.iter().copied().find(|field| field.name == *name)).collect()
    }

    /// The fields of a layer that stand nowhere else.
    fn others(&self, is: impl Fn(Layer) -> bool) -> Vec<&'static Field> {
        let placed = [FILE, TABLES, PEOPLE, RECORDS, BUDGET, READINGS, WAYS];
        let is_other =
            |field: &&Field| !placed.iter().any(|names| names.contains(&field.name)) && is(field.layer);
        nodes::fields(self.of.kind).filter(is_other).collect()
    }

    /// The inputs of fields, one after the other.
    fn inputs(&self, fields: &[&'static Field]) -> Markup {
        html! { @for field in fields { (self.input(field)) } }
    }

    /// The input of a field. Some have more to choose from than their texts.
    fn input(&self, field: &'static Field) -> Markup {
        let typed = self.text(field.name);
        match field.name {
            "delimiter" => html! { (delimiter::field(typed)) (self.inputs.said(field.name)) },
            "encoding" => html! { (encoding::field(typed)) (self.inputs.said(field.name)) },
            "adjacency" => {
                html! { (adjacency::field(typed, self.of.follows)) (self.inputs.said(field.name)) }
            }
            "per-unit" => self.rules(),
            "mechanism" => {
                html! { (mechanisms::field(typed, self.adjacency())) (self.inputs.said(field.name)) }
            }
            "epsilon" => html! {
                (self.inputs.usual(field, "1"))
                @if self.of.kind == Table::NAME { p.help { a href="/plan" { "Plan it first." } } }
            },
            "delta" => self.inputs.usual(field, "1e-9"),
            "sets" => self.sets(field),
            _ => self.inputs.field(field),
        }
    }

    /// Whether something in a fold was filled in, or is wrong.
    fn is_open(&self, fields: &[&'static Field]) -> bool {
        self.inputs.any(fields.iter().map(|field| field.name).filter(|name| *name != "per-unit"))
    }

    fn adjacency(&self) -> Adjacency {
        if self.of.private_n {
            return Adjacency::AddRemove;
        }
        self.text("adjacency").parse().unwrap_or_default()
    }

    /// The file, its edition and how it is written.
    fn file(&self, files: &[String]) -> Markup {
        let written = self.fields(&["delimiter", "encoding"]);
        html! {
            fieldset {
                legend { "1. The file" }
                p {
                    label for="file" { "File" }
                    select id="file" name="file" required data-renew {
                        option value="" { "Choose a file" }
                        (html::options(files, |name| self.text("file") == name))
                    }
                    (self.inputs.said("file"))
                }
                (self.inputs(&self.fields(&["edition"])))
                details open[self.is_open(&written)] {
                    summary { "How the file is written" }
                    (self.inputs(&written))
                }
            }
        }
    }

    /// What is asked.
    fn question(&self) -> Markup {
        match self.of.columns {
            NamedColumns::Declared => self.table(),
            NamedColumns::Undeclared => self.discovered(),
            _ => self.tables(),
        }
    }

    fn table(&self) -> Markup {
        let filled =
            |place: usize| self.inputs.any([&*format!("column{place}"), &format!("categories{place}")]);
        html! {
            fieldset {
                legend { "2. The question" }
                @if !self.folder.schemas().is_empty() {
                    (self.schema("none, unless a column below has no values", SCHEMA_OF_COLUMNS))
                    (self.declared())
                }
                (self.column(0))
                p.help id="values-help" {
                    "Write the values as they are in the file, with commas between them. They are published, so they are never filled \
                     in from the data: that would reveal which ones occur."
                }
                details open[(1..nodes::COLUMNS).any(filled)] {
                    summary { "More columns, taken together as one table" }
                    @for place in 1..nodes::COLUMNS { (self.column(place)) }
                }
            }
        }
    }

    /// A column: its name, its values, and what else is declared of it, which is folded.
    fn column(&self, place: usize) -> Markup {
        let id = format!("column{place}");
        let [values, more]: [Vec<&Field>; 2] = [true, false].map(|is| {
            let has = |field: &&Field| ["categories", "bins"].contains(&field.name) == is;
            nodes::column_fields().filter(has).collect()
        });
        let ids: Vec<String> = more.iter().map(|field| format!("{}{place}", field.name)).collect();
        html! {
            div.column {
                p {
                    label for=(id) { "Column" }
                    input id=(id) name=(id) value=(self.text(&id)) required[place == 0 && self.of.columns == NamedColumns::Declared] list="declared"
                        aria-invalid=[self.inputs.is_wrong(&id).then_some("true")];
                    (self.inputs.said(&id))
                }
                @for field in values { (self.inputs.of_column(field, place, "")) }
                details.column-more open[self.inputs.any(ids.iter().map(String::as_str))] {
                    summary { "Spellings, labels, other and missing values" span.unseen { " of column " (place + 1) } }
                    div.typed {
                        @for field in more { (self.inputs.of_column(field, place, &self.of_column(place))) }
                    }
                }
            }
        }
    }

    /// Which column something is of, behind a label.
    fn of_column(&self, place: usize) -> String {
        match self.inputs.answers.get(&format!("column{place}")) {
            Some(name) => format!(", of {name}"),
            None => format!(", of column {}", place + 1),
        }
    }

    /// The columns that the schema declares, to choose from.
    fn declared(&self) -> Markup {
        let schema = self.inputs.answers.get("schema").map(ToOwned::to_owned);
        let schema = schema.or_else(|| crate::known::usual_schema(self.text("file"), &self.folder.schemas()));
        let declared =
            schema.map(|schema| (self.folder.text(&schema).and_then(|text| declared_fields(&text)), schema));
        html! {
            div data-part="declared" {
                @match declared {
                    Some((Ok(fields), schema)) => {
                        p.help {
                            (schema) " declares the values of "
                            (fields.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>().join(", "))
                            ". Name a column and leave its values empty to take these."
                        }
                        datalist id="declared" {
                            @for (name, domain) in &fields { option value=(name) { (domain.names().join(", ")) } }
                        }
                    },
                    Some((Err(why), schema)) => p.help { (schema) " " (why) "." },
                    None => {}
                }
            }
        }
    }

    /// The choice of a schema. `none` is what nothing chosen means.
    fn schema(&self, none: &str, help: &str) -> Markup {
        html! {
            p {
                label for="schema" { "Schema" }
                select id="schema" name="schema" data-renew aria-describedby="schema-help"
                    aria-invalid=[self.inputs.is_wrong("schema").then_some("true")]
                {
                    option value="" { (none) }
                    (html::options(&self.folder.schemas(), |name| self.text("schema") == name))
                }
                (self.inputs.said("schema"))
                span.help id="schema-help" { (help) }
            }
        }
    }

    fn tables(&self) -> Markup {
        let columns = posterity::plan::field("columns");
        let filled =
            |place: usize| self.inputs.any([&*format!("column{place}"), &format!("categories{place}")]);
        html! {
            fieldset {
                legend { "2. The tables" }
                (self.schema("The one that is named like the file", SCHEMA_OF_TABLES))
                @if let Some(columns) = columns { (self.inputs.field(columns)) }
                (self.inputs(&self.fields(TABLES)))
                details open[(0..nodes::COLUMNS).any(filled)] {
                    summary { "What is declared of single columns, in the place of the schema" }
                    p.help id="values-help" { "A column whose values are left empty has those of the schema." }
                    @for place in 0..nodes::COLUMNS { (self.column(place)) }
                }
            }
        }
    }

    fn sets(&self, field: &Field) -> Markup {
        let id = field.name;
        html! {
            p {
                label for=(id) { (crate::inputs::label(field)) }
                input id=(id) name=(id) value=(self.inputs.answers.get(id).unwrap_or("2")) required aria-describedby="sets-help"
                    aria-invalid=[self.inputs.is_wrong(id).then_some("true")];
                (self.inputs.said(id))
                span.help id="sets-help" {
                    code { "2" } " is every pair of columns and every column by itself, " code { "3" } " also every triple. "
                    code { "ward, outcome; ward, age" } " is these pairs only: fewer tables have less noise. "
                    code { "2; ward, outcome = 5" } " is every pair, and one of them matters five times as much."
                }
            }
        }
    }

    fn discovered(&self) -> Markup {
        let id = "column0";
        html! {
            fieldset {
                legend { "2. The question" }
                p {
                    label for=(id) { "Column whose values are named" }
                    input id=(id) name=(id) value=(self.text(id)) required placeholder="diagnosis" aria-describedby="column0-help"
                        aria-invalid=[self.inputs.is_wrong(id).then_some("true")];
                    (self.inputs.said(id))
                    span.help id="column0-help" {
                        "Which values occur is private, and so is how many people there are. Nothing is declared."
                    }
                }
            }
        }
    }

    /// Who is protected. Where something was refused that has no input, the fields that may help are open.
    fn people(&self) -> Markup {
        let records = self.fields(RECORDS);
        let refused = self.inputs.wrong.is_some_and(|wrong| wrong.input.is_none());
        let rule = self.inputs.any(["latest", "records"]) || !matches!(self.text("per-unit"), "" | "random");
        html! {
            fieldset {
                legend { "3. Who is protected" }
                @if self.of.private_n {
                    p.help { "Whether anyone is in the data at all is protected (add-remove)." }
                }
                (self.inputs(&self.fields(PEOPLE)))
                details open[refused || rule || self.is_open(&records)] {
                    summary { "Filter, other and missing values" }
                    (self.inputs(&records))
                }
            }
        }
    }

    /// By which of its records a person counts.
    fn rules(&self) -> Markup {
        let rules = [
            ("random", "one of its records, drawn at random"),
            ("first", "the value that is declared first"),
            ("mode", "the value that most of its records have"),
            ("latest", "its last record, by the column named below"),
            ("all", "all of its records, up to the number below; for a private n only"),
        ];
        let chosen = self.text("per-unit");
        html! {
            p {
                label for="per-unit" { "A person counts by" }
                select id="per-unit" name="per-unit" aria-invalid=[self.inputs.is_wrong("per-unit").then_some("true")] {
                    @for (name, words) in rules { option value=(name) selected[name == chosen] { (words) } }
                }
                (self.inputs.said("per-unit"))
            }
            div.typed {
                p {
                    label for="latest" { "If by its last record, the column that orders them" }
                    input id="latest" name="latest" value=(self.text("latest")) placeholder="day";
                    (self.inputs.said("latest"))
                }
                p {
                    label for="records" { "If by all of its records, by at most" }
                    input id="records" name="records" value=(self.text("records")) inputmode="numeric" placeholder="3"
                        aria-describedby="records-help";
                    (self.inputs.said("records"))
                    span.help id="records-help" { "With 3, the noise is three times as wide." }
                }
            }
        }
    }

    fn budget(&self) -> Markup {
        let help = match self.of.kind {
            Discovered::NAME => Some("It needs a delta, and charges that add up."),
            Margins::NAME => Some("It needs a delta: such a release is charged in rho."),
            _ => None,
        };
        let others = self.others(|layer| layer == Layer::Law);
        let names: Vec<String> = others.iter().map(|field| crate::inputs::label(field)).collect();
        html! {
            fieldset {
                legend { "4. The budget" }
                (self.inputs(&self.fields(BUDGET)))
                (people::field(self.text("n")))
                (self.inputs.said("n"))
                (payer::field(self.desk.ledger, self.text("account"), true, help))
                (self.inputs.said("account"))
                @if !others.is_empty() {
                    details open[self.is_open(&others)] {
                        summary { (html::listed(&names)) }
                        (self.inputs(&others))
                    }
                }
            }
        }
    }

    fn readings(&self) -> Markup {
        let read = self.fields(READINGS);
        let others = self.others(|layer| layer != Layer::Law);
        html! {
            fieldset {
                legend { @if read.is_empty() { "5. How it is shown" } @else { "5. What to read from it" } }
                @if !read.is_empty() {
                    p.help {
                        @if self.of.kind == Table::NAME { "A release of several columns answers every question about them. " }
                        "Readings cost nothing, and more of them can be asked for later."
                    }
                    details open[self.is_open(&read)] {
                        summary { "Readings, comparisons and tests" }
                        (self.inputs(&read))
                        @if self.of.kind == Table::NAME {
                            p.help {
                                code { "independence(outcome, ward)" }
                                " among the comparisons asks how far two columns are from independent."
                            }
                        }
                    }
                }
                (self.inputs(&self.fields(WAYS)))
                (self.inputs(&others))
            }
        }
    }
}

const SCHEMA_OF_COLUMNS: &str =
    "It declares the values of columns, or bins for numbers. What is typed below comes first.";
const SCHEMA_OF_TABLES: &str =
    "It declares the values of the columns, or bins for numbers. Nothing is learned from the data.";
