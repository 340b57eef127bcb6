//! Where the data of a release comes from, as it is typed.

use std::path::PathBuf;

use clap::{ArgMatches, Args};
use posterity::data::{PostgresServer, Source};
use posterity::plan::Plan;

use crate::counts::RawCounts;
use crate::declared::DeclaredArgs;
use crate::failure::Failure;

/// Where the data comes from.
#[derive(Debug, Args)]
pub(crate) struct SourceArgs {
    /// A CSV, TSV, JSON (one object per line, or an array), Parquet or Arrow file, a folder of such files, or a glob; a
    /// SQLite file, or a database postgres://USER@HOST:5432/DATABASE, with --table; or - for standard input, with
    /// --input-format. Folders named year=2025 give a column year. To a PostgreSQL server elsewhere the connection is
    /// encrypted, and its certificate is verified: ?sslrootcert=FILE behind the address names the certificates to trust,
    /// ?sslmode=require leaves out the verification, and ?sslmode=disable the encryption
    #[arg(value_name = "FILE")]
    pub(crate) source: Option<String>,

    /// Instead of a file: how many records fall into each category. Other users of this machine can see the arguments
    /// of a running command: on a shared machine use a file
    #[arg(long, value_name = "LIST", allow_hyphen_values = true, conflicts_with = "source")]
    pub(crate) counts: Option<RawCounts>,

    /// Ask what this plan asks, in the place of all flags that say so: a file of `posterity plan` or of `posterity study`
    /// with one question. The plan names the records by their path from its folder; FILE says where else they are
    #[arg(long, value_name = "PLAN", conflicts_with = "counts")]
    pub(crate) plan: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) declared: DeclaredArgs,

    /// A file whose first line is the password of the user of a PostgreSQL database. Without it the variable PGPASSWORD
    /// is asked. A password is never a part of the address
    #[arg(long, value_name = "FILE", requires = "source")]
    pub(crate) password_file: Option<PathBuf>,

    /// Name what comes from standard input: the same name means the same records. A ledger needs it, because input is
    /// gone once it was read, and answers the same question about the same name without a charge
    #[arg(long, value_name = "TEXT", value_parser = clap::builder::NonEmptyStringValueParser::new())]
    pub(crate) name: Option<String>,

    /// Take the counts that another program made, by the query of `posterity sql` or by one like it: a CSV, JSON, Parquet or
    /// Arrow file with a column for each --column and one called count, or - for standard input. FILE names the records, and
    /// is not read
    #[arg(long, value_name = "COUNTS", requires = "source", conflicts_with = "counts")]
    pub(crate) counted: Option<String>,

    /// The query that counted, so that the document has its digest
    #[arg(long, value_name = "FILE", requires = "counted")]
    pub(crate) query: Option<PathBuf>,

    /// Count on the Ballista cluster with this scheduler, df://host:port; its executors must see the files under the
    /// same paths
    #[cfg(feature = "cluster")]
    #[arg(long, value_name = "ADDRESS")]
    pub(crate) cluster: Option<posterity::data::Cluster>,

    /// Into how many tasks the cluster divides the work [default: 64]
    #[cfg(feature = "cluster")]
    #[arg(long, value_name = "N", requires = "cluster")]
    pub(crate) partitions: Option<std::num::NonZeroUsize>,
}

impl SourceArgs {
    /// The cluster that counts, if there is one.
    #[cfg(feature = "cluster")]
    pub(crate) fn cluster(&self) -> Option<posterity::data::Cluster> {
        let cluster = self.cluster.clone()?;
        let partitions = self.partitions.unwrap_or(cluster.partitions());
        Some(cluster.with_partitions(partitions))
    }

    /// Refuses records from standard input without a name, which a ledger could not know again.
    pub(crate) fn refuse_unnamed(&self) -> Result<(), Failure> {
        let unnamed = self.source.as_deref() == Some(STANDARD_INPUT) && self.name.is_none();
        if unnamed {
            let why = "a ledger knows records from standard input by a name; give them one, and no other records the same";
            return Err(Failure::usage("--name", why));
        }
        Ok(())
    }

    /// The name by which a plan knows the source, if it has one. It has no user of a server in it, and no path that only this
    /// machine has.
    pub(crate) fn named_source(&self) -> Result<Option<String>, Failure> {
        let Some(source) = self.source.as_deref() else { return Ok(None) };
        if source == STANDARD_INPUT {
            return Ok(self.name.clone());
        }
        if PostgresServer::is_meant(source) {
            let server: PostgresServer = source.parse().map_err(|error| Failure::usage("FILE", error))?;
            return Ok(Some(Source::postgres(server).to_string()));
        }
        Ok(Some(Plan::name_of(source)))
    }

    /// The counts that were typed in the place of a file.
    pub(crate) fn counts(&self) -> Option<&RawCounts> {
        self.counts.as_ref()
    }

    /// Brings the declarations of columns into the order in which they were given.
    pub(crate) fn order(&mut self, matches: &ArgMatches) {
        self.declared.order(matches);
    }
}

/// How the standard input is named in place of a file.
pub(crate) const STANDARD_INPUT: &str = "-";
