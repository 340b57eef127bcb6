//! Counting on a Ballista cluster.

use std::fmt;
use std::num::NonZeroUsize;
use std::panic::AssertUnwindSafe;
use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;

use ballista_core::execution_plans::execute_physical_plan;
use ballista_core::extension::SessionConfigExt;
use datafusion::arrow::array::RecordBatch;
use datafusion::error::DataFusionError;
use datafusion::execution::SessionState;
use datafusion::physical_plan::{ExecutionPlan, common};
use datafusion::prelude::{SessionConfig, SessionContext};
use datafusion_proto::protobuf::PhysicalPlanNode;
use futures::FutureExt;
use posterity_formats::{Location, Source};
use tokio::net::TcpStream;
use url::Url;

use super::query::{Query, answer, guarded};
use super::runtime::wait;
use super::table::{only_here, readable};
use crate::checked_questions::CheckedQuestions;
use crate::count::{Counted, Resources};
use crate::error::DataError;
use crate::margins::{CheckedMargins, CountedMargins};
use crate::question::Question;
use crate::question_group::QuestionGroup;

/// A Ballista cluster, known by its scheduler.
///
/// ```
/// # use posterity_count::Cluster;
/// let cluster: Cluster = "df://scheduler.internal:50050".parse()?;
/// assert_eq!(cluster.to_string(), "df://scheduler.internal:50050");
/// # Ok::<(), posterity_count::DataError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cluster {
    host: String,
    port: u16,
    partitions: NonZeroUsize,
}

/// Into how many tasks a scan is divided unless that is given.
pub const DEFAULT_PARTITIONS: NonZeroUsize = NonZeroUsize::MIN.saturating_add(63);

/// How long to wait for the scheduler to take a connection.
const PATIENCE: Duration = Duration::from_secs(5);

/// The longest plan that is sent, in bytes. A plan names every file; the scheduler has a limit of its own.
const MAX_MESSAGE: usize = 256 << 20;

impl Cluster {
    /// Divides the scan into at most this many tasks; an executor runs as many at once as it has slots.
    #[must_use]
    pub fn with_partitions(mut self, partitions: NonZeroUsize) -> Self {
        self.partitions = partitions;
        self
    }

    /// Into how many tasks a scan is divided at most.
    #[must_use]
    pub fn partitions(&self) -> NonZeroUsize {
        self.partitions
    }

    fn unreachable(&self) -> DataError {
        DataError::ClusterUnreachable { address: self.to_string() }
    }

    /// Checks that the scheduler takes connections, sooner than the first request would.
    async fn reach(&self) -> Result<(), DataError> {
        let connection = TcpStream::connect(format!("{}:{}", self.host, self.port));
        match tokio::time::timeout(PATIENCE, connection).await {
            Ok(Ok(_)) => Ok(()),
            Ok(Err(_)) | Err(_) => Err(self.unreachable()),
        }
    }

    /// The session that plans a query for this cluster.
    fn session(&self, checked: &CheckedQuestions<'_>) -> SessionContext {
        let config = SessionConfig::new_with_ballista()
            .with_target_partitions(self.partitions.get())
            // Without units few rows come out of each task, and one task adds them up: there is nothing to divide
            // again.
            .with_repartition_aggregations(checked.unit.is_some())
            .with_ballista_grpc_client_max_message_size(MAX_MESSAGE)
            .with_ballista_job_name("posterity");
        SessionContext::new_with_config(config)
    }

    /// Sends the plan and collects its rows.
    ///
    /// The plan names the files and their lengths, so an executor that lacks one fails. Were the scheduler to make the
    /// plan, it would look for the files itself and leave out those it does not see.
    async fn run(
        &self,
        plan: Arc<dyn ExecutionPlan>,
        state: &SessionState,
    ) -> Result<Vec<RecordBatch>, DataFusionError> {
        let config = state.config().clone();
        let settings = config.ballista_config();
        let codec = config.ballista_physical_extension_codec();
        let stream = execute_physical_plan::<PhysicalPlanNode>(
            format!("http://{}:{}", self.host, self.port),
            &settings,
            plan,
            codec.as_ref(),
            state.session_id().to_owned(),
            config,
        )
        .await?;
        common::collect(stream).await
    }

    /// The counts of tables.
    async fn counts(
        &self,
        source: &Source,
        checked: &CheckedQuestions<'_>,
        groups: &[QuestionGroup],
    ) -> Result<Vec<Vec<u64>>, DataError> {
        let counts = guarded(async {
            refuse_source(source)?;
            self.reach().await?;
            let query = Query::prepare(&self.session(checked), source, checked, groups).await?;
            let work = self.run(Arc::clone(&query.physical), &query.state);
            let batches = match AssertUnwindSafe(work).catch_unwind().await {
                Ok(done) => done.map_err(|error| query.failure.remote(&error, self))?,
                Err(_) => return Err(DataError::Cluster { address: self.to_string() }),
            };
            query.counts(&batches)
        });
        counts.await.map_err(|error| checked.told(source, error))
    }
}

impl FromStr for Cluster {
    type Err = DataError;

    fn from_str(address: &str) -> Result<Self, Self::Err> {
        let wrong = || DataError::ClusterAddress { address: address.into() };
        let url = Url::parse(address).map_err(|_| wrong())?;
        let bare = url.username().is_empty() && url.password().is_none();
        let ends = matches!(url.path(), "" | "/") && url.query().is_none() && url.fragment().is_none();
        match (url.host_str(), url.port()) {
            (Some(host), Some(port)) if url.scheme() == "df" && bare && ends && port > 0 => {
                Ok(Self { host: host.to_owned(), port, partitions: DEFAULT_PARTITIONS })
            }
            _ => Err(wrong()),
        }
    }
}

impl fmt::Display for Cluster {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "df://{}:{}", self.host, self.port)
    }
}

/// Counts on a cluster, and returns when it is done: the same counts as [`count`](crate::count()), with the same
/// errors. One record of each unit is drawn by the executors, by the randomness of their systems.
///
/// # Errors
/// [`DataError`]; it contains no value of a record.
pub fn count_on(source: &Source, question: &Question, cluster: &Cluster) -> Result<Counted, DataError> {
    wait(Resources::default().threads, || count_on_async(source, question, cluster))
}

/// Counts on a cluster, within a tokio runtime that has its timer and its network enabled. Dropping the
/// future does not cancel the job on the cluster.
///
/// # Errors
/// [`DataError`]; it contains no value of a record.
pub async fn count_on_async(
    source: &Source,
    question: &Question,
    cluster: &Cluster,
) -> Result<Counted, DataError> {
    let checked = CheckedQuestions::new(question)?;
    let counts = cluster.counts(source, &checked, &QuestionGroup::of(&checked)).await?;
    answer(&checked, counts, None)
}

/// Counts tables over sets of the question's columns on a cluster, by one query, and returns when it is done: the same
/// tables as [`count_margins`](crate::count_margins()) gives. One record of each unit is drawn by the executors.
///
/// # Errors
/// [`DataError`]; it contains no value of a record.
pub fn count_margins_on(
    source: &Source,
    question: &Question,
    sets: &[Vec<usize>],
    cluster: &Cluster,
) -> Result<CountedMargins, DataError> {
    let margins = CheckedMargins::new(question, sets)?;
    let work = || cluster.counts(source, &margins.checked, &margins.groups);
    margins.of_groups(wait(Resources::default().threads, work)?, None)
}

/// Refuses what an executor cannot read.
fn refuse_source(source: &Source) -> Result<(), DataError> {
    match source.location() {
        Location::Files(path) => readable(path, source).map(|_| ()),
        Location::Table(name) => {
            Err(DataError::ClusterFormat { path: name.clone(), kind: "a table of a session".into() })
        }
        Location::StandardInput { .. } | Location::Postgres(_) => Err(only_here(source)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accepts() {
        let table = [
            ("df://localhost:50050", "localhost", 50050),
            ("df://10.0.0.1:1", "10.0.0.1", 1),
            ("df://[::1]:50050/", "[::1]", 50050),
        ];
        for (address, host, port) in table {
            let cluster: Cluster = address.parse().expect(address);
            assert_eq!((cluster.host.as_str(), cluster.port), (host, port));
            assert_eq!(cluster.to_string(), address.trim_end_matches('/'));
            assert_eq!(cluster.partitions(), DEFAULT_PARTITIONS);
        }
    }

    #[test]
    fn rejects() {
        for address in [
            "",
            "localhost",
            "localhost:50050",
            "df://localhost",
            "df://localhost:0",
            "df://localhost:70000",
            "df://:50050",
            "df://me@localhost:50050",
            "df://localhost:50050/jobs",
            "df://localhost:50050?a=b",
            "df://localhost:50050#a",
            "http://localhost:50050",
        ] {
            let error = DataError::ClusterAddress { address: address.into() };
            assert_eq!(address.parse::<Cluster>(), Err(error));
        }
    }
}
