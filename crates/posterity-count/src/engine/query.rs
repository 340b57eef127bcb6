//! Counting by one query in a session of the engine.

use std::future::Future;
use std::ops::ControlFlow;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Duration;

use datafusion::arrow::array::{AsArray, RecordBatch};
use datafusion::arrow::datatypes::{Int64Type, Schema};
use datafusion::datasource::source::DataSourceExec;
use datafusion::execution::SessionState;
use datafusion::physical_plan::{ExecutionPlan, collect, displayable};
use datafusion::prelude::SessionContext;
use futures::FutureExt;
use posterity_formats::{Location, Source, ValueKind, kind};

use super::codes::{NO_UNIT, missing_code, outside_code};
use super::failure::FailureContext;
use super::filter::{Condition, Refused, translate};
use super::fitted::fitted;
use super::plan::{Conditions, check, plan};
use super::several_tables::fits;
use super::table::{EngineTable, only_here};
use crate::checked_questions::{CheckedQuestions, Coding};
use crate::count::Counted;
use crate::error::DataError;
use crate::filter::{Filter, FilterError};
use crate::margins::{CheckedMargins, CountedMargins};
use crate::question::{Domain, Question};
use crate::question_group::QuestionGroup;
use crate::unit::PerUnit;

/// How often the caller is told how far the count is.
const TICK: Duration = Duration::from_millis(100);

const STAGE: &str = "while counting";

/// Counts in a session of the engine, within a tokio runtime that has its timer enabled. Dropping the future stops the
/// work.
///
/// The source may be a table that the session knows, or Parquet or CSV files. One record of each unit is drawn by the
/// engine, by the system's randomness. `progress` is called now and then where the session tells how many rows were
/// read so far; if it breaks, the count ends.
///
/// # Errors
/// [`DataError`]; it contains no value of a record.
pub async fn count_with(
    session: &SessionContext,
    source: &Source,
    question: &Question,
    progress: &(dyn Fn(u64) -> ControlFlow<()> + Sync),
) -> Result<Counted, DataError> {
    let checked = CheckedQuestions::new(question)?;
    let groups = QuestionGroup::of(&checked);
    let (counts, rows) = counts(session, source, &checked, &groups, progress).await?;
    answer(&checked, counts, rows)
}

/// Counts tables over sets of the question's columns in a session of the engine, by one query, as
/// [`count_margins`](crate::count_margins()) does on this machine. Everything else is as in [`count_with`].
///
/// # Errors
/// [`DataError`]; it contains no value of a record.
pub async fn count_margins_with(
    session: &SessionContext,
    source: &Source,
    question: &Question,
    sets: &[Vec<usize>],
    progress: &(dyn Fn(u64) -> ControlFlow<()> + Sync),
) -> Result<CountedMargins, DataError> {
    let margins = CheckedMargins::new(question, sets)?;
    let (counts, rows) = counts(session, source, &margins.checked, &margins.groups, progress).await?;
    margins.of_groups(counts, rows)
}

/// The counts of tables, and how many rows were read.
async fn counts(
    session: &SessionContext,
    source: &Source,
    checked: &CheckedQuestions<'_>,
    groups: &[QuestionGroup],
    progress: &(dyn Fn(u64) -> ControlFlow<()> + Sync),
) -> Result<(Vec<Vec<u64>>, Option<u64>), DataError> {
    let counted =
        guarded(async { Query::prepare(session, source, checked, groups).await?.run(progress).await });
    counted.await.map_err(|error| checked.told(source, error))
}

/// The answer to the only question, from the counts of its table.
pub(crate) fn answer(
    checked: &CheckedQuestions<'_>,
    counts: Vec<Vec<u64>>,
    rows_scanned: Option<u64>,
) -> Result<Counted, DataError> {
    let counts = checked.counts(counts.into_iter().flatten().collect())?;
    Ok(Counted { counts, categories: checked.cells().categories().clone(), rows_scanned })
}

/// Readers of hostile files may panic. A panic is reported as an error of the engine.
pub(crate) async fn guarded<T>(work: impl Future<Output = Result<T, DataError>>) -> Result<T, DataError> {
    AssertUnwindSafe(work).catch_unwind().await.unwrap_or(Err(DataError::Engine { stage: STAGE }))
}

/// A query that is ready to run, here or elsewhere.
pub(crate) struct Query<'a> {
    checked: &'a CheckedQuestions<'a>,
    groups: &'a [QuestionGroup],
    /// The session, with batches that fit the records.
    pub(crate) state: SessionState,
    pub(crate) physical: Arc<dyn ExecutionPlan>,
    /// What to say if it fails.
    pub(crate) failure: FailureContext<'a>,
}

impl<'a> Query<'a> {
    /// Looks at the source and plans the query.
    pub(crate) async fn prepare(
        session: &SessionContext,
        source: &'a Source,
        checked: &'a CheckedQuestions<'a>,
        groups: &'a [QuestionGroup],
    ) -> Result<Self, DataError> {
        refuse_rule(checked)?;
        let table = EngineTable::open(session, source, checked).await?;
        check(checked, &table)?;
        let path = match source.location() {
            Location::Files(path) | Location::Table(path) => path,
            Location::StandardInput { .. } | Location::Postgres(_) => return Err(only_here(source)),
        };
        let failure = FailureContext { path, format: table.format, checked, stage: STAGE };
        let conditions = conditions(checked, &table, failure)?;
        let plan = plan(checked, groups, &table, conditions).map_err(|error| failure.classify(&error))?;
        let state = fitted(session.state(), table.longest_record, groups.len());
        let plan = state.optimize(&plan).map_err(|error| failure.classify(&error))?;
        let physical = failure.guard(state.query_planner().create_physical_plan(&plan, &state)).await?;
        let drawn = checked.unit.is_some() && checked.question.per_unit == PerUnit::Random;
        // In one table the draw is used once; in several all words of a record share it.
        if drawn && checked.whole && draws(&physical) != 1 {
            return Err(DataError::Engine { stage: "to draw one record of each unit" });
        }
        Ok(Self { checked, groups, state, physical, failure })
    }

    /// Runs it in the session, and tells now and then how many rows were read. Gives the counts of each table, and how
    /// many rows were read.
    async fn run(
        self,
        progress: &(dyn Fn(u64) -> ControlFlow<()> + Sync),
    ) -> Result<(Vec<Vec<u64>>, Option<u64>), DataError> {
        let work = self.failure.guard(collect(Arc::clone(&self.physical), self.state.task_ctx()));
        let mut work = std::pin::pin!(work);
        let batches = loop {
            let done = tokio::time::timeout(TICK, work.as_mut()).await;
            let told = rows(&self.physical).map_or(ControlFlow::Continue(()), progress);
            match done {
                Ok(done) => break done?,
                Err(_) if told.is_break() => return Err(DataError::Stopped),
                Err(_) => {}
            }
        };
        Ok((self.counts(&batches)?, rows(&self.physical)))
    }

    /// The counts of each table in the rows that came out, unless a code says that something is wrong.
    pub(crate) fn counts(&self, batches: &[RecordBatch]) -> Result<Vec<Vec<u64>>, DataError> {
        let outside = usize::from(self.checked.within.is_some());
        let cells: Vec<usize> = self.groups.iter().map(|group| group.cells + outside).collect();
        let mut counts = read(batches, self.checked, cells.iter().sum())?.into_iter();
        Ok(cells.into_iter().map(|cells| counts.by_ref().take(cells).collect()).collect())
    }
}

/// The conditions of the question. Where n is private, and in the private filter, none may fail on a record.
fn conditions(
    checked: &CheckedQuestions<'_>,
    table: &EngineTable,
    failure: FailureContext<'_>,
) -> Result<Conditions, DataError> {
    let schema = table.provider.schema();
    let translated = |filter: &Option<(Filter, Vec<usize>)>, wrong: &dyn Fn(FilterError) -> DataError| {
        let translated = filter.as_ref().map(|(filter, _)| translate(filter, &schema));
        translated.transpose().map_err(|refused| match refused {
            Refused::Filter(error) => wrong(error),
            Refused::Engine(error) => failure.classify(&error),
        })
    };
    let filter = translated(&checked.filter, &|error| failure.filter(error))?;
    let text = checked.question.within.clone().unwrap_or_default();
    let within = translated(&checked.within, &|error| DataError::Within { filter: text.clone(), error })?;
    if within.as_ref().is_some_and(|condition| condition.can_fail) {
        return Err(DataError::ClusterWithin { filter: text });
    }
    if checked.leaves_out() {
        let remedy = "store numbers and truth values as such";
        let filter_fails = filter.as_ref().is_some_and(|condition| condition.can_fail);
        let reasons = [
            (filter_fails, "the filter would, where text is no number or truth value"),
            (bins_of_text(checked, &schema), "bins of a column of text would, where a number is long"),
        ];
        if let Some((_, what)) = reasons.into_iter().find(|(fails, _)| *fails) {
            return Err(DataError::ClusterAdjacency { what, remedy });
        }
    }
    let expression = |condition: Option<Condition>| condition.map(|condition| condition.expression);
    Ok(Conditions { filter: expression(filter), within: expression(within) })
}

/// Whether numbers are read from text, to find their bins.
fn bins_of_text(checked: &CheckedQuestions<'_>, schema: &Schema) -> bool {
    checked.codings.iter().map(|coding| &coding.dimension).any(|dimension| {
        let text = schema
            .field_with_name(&dimension.column)
            .is_ok_and(|field| kind(field.data_type()) == ValueKind::Text);
        text && matches!(dimension.domain, Domain::Bins(_))
    })
}

/// How often a plan calls for random numbers, as it is printed. A declared name that is written like the call counts too,
/// so that its question is refused.
fn draws(plan: &Arc<dyn ExecutionPlan>) -> usize {
    displayable(plan.as_ref()).indent(false).to_string().matches("random()").count()
}

/// Refuses rules that take more than one aggregate, and records that do not fit into one.
fn refuse_rule(checked: &CheckedQuestions<'_>) -> Result<(), DataError> {
    match &checked.question.per_unit {
        rule @ (PerUnit::Latest(_) | PerUnit::Mode | PerUnit::All(_)) if checked.unit.is_some() => {
            Err(DataError::ClusterRule { rule: rule.to_string() })
        }
        _ if checked.whole && checked.unit.is_some() && !fits(checked) => Err(DataError::ClusterRecord),
        _ => Ok(()),
    }
}

/// The rows that the scans of a plan have put out.
fn rows(plan: &Arc<dyn ExecutionPlan>) -> Option<u64> {
    let children = plan.children();
    if children.is_empty() {
        // Other leaves, such as one that stands for a query elsewhere, put out something else.
        return plan.downcast_ref::<DataSourceExec>()?.metrics()?.output_rows().map(|rows| rows as u64);
    }
    children.into_iter().map(rows).try_fold(0, |sum, rows| Some(sum + rows?))
}

/// The counts of so many cells, unless a code says that something is wrong.
fn read(
    batches: &[RecordBatch],
    checked: &CheckedQuestions<'_>,
    cells: usize,
) -> Result<Vec<u64>, DataError> {
    let strange = || DataError::Engine { stage: "to answer as expected" };
    let mut counts = vec![0_u64; cells];
    // The least code is the one to tell.
    let mut flaw: Option<i64> = None;
    for batch in batches {
        let codes = batch.columns().first().and_then(|column| column.as_primitive_opt::<Int64Type>());
        let numbers = batch.columns().get(1).and_then(|column| column.as_primitive_opt::<Int64Type>());
        let (codes, numbers) = (codes.ok_or_else(strange)?, numbers.ok_or_else(strange)?);
        for (&code, &number) in codes.values().iter().zip(numbers.values()) {
            match usize::try_from(code) {
                Ok(cell) => {
                    let count = counts.get_mut(cell).ok_or_else(strange)?;
                    *count += u64::try_from(number).map_err(|_| strange())?;
                }
                Err(_) => flaw = Some(flaw.map_or(code, |worst| worst.min(code))),
            }
        }
    }
    if let Some(code) = flaw {
        return Err(named(code, checked).unwrap_or_else(strange));
    }
    Ok(counts)
}

/// What a negative code means.
fn named(code: i64, checked: &CheckedQuestions<'_>) -> Option<DataError> {
    if code == NO_UNIT {
        return Some(DataError::MissingUnit { column: checked.question.unit.clone()? });
    }
    checked.codings.iter().enumerate().find_map(|(position, Coding { dimension, .. })| {
        let column = dimension.column.clone();
        if code == outside_code(position) {
            Some(match dimension.domain {
                Domain::Values(_) => DataError::Outside { column },
                Domain::Bins(_) => DataError::OutsideBins { column },
            })
        } else if code == missing_code(position) {
            Some(DataError::Missing { column })
        } else {
            None
        }
    })
}
