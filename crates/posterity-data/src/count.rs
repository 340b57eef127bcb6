//! The count itself.

use std::future::Future;
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
use posterity_core::model::{Categories, Counts, CountsError};

use crate::column_type::{NO_UNIT, missing_code, outside_code};
use crate::error::DataError;
use crate::failure::Context;
use crate::filter;
use crate::plan::{check_columns, plan};
use crate::question::Question;
use crate::runtime::wait;
use crate::session::{Resources, fitted};
use crate::source::{Location, Source};
use crate::space::Space;
use crate::table::Table;

/// The answer to a question. The counts are the private data; see [`Counts`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counted {
    /// How many records, or units, fall into each category.
    pub counts: Counts,
    /// The names of the categories, in the same order.
    pub categories: Categories,
    /// How many rows were read, if the engine says so. Where units have several records this is private, unlike n:
    /// show it to the owner of the data only.
    pub rows_scanned: Option<u64>,
}

/// How often progress is told.
const TICK: Duration = Duration::from_millis(100);

/// Counts on this machine, and returns when it is done. `progress` is called now and then with the rows read so far.
///
/// # Errors
/// [`DataError`]; it says nothing that a record holds.
pub fn count(
    source: &Source,
    question: &Question,
    resources: &Resources,
    progress: &(dyn Fn(u64) + Sync),
) -> Result<Counted, DataError> {
    wait(resources.threads, || count_async(source, question, resources, progress))
}

/// Counts on this machine, within a tokio runtime that has its timer enabled. Dropping the future stops the work.
///
/// # Errors
/// [`DataError`]; it says nothing that a record holds.
pub async fn count_async(
    source: &Source,
    question: &Question,
    resources: &Resources,
    progress: &(dyn Fn(u64) + Sync),
) -> Result<Counted, DataError> {
    let session = resources.session().map_err(|_| DataError::Engine { stage: "to start" })?;
    count_with(&session, source, question, progress).await
}

/// Counts in a session of the engine, which may be one that distributes its queries; `progress` is called only where
/// the session tells how far it is.
///
/// # Errors
/// [`DataError`]; it says nothing that a record holds.
pub async fn count_with(
    session: &SessionContext,
    source: &Source,
    question: &Question,
    progress: &(dyn Fn(u64) + Sync),
) -> Result<Counted, DataError> {
    guarded(async {
        let query = Query::prepare(session, source, question).await?;
        let work = query.failure.guard(collect(Arc::clone(&query.physical), query.state.task_ctx()));
        let batches = with_progress(work, &query.physical, progress).await?;
        Ok(Counted { rows_scanned: rows(&query.physical), ..query.answer(&batches)? })
    })
    .await
}

/// Readers of hostile files may panic; such a file is damaged, and the caller goes on.
pub(crate) async fn guarded<T>(work: impl Future<Output = Result<T, DataError>>) -> Result<T, DataError> {
    AssertUnwindSafe(work).catch_unwind().await.unwrap_or(Err(DataError::Engine { stage: STAGE }))
}

const STAGE: &str = "while counting";

/// A query that is ready to run, here or elsewhere.
pub(crate) struct Query<'a> {
    space: Space,
    unit: Option<&'a str>,
    /// The session, with batches that fit the records.
    pub(crate) state: SessionState,
    pub(crate) physical: Arc<dyn ExecutionPlan>,
    /// What to say if it fails.
    pub(crate) failure: Context<'a>,
}

impl<'a> Query<'a> {
    /// Looks at the source and plans the query.
    pub(crate) async fn prepare(
        session: &SessionContext,
        source: &'a Source,
        question: &'a Question,
    ) -> Result<Self, DataError> {
        let space = Space::new(question)?;
        let unit = question.unit.as_deref();
        let table = Table::open(session, source).await?;
        let schema = table.provider.schema();
        check_columns(&schema, &space, unit)?;
        let failure = Context {
            path: match &source.location {
                Location::Files(path) | Location::Table(path) => path,
            },
            format: table.format,
            filter: question.filter.as_deref(),
            stage: STAGE,
        };
        let wrong = |error| DataError::Filter { filter: question.filter.clone().unwrap_or_default(), error };
        let condition = question.filter.as_ref().map(|filter| filter::parse(filter, &schema)).transpose();
        let plan = plan(&table, &space, condition.map_err(wrong)?, unit)
            .map_err(|error| failure.classify(&error))?;
        let state = fitted(session.state(), table.longest_record);
        // No record has been seen yet, and only the filter is not ours: what the engine says is about that.
        let plan = state.optimize(&plan).map_err(|error| match &question.filter {
            Some(_) => wrong(filter::invalid(&error, &schema)),
            None => failure.classify(&error),
        })?;
        let physical = failure.guard(state.query_planner().create_physical_plan(&plan, &state)).await?;
        Ok(Self { space, unit, state, physical, failure })
    }

    /// What the rows that came out mean.
    pub(crate) fn answer(&self, batches: &[RecordBatch]) -> Result<Counted, DataError> {
        let counts = read(batches, &self.space, self.unit)?;
        Ok(Counted { counts, categories: self.space.categories().clone(), rows_scanned: None })
    }
}

/// Awaits the work, and tells now and then how many rows were read.
async fn with_progress<T>(
    work: impl Future<Output = T>,
    physical: &Arc<dyn ExecutionPlan>,
    progress: &(dyn Fn(u64) + Sync),
) -> T {
    let mut work = std::pin::pin!(work);
    loop {
        if let Ok(done) = tokio::time::timeout(TICK, work.as_mut()).await {
            if let Some(rows) = rows(physical) {
                progress(rows);
            }
            return done;
        }
        if let Some(rows) = rows(physical) {
            progress(rows);
        }
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
fn read(batches: &[RecordBatch], space: &Space, unit: Option<&str>) -> Result<Counts, DataError> {
    let strange = || DataError::Engine { stage: "to answer as expected" };
    let mut counts = vec![0_u64; space.cells()];
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
                Err(_) => flaw = Some(flaw.map_or(code, |worst| worst.max(code))),
            }
        }
    }
    if let Some(code) = flaw {
        return Err(named(code, space, unit).unwrap_or_else(strange));
    }
    Counts::new(counts).map_err(|error| match error {
        CountsError::NoRecords => DataError::NoRecords,
        error => DataError::Counts(error),
    })
}

/// What a negative code means.
fn named(code: i64, space: &Space, unit: Option<&str>) -> Option<DataError> {
    if code == NO_UNIT {
        return Some(DataError::MissingUnit { column: unit?.into() });
    }
    space.axes().iter().enumerate().find_map(|(position, axis)| {
        let column = axis.column.clone();
        if code == outside_code(position) {
            Some(DataError::Outside { column })
        } else if code == missing_code(position) {
            Some(DataError::Missing { column })
        } else {
            None
        }
    })
}
