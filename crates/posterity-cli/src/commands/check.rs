//! `posterity check`

use clap::Args;
use posterity::data::{LeftOut, LeftOutColumn, Question};
use posterity::number::count;
use posterity::plan::{Field, Node, Place};
use posterity::{Adjacency, Table};
use posterity_present::Mark;
use posterity_present::words::quoted;
use serde::Serialize;

use crate::asked::plan;
use crate::failure::Failure;
use crate::fields::{Asks, FieldArgs};
use crate::input::{check_source, left_out};
use crate::marked;
use crate::output::{Column, Page, Printing, Report, Sheet, Value};
use crate::source_args::SourceArgs;

const EXAMPLES: &str = "\
Examples:
  # Which values did I forget to declare?
  posterity check visits.csv --column ward --categories A,B,C

  # With the filter and the unit of a release
  posterity check visits.parquet --column ward --categories A,B,C --unit patient --where \"year = 2025\"";

/// Say what a release would leave out of a file. Not private, and for nobody but the owner of the data.
///
/// With --adjacency add-remove, values that are not declared and missing values are left out without a word, because a
/// word would say that they are there. This says which they are and how many, exactly. It costs nothing and is no
/// release: do not publish it, and do not choose what to release by it where others can see the choice.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct CheckArgs {
    #[command(flatten)]
    pub(crate) data: SourceArgs,

    #[command(flatten)]
    fields: FieldArgs<Look>,

    #[command(flatten)]
    printing: Printing,
}

/// A look at the data takes the flags that say which records are counted.
#[derive(Debug)]
struct Look;

impl Asks for Look {
    fn has(field: &Field) -> Option<bool> {
        let of_budget = ["adjacency", "most", "epsilon", "delta", "allow-large-delta"];
        (Table::has(field)? && field.places == [Place::Plan] && !of_budget.contains(&field.name))
            .then_some(true)
    }
}

/// What is left out, exactly.
#[derive(Serialize)]
struct Checked {
    private: bool,
    records: u64,
    counted: u64,
    left_out: Vec<Part>,
    undeclared: Vec<Undeclared>,
}

/// Records that are left out for one reason.
#[derive(Serialize)]
struct Part {
    why: String,
    records: u64,
    /// Whether they count in a category of their own.
    #[serde(skip_serializing_if = "Option::is_none")]
    counted_as: Option<String>,
}

/// A value that is not declared.
#[derive(Serialize)]
struct Undeclared {
    column: String,
    value: String,
    records: u64,
    /// The category from which it differs only in capital letters, blanks or accents, or in how a number is written.
    #[serde(skip_serializing_if = "Option::is_none")]
    alias_of: Option<String>,
}

/// Looks at all records and prints what a count leaves out.
pub(crate) fn check(args: &CheckArgs) -> Result<(), Failure> {
    check_source(&args.data, false)?;
    // To look costs nothing, and nothing is published: this is what a release with a private n would leave out.
    let of_none = [("epsilon", Node::number("1")), ("adjacency", Node::text(Adjacency::AddRemove.name()))];
    let plan = plan(&args.data, &args.fields.with::<Table>(of_none), None)?;
    let (found, question) = left_out(&args.data, &plan)?;
    Ok(marked::print(&args.printing, &Checked::new(&found, &question), Mark::Data)?)
}

impl Checked {
    fn new(found: &LeftOut, question: &Question) -> Self {
        let part = |why: &str, records: u64| Part { why: why.to_owned(), records, counted_as: None };
        let outside = question.within.is_some().then(|| posterity::data::OUTSIDE_CELL.to_owned());
        let whole = [
            part("the filter is not true", found.filtered),
            part("the filter has no answer", found.unanswered),
            Part { counted_as: outside.clone(), ..part("outside the private filter", found.outside) },
            Part { counted_as: outside, ..part("the private filter has no answer", found.within_unanswered) },
            part("no unit", found.no_unit),
            part("no place in the order of the unit's records", found.no_order),
        ];
        let of_column = |(column, asked): (&LeftOutColumn, &posterity::data::Column)| {
            let why = |what: &str| format!("{}: {what}", column.name);
            [
                Part { counted_as: asked.other.clone(), ..part(&why("not declared"), column.undeclared) },
                Part { counted_as: asked.missing.clone(), ..part(&why("missing"), column.missing) },
                part(&why("no exact name"), column.unnamed),
            ]
        };
        let columns = found.columns.iter().zip(&question.columns);
        let undeclared = found.columns.iter().flat_map(|column| {
            column.most_frequent.iter().map(|found| Undeclared {
                column: column.name.clone(),
                value: found.value.clone(),
                records: found.records,
                alias_of: found.alias_of.clone(),
            })
        });
        Self {
            private: false,
            records: found.records,
            counted: found.counted,
            left_out: whole
                .into_iter()
                .chain(columns.flat_map(of_column))
                .filter(|part| part.records > 0)
                .collect(),
            undeclared: undeclared.collect(),
        }
    }
}

impl Report for Checked {
    type Document = Self;

    fn document(&self) -> &Self {
        self
    }

    fn records(&self) -> Sheet<'_> {
        let columns = ["why", "value", "records", "counted_as"].map(Column::text).into();
        let parts = self.left_out.iter().map(|part| {
            let counted_as = part.counted_as.as_ref().map_or(Value::Missing, Value::text);
            vec![Value::text(&part.why), Value::Missing, Value::Whole(part.records), counted_as]
        });
        let values = self.undeclared.iter().map(|one| {
            let why = format!("{}: not declared", one.column);
            vec![Value::text(why), Value::text(&one.value), Value::Whole(one.records), Value::Missing]
        });
        Mark::Data.on(Sheet::new(columns, parts.chain(values).collect::<Vec<_>>()))
    }

    fn page(&self) -> Page<'_> {
        let mut page = Page::default();
        if self.left_out.is_empty() {
            page.say("Nothing is left out.");
        } else {
            let columns = vec![Column::text("why"), Column::number("records"), Column::text("counted as")];
            let rows = self.left_out.iter().map(|part| {
                let counted_as = part.counted_as.clone().unwrap_or_else(|| "left out".to_owned());
                vec![Value::text(&part.why), Value::Whole(part.records), Value::text(counted_as)]
            });
            page.sheet(Sheet::new(columns, rows.collect::<Vec<_>>()));
        }
        if !self.undeclared.is_empty() {
            page.say("The most frequent values that are not declared:");
            let mut columns = vec![Column::text("column"), Column::text("value"), Column::number("records")];
            let with_alias = self.undeclared.iter().any(|one| one.alias_of.is_some());
            columns.extend(with_alias.then(|| Column::text("perhaps an alias of")));
            let rows = self.undeclared.iter().map(|one| {
                let alias_of = one.alias_of.as_ref().map_or(Value::Missing, Value::text);
                let row = [Value::text(&one.column), Value::text(&one.value), Value::Whole(one.records)];
                row.into_iter().chain(with_alias.then_some(alias_of)).collect()
            });
            page.sheet(Sheet::new(columns, rows.collect::<Vec<_>>()));
            if let Some(one) = self.undeclared.iter().find(|one| one.alias_of.is_some()) {
                let alias = format!("{}={}", one.alias_of.as_deref().unwrap_or_default(), one.value);
                page.say(format!(
                    "An alias counts a value as the category: --column {} .. --alias {}",
                    quoted(&one.column),
                    quoted(&alias)
                ));
            }
        }
        page.say(format!(
            "{} of {} records count, or are among those of which a unit's record is chosen.",
            count(self.counted as f64),
            count(self.records as f64)
        ));
        page.mark(Mark::Data);
        page
    }
}
