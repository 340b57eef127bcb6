//! Counting by one query in a session of the engine.

use std::future::Future;
use std::ops::ControlFlow;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Duration;

use datafusion::arrow::array::{AsArray, RecordBatch};
use datafusion::arrow::datatypes::Int64Type;
use datafusion::datasource::source::DataSourceExec;
use datafusion::execution::SessionState;
use datafusion::physical_plan::{ExecutionPlan, collect};
use datafusion::prelude::SessionContext;
use futures::FutureExt;
use posterity_core::model::Counts;
use posterity_formats::{Location, Source};

use super::codes::{NO_UNIT, missing_code, outside_code};
use super::failure::FailureContext;
use super::filter::{Refused, translate};
use super::fitted::fitted;
use super::plan::{check, plan};
use super::table::{EngineTable, only_here};
use crate::checked_questions::CheckedQuestions;
use crate::count::Counted;
use crate::error::DataError;
use crate::question::{Domain, Question};
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
    guarded(async { Query::prepare(session, source, &checked).await?.run(progress).await }).await
}

/// Readers of hostile files may panic. A panic is reported as an error of the engine.
pub(crate) async fn guarded<T>(work: impl Future<Output = Result<T, DataError>>) -> Result<T, DataError> {
    AssertUnwindSafe(work).catch_unwind().await.unwrap_or(Err(DataError::Engine { stage: STAGE }))
}

/// A query that is ready to run, here or elsewhere.
pub(crate) struct Query<'a> {
    checked: &'a CheckedQuestions<'a>,
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
    ) -> Result<Self, DataError> {
        if checked.leaves_out() {
            return Err(DataError::ClusterAdjacency);
        }
        refuse_rule(checked)?;
        if checked.within.is_some() {
            return Err(DataError::ClusterWithin);
        }
        let table = EngineTable::open(session, source, checked).await?;
        check(checked, &table)?;
        let path = match source.location() {
            Location::Files(path) | Location::Table(path) => path,
            Location::StandardInput { .. } | Location::Postgres(_) => return Err(only_here(source)),
        };
        let failure = FailureContext { path, format: table.format, checked, stage: STAGE };
        let filter = checked.filter.as_ref().map(|(filter, _)| translate(filter, &table.provider.schema()));
        let filter = filter.transpose().map_err(|refused| match refused {
            Refused::Filter(error) => failure.filter(error),
            Refused::Engine(error) => failure.classify(&error),
        })?;
        let plan = plan(checked, &table, filter).map_err(|error| failure.classify(&error))?;
        let state = fitted(session.state(), table.longest_record);
        let plan = state.optimize(&plan).map_err(|error| failure.classify(&error))?;
        let physical = failure.guard(state.query_planner().create_physical_plan(&plan, &state)).await?;
        Ok(Self { checked, state, physical, failure })
    }

    /// Runs it in the session, and tells now and then how many rows were read.
    async fn run(self, progress: &(dyn Fn(u64) -> ControlFlow<()> + Sync)) -> Result<Counted, DataError> {
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
        let counted = self.answer(&batches)?;
        Ok(Counted { rows_scanned: rows(&self.physical), ..counted })
    }

    /// What the rows that came out mean.
    pub(crate) fn answer(&self, batches: &[RecordBatch]) -> Result<Counted, DataError> {
        let counts = read(batches, self.checked)?;
        Ok(Counted { counts, categories: self.checked.cells().categories().clone(), rows_scanned: None })
    }
}

/// Refuses rules that take more than one aggregate.
fn refuse_rule(checked: &CheckedQuestions<'_>) -> Result<(), DataError> {
    match &checked.question.per_unit {
        rule @ (PerUnit::Latest(_) | PerUnit::Mode | PerUnit::All(_)) if checked.unit.is_some() => {
            Err(DataError::ClusterRule { rule: rule.to_string() })
        }
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

/// The counts of the cells, unless a code says that something is wrong.
fn read(batches: &[RecordBatch], checked: &CheckedQuestions<'_>) -> Result<Counts, DataError> {
    let strange = || DataError::Engine { stage: "to answer as expected" };
    let mut counts = vec![0_u64; checked.cells().len()];
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
    Ok(Counts::new(counts)?)
}

/// What a negative code means.
fn named(code: i64, checked: &CheckedQuestions<'_>) -> Option<DataError> {
    if code == NO_UNIT {
        return Some(DataError::MissingUnit { column: checked.question.unit.clone()? });
    }
    checked.cells().dimensions().iter().enumerate().find_map(|(position, dimension)| {
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
