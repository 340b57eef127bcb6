//! `posterity check`

use std::fmt::Display;
use std::path::PathBuf;

use clap::Args;
use posterity::data::{Column as DataColumn, LookedFor, Question};
use posterity::new_file;
use posterity::plan::{Field, Node, Place, PlannedTable};
use posterity::text_file::read_text;
use posterity::{Adjacency, Table};
use posterity_present::Mark;
use posterity_present::looked::{Additions, Looked, schema};
use posterity_present::words::quoted;

use crate::asked::{PlanOfFlags, plan_about};
use crate::failure::{Failure, not_written};
use crate::fields::{Asks, FieldArgs};
use crate::force::ForceArgs;
use crate::input::{check_source, left_out, looked_at};
use crate::marked;
use crate::notice::note;
use crate::output::{Column, Page, Printing, Report, Sheet, Value};
use crate::source_args::SourceArgs;

const EXAMPLES: &str = "\
Examples:
  # What does the file hold?
  posterity check stays.csv

  # Which values did I forget to declare, and what would a release do with them?
  posterity check stays.csv --column ward --categories A,B,C --column age --bins 0,18,65,120

  # Take the spellings that were found, and write what is declared into a schema
  posterity check stays.csv --column ward --categories A,B,C --accept --write-schema stays.schema.json

  # With the filter and the unit of a release, all columns that the schema declares
  posterity check stays.csv --schema stays.schema.json --unit patient --where \"year = 2025\"";

/// Look at a file, for its owner only: what a release would refuse
///
/// It costs nothing and is no release: do not publish it, and do not choose what to release by it where others can see the
/// choice. Without a column it says what the columns of the file hold. With columns, or a schema, it says which values are
/// not declared, and which spellings would count as a declared value. With --adjacency add-remove a release leaves such
/// values out without a word, because a word would say that they are there.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct CheckArgs {
    #[command(flatten)]
    pub(crate) data: SourceArgs,

    #[command(flatten)]
    fields: FieldArgs<Look>,

    /// Write a Table Schema with all columns of the file and what is declared of them. What --schema says beside is kept
    #[arg(long, value_name = "FILE")]
    write_schema: Option<PathBuf>,

    /// Declare the spellings that were found as aliases of the declared values that they resemble. A schema is published
    /// with what is released: it then says that somebody wrote the value so
    #[arg(long, requires = "write_schema")]
    accept: bool,

    /// Declare one more value, 'ward=Hospice', which was known before anyone looked at the data: from a list of the wards, a
    /// code book, a form. A value that is known from the data alone can name a person; for these there is `posterity
    /// discover`
    #[arg(long, value_name = "COLUMN=VALUE", requires = "write_schema")]
    known_before: Vec<String>,

    #[command(flatten)]
    force: ForceArgs,

    #[command(flatten)]
    printing: Printing,
}

/// A look at the data takes the flags that say which records are counted.
#[derive(Debug)]
struct Look;

impl Asks for Look {
    fn has(field: &Field) -> Option<bool> {
        let of_budget = ["most", "epsilon", "delta", "allow-large-delta"];
        let is_asked = field.places == [Place::Plan] && !of_budget.contains(&field.name);
        (Table::has(field)? && (is_asked || field.name == "rate")).then_some(true)
    }
}

/// A look, and what to say beside it.
struct Checked {
    looked: Looked,
    unit: Option<String>,
    adjacency: Adjacency,
}

/// Looks at all records, says what they hold, and writes a schema if one is asked for.
pub(crate) fn check(args: &CheckArgs) -> Result<(), Failure> {
    check_source(&args.data, false)?;
    if let Some(path) = &args.write_schema {
        new_file::check(path, args.force.force).map_err(|error| not_written("--write-schema", &error))?;
    }
    let (asked, columns) = args.asked()?;
    let records = asked.plan.records();
    let names = columns.iter().map(|column| column.name.clone()).collect();
    let wanted = LookedFor { values: names, unit: records.unit.clone() };
    let found = looked_at(&args.data, &asked, &wanted)?;
    let question = Question { columns, ..records.clone() };
    let lacks = match question.columns.as_slice() {
        [] => None,
        _ => Some(left_out(&args.data, &asked, &question, found.delimiter)?),
    };
    let looked = Looked::new(&found, lacks.as_ref().map(|lacks| (&question, lacks)));
    if let Some(path) = &args.write_schema {
        let columns = args.additions(&looked)?.to(&question.columns).map_err(Failure::Usage)?;
        let text = format!("{:#}\n", schema(args.schema_before()?.as_ref(), &found, &columns));
        new_file::write(path, text.as_bytes(), args.force.force)
            .map_err(|error| not_written("--write-schema", &error))?;
        note(format!("wrote {}", path.display()));
    }
    let checked = Checked { looked, unit: question.unit.clone(), adjacency: question.adjacency };
    Ok(marked::print(&args.printing, &checked, Mark::Data)?)
}

/// A plan, with the columns of its question.
fn about_all(plan: PlanOfFlags) -> Result<(PlanOfFlags, Vec<DataColumn>), Failure> {
    let columns = plan.asked::<PlannedTable>()?.question().columns.clone();
    Ok((plan, columns))
}

impl CheckArgs {
    /// What says which records are counted, and the columns that are asked for with what is declared of them: those that are
    /// named, or else all of the plan or of the schema; none if nothing is declared.
    fn asked(&self) -> Result<(PlanOfFlags, Vec<DataColumn>), Failure> {
        let declared = &self.data.declared;
        if self.data.plan.is_some() {
            return about_all(plan_about(&self.data, &self.fields.with([]), &[])?);
        }
        // To look costs nothing.
        let fields = self.fields.with([("epsilon", Node::number("1"))]);
        if fields.get("rate").is_some() {
            return about_all(plan_about(&self.data, &fields, &[])?);
        }
        let columns = match (declared.names(), declared.schema()) {
            ([], None) => match declared.given().into_iter().find(|(_, given)| *given) {
                Some((flag, _)) => {
                    return Err(Failure::usage(flag, "write this after the --column that it is for"));
                }
                None => Vec::new(),
            },
            ([], Some(_)) => declared.all()?,
            _ => declared.declared()?,
        };
        // A question about all of them may have more cells than a release.
        let first: Vec<String> = columns.iter().map(|column| column.name.clone()).take(1).collect();
        Ok((plan_about(&self.data, &fields, &first)?, columns))
    }

    /// What is to be declared besides.
    fn additions(&self, looked: &Looked) -> Result<Additions, Failure> {
        let accepted = looked.offered().filter(|_| self.accept);
        let aliases =
            accepted.filter_map(|one| Some([one.column.clone(), one.alias_of.clone()?, one.value.clone()]));
        let values = self.known_before.iter().map(|text| {
            let (column, value) = text.split_once('=').ok_or_else(|| {
                Failure::usage("--known-before", "write COLUMN=VALUE, such as 'ward=Hospice'")
            })?;
            Ok([column.to_owned(), value.to_owned()])
        });
        Ok(Additions { aliases: aliases.collect(), values: values.collect::<Result<_, Failure>>()? })
    }

    /// The schema that is read, which the written one continues.
    fn schema_before(&self) -> Result<Option<serde_json::Value>, Failure> {
        let Some(path) = self.data.declared.schema_path() else { return Ok(None) };
        let refused = |error: &dyn Display| Failure::refused(format!("--schema: {error}"));
        let text = read_text(path).map_err(|error| refused(&error))?;
        let schema: serde_json::Value = serde_json::from_str(&text).map_err(|error| refused(&error))?;
        Ok(Some(schema).filter(|schema| schema.get("fields").is_some()))
    }
}

impl Report for Checked {
    type Document = Looked;

    fn document(&self) -> &Looked {
        &self.looked
    }

    fn records(&self) -> Sheet<'_> {
        let columns = ["why", "value", "records", "counted_as"].map(Column::text).into();
        let parts = self.looked.left_out.iter().map(|part| {
            let counted_as = part.counted_as.as_ref().map_or(Value::Missing, Value::text);
            vec![Value::text(&part.why), Value::Missing, Value::Whole(part.records), counted_as]
        });
        let values = self.looked.undeclared.iter().map(|one| {
            let why = format!("{}: not declared", one.column);
            vec![Value::text(why), Value::text(&one.value), Value::Whole(one.records), Value::Missing]
        });
        Mark::Data.on(Sheet::new(columns, parts.chain(values).collect::<Vec<_>>()))
    }

    fn page(&self) -> Page<'_> {
        let mut page = Page::default();
        page.mark(Mark::Data);
        if let Some(written) = self.looked.written() {
            let sign = self.looked.delimiter.map(String::from).unwrap_or_default();
            let flag = if sign == "\t" { "$'\\t'".to_owned() } else { quoted(&sign) };
            page.say(format!("{written} Say so in a release: --delimiter {flag}"));
        }
        self.columns(&mut page);
        self.values(&mut page);
        self.lacks(&mut page);
        if let Some(said) = self.unit.as_deref().and_then(|unit| self.looked.of_units(unit)) {
            page.say(said);
        }
        page.say(self.looked.in_all());
        page
    }
}

impl Checked {
    /// What each column holds.
    fn columns<'a>(&'a self, page: &mut Page<'a>) {
        let columns = vec![
            Column::text("column"),
            Column::number("missing"),
            Column::text("from"),
            Column::text("to"),
            Column::prose("holds"),
        ];
        let rows = self.looked.columns.iter().map(|column| {
            let [from, to] = match &column.range {
                Some([from, to]) => [Value::text(from), Value::text(to)],
                None => [Value::Missing, Value::Missing],
            };
            let missing = if column.missing == 0 { Value::Missing } else { Value::Whole(column.missing) };
            vec![Value::text(&column.name), missing, from, to, Value::text(&column.holds)]
        });
        page.sheet(Sheet::new(columns, rows));
        for column in &self.looked.columns {
            if let Some(note) = &column.note {
                page.say(format!("{}: {note}.", column.name));
            }
        }
    }

    /// The values of the columns that are asked for, in quotes, and what a release does with them.
    fn values<'a>(&'a self, page: &mut Page<'a>) {
        for column in &self.looked.columns {
            if column.declared.is_empty() && column.undeclared.is_empty() {
                continue;
            }
            page.say(format!("The values of {}, in quotes:", column.name));
            let columns = vec![Column::text("value"), Column::number("records"), Column::prose("a release")];
            let declared = column.declared.iter().map(|one| {
                let aliases = one.aliases.iter().map(|alias| format!("{alias:?}")).collect::<Vec<_>>();
                let with =
                    if aliases.is_empty() { String::new() } else { format!(", with {}", aliases.join(", ")) };
                vec![
                    Value::text(format!("{:?}", one.category)),
                    Value::Whole(one.records),
                    Value::text(format!("counts it{with}")),
                ]
            });
            let undeclared = column.undeclared.iter().map(|one| {
                let offer =
                    one.alias_of.as_ref().map(|category| format!("; perhaps an alias of {category:?}"));
                vec![
                    Value::text(format!("{:?}", one.value)),
                    Value::Whole(one.records),
                    Value::text(one.becomes.clone() + &offer.unwrap_or_default()),
                ]
            });
            page.sheet(Sheet::new(columns, declared.chain(undeclared).collect::<Vec<_>>()));
        }
        let offers: Vec<String> = self
            .looked
            .offered()
            .map(|one| {
                let alias = format!("{}={}", one.alias_of.as_deref().unwrap_or_default(), one.value);
                format!("--column {} .. --alias {}", quoted(&one.column), quoted(&alias))
            })
            .collect();
        if !offers.is_empty() {
            page.say(format!(
                "An alias counts a spelling as the declared value: {}. --accept --write-schema FILE writes a schema with all of them.",
                offers.join("; ")
            ));
        }
    }

    /// What does not count, or counts elsewhere.
    fn lacks<'a>(&'a self, page: &mut Page<'a>) {
        if self.looked.counted.is_none() {
            page.say("Nothing is declared. Name the columns of a question with their values, or a schema, to see what a release would do with them.");
            return;
        }
        if self.looked.left_out.is_empty() {
            page.say("Nothing would be left out or refused.");
            return;
        }
        let columns = vec![Column::text("what"), Column::number("records"), Column::prose("a release")];
        let rows =
            self.looked.left_out.iter().map(|part| {
                vec![Value::text(&part.why), Value::Whole(part.records), Value::text(&part.becomes)]
            });
        page.say(match self.adjacency {
            Adjacency::Replace => "In all:",
            Adjacency::AddRemove => "In all, where n is private:",
        });
        page.sheet(Sheet::new(columns, rows));
    }
}
