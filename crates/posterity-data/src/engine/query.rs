//! The count itself.

use std::future::Future;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Duration;

use datafusion::arrow::array::{AsArray, RecordBatch};
use datafusion::arrow::datatypes::Int64Type;
use datafusion::datasource::source::DataSourceExec;
use datafusion::error::DataFusionError;
use datafusion::execution::{SessionState, TaskContext};
use datafusion::physical_plan::{ExecutionPlan, collect, execute_stream_partitioned};
use datafusion::prelude::SessionContext;
use futures::{FutureExt, StreamExt};
use posterity_core::model::{Categories, Counts};
use tokio::task::JoinSet;

use crate::column_type::{NO_UNIT, missing_code, outside_code};
use crate::error::DataError;
use crate::failure::Context;
use crate::filter;
use crate::labels::LabelCounter;
use crate::plan::{check_columns, plan, values};
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
    guarded(async { Query::prepare(&session, source, question, Place::Here).await?.run(progress).await })
        .await
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
    guarded(async { Query::prepare(session, source, question, Place::Anywhere).await?.run(progress).await })
        .await
}

/// Readers of hostile files may panic; such a file is damaged, and the caller goes on.
pub(crate) async fn guarded<T>(work: impl Future<Output = Result<T, DataError>>) -> Result<T, DataError> {
    AssertUnwindSafe(work).catch_unwind().await.unwrap_or(Err(DataError::Engine { stage: STAGE }))
}

const STAGE: &str = "while counting";

/// Where the records are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// On this machine: the values of a single column may come here and be looked up.
    Here,
    /// Perhaps elsewhere: only counts are to cross the network, so the engine does it all.
    Anywhere,
}

/// A query that is ready to run, here or elsewhere.
pub(crate) struct Query<'a> {
    space: Space,
    unit: Option<&'a str>,
    /// Counts the values that the plan gives, if it gives values.
    counter: Option<LabelCounter>,
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
        place: Place,
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
        let condition = condition.map_err(wrong)?;
        // A lookup of our own is faster than the engine's, where nothing else is asked for.
        let counter = LabelCounter::of(&space).filter(|_| unit.is_none() && place == Place::Here);
        let plan = match (&counter, space.axes()) {
            (Some(_), [axis]) => values(&table, axis, condition),
            _ => plan(&table, &space, condition, unit),
        };
        let plan = plan.map_err(|error| failure.classify(&error))?;
        let state = fitted(session.state(), table.longest_record);
        // No record has been seen yet, and only the filter is not ours: what the engine says is about that.
        let plan = state.optimize(&plan).map_err(|error| match &question.filter {
            Some(_) => wrong(filter::invalid(&error, &schema)),
            None => failure.classify(&error),
        })?;
        let physical = failure.guard(state.query_planner().create_physical_plan(&plan, &state)).await?;
        Ok(Self { space, unit, counter, state, physical, failure })
    }

    /// Runs it in the session, and tells now and then how many rows were read.
    async fn run(self, progress: &(dyn Fn(u64) + Sync)) -> Result<Counted, DataError> {
        let (plan, context) = (Arc::clone(&self.physical), self.state.task_ctx());
        let counted = match &self.counter {
            Some(counter) => {
                let work = tally(plan, context, counter.clone(), self.failure);
                with_progress(work, &self.physical, progress).await?.finish()?
            }
            None => {
                let work = self.failure.guard(collect(plan, context));
                self.answer(&with_progress(work, &self.physical, progress).await?)?
            }
        };
        Ok(Counted { rows_scanned: rows(&self.physical), ..counted })
    }

    /// What the rows that came out mean.
    pub(crate) fn answer(&self, batches: &[RecordBatch]) -> Result<Counted, DataError> {
        let counts = read(batches, &self.space, self.unit)?;
        Ok(Counted { counts, categories: self.space.categories().clone(), rows_scanned: None })
    }
}

/// Counts the values that a plan gives, one task for each of its partitions; the tasks end when nobody waits any more.
async fn tally(
    plan: Arc<dyn ExecutionPlan>,
    context: Arc<TaskContext>,
    counter: LabelCounter,
    failure: Context<'_>,
) -> Result<LabelCounter, DataError> {
    let streams = execute_stream_partitioned(plan, context).map_err(|error| failure.classify(&error))?;
    let mut tasks: JoinSet<Result<LabelCounter, Stopped>> = JoinSet::new();
    for mut stream in streams {
        let mut counter = counter.clone();
        tasks.spawn(async move {
            while let Some(batch) = stream.next().await {
                let batch = batch.map_err(Stopped::Engine)?;
                counter.add_array(batch.column(0)).map_err(Stopped::Count)?;
            }
            Ok(counter)
        });
    }
    let mut sum = counter;
    while let Some(done) = tasks.join_next().await {
        match done {
            Ok(Ok(part)) => sum.absorb(&part),
            Ok(Err(Stopped::Engine(error))) => return Err(failure.classify(&error)),
            Ok(Err(Stopped::Count(error))) => return Err(error),
            // A reader that panicked.
            Err(_) => return Err(failure.damaged()),
        }
    }
    Ok(sum)
}

/// Why a partition was not counted.
enum Stopped {
    Engine(DataFusionError),
    Count(DataError),
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
    Ok(Counts::new(counts)?)
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
