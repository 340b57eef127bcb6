//! Where the data of a release comes from.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use clap::{ArgMatches, Args};
use posterity::data::{DataError, LeftOut, PostgresServer, Question, Resources, Source, ValuesAsked};
use posterity::plan::{Blame, Plan};
use posterity::text_file::read_text;
use posterity::{Categories, Data, MarginsData, PlannedMargins, Randomness, ValueData};
use posterity_core::model::CategoriesError;
use posterity_present::argument::looks_like_counts;

use crate::asked::{PlanOfFlags, blamed};
use crate::counts::{RawCounts, counts_under, parse_counts, wrong_counts};
use crate::declared::DeclaredArgs;
use crate::failure::Failure;
use crate::fields::FieldArgs;
use crate::progress::Progress;

/// Where the data comes from.
#[derive(Debug, Args)]
pub(crate) struct SourceArgs {
    /// A CSV, TSV, JSON (one object per line, or an array), Parquet or Arrow file, a folder of such files, or a glob; a
    /// SQLite file, or a database postgres://USER@HOST:5432/DATABASE, with --table; or - for standard input, with
    /// --input-format. Folders named year=2025 give a column year. To a PostgreSQL server elsewhere the connection is
    /// encrypted, and its certificate is verified: ?sslrootcert=FILE behind the address names the certificates to trust,
    /// ?sslmode=require leaves out the verification, and ?sslmode=disable the encryption
    #[arg(value_name = "FILE")]
    source: Option<String>,

    /// Instead of a file: how many records fall into each category. Other users of this machine can see the arguments
    /// of a running command: on a shared machine use a file
    #[arg(long, value_name = "LIST", allow_hyphen_values = true, conflicts_with = "source")]
    counts: Option<RawCounts>,

    /// Ask what this plan asks, in the place of all flags that say so: a file of `posterity plan` or of `posterity study`
    /// with one question. The plan names the records by their path from its folder; FILE says where else they are
    #[arg(long, value_name = "PLAN", conflicts_with = "counts")]
    pub(crate) plan: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) declared: DeclaredArgs,

    /// A file whose first line is the password of the user of a PostgreSQL database. Without it the variable PGPASSWORD
    /// is asked. A password is never a part of the address
    #[arg(long, value_name = "FILE", requires = "source")]
    password_file: Option<PathBuf>,

    /// Name what comes from standard input: the same name means the same records. A ledger needs it, because input is
    /// gone once it was read, and answers the same question about the same name without a charge
    #[arg(long, value_name = "TEXT", value_parser = clap::builder::NonEmptyStringValueParser::new())]
    name: Option<String>,

    /// Count on the Ballista cluster with this scheduler, df://host:port; its executors must see the files under the
    /// same paths
    #[cfg(feature = "cluster")]
    #[arg(long, value_name = "ADDRESS")]
    cluster: Option<posterity::data::Cluster>,

    /// Into how many tasks the cluster divides the work [default: 64]
    #[cfg(feature = "cluster")]
    #[arg(long, value_name = "N", requires = "cluster")]
    partitions: Option<std::num::NonZeroUsize>,
}

impl SourceArgs {
    /// The cluster that counts, if there is one.
    #[cfg(feature = "cluster")]
    fn cluster(&self) -> Option<posterity::data::Cluster> {
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
        let path = Path::new(source);
        let name = path.file_name().filter(|_| path.is_absolute());
        Ok(Some(name.map_or_else(|| source.to_owned(), |name| name.to_string_lossy().into_owned())))
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
const STANDARD_INPUT: &str = "-";

/// The names of categories without columns are those of counts.
fn typed(counts: &RawCounts, plan: &Plan) -> Result<Data, Failure> {
    let adjacency = plan.records().adjacency;
    let counts = counts_under(adjacency)(parse_counts(&counts.0, adjacency)?).map_err(wrong_counts)?;
    let names = plan.asked().first().map(|asked| asked.space().columns()[0].values.clone());
    let categories = Categories::new(names.unwrap_or_default()).map_err(wrong_categories)?;
    Data::new(counts, categories).map_err(|error| Failure::usage("--categories", error))
}

/// What is wrong with the names of categories, and how several are written.
fn wrong_categories(error: CategoriesError) -> Failure {
    match error {
        CategoriesError::TooFew { .. } => {
            Failure::usage("--categories", format!("{error}, separated by commas"))
        }
        other => Failure::usage("--categories", other),
    }
}

/// Refuses flags that are for files only, before anything is read.
pub(crate) fn refuse_columns<A>(args: &SourceArgs, fields: &FieldArgs<A>) -> Result<(), Failure> {
    if args.counts.is_none() {
        return Ok(());
    }
    // Counts may have names.
    let names = ["--categories", "--categories-file"];
    let columns = args.declared.given().into_iter().filter(|(flag, _)| !names.contains(flag));
    let of_files = ["where", "within", "unit", "input-format", "table", "view", "delimiter", "encoding"];
    let of_files = of_files.map(|name| (name, fields.get(name).is_some()));
    let given = [
        ("--password-file", args.password_file.is_some()),
        ("--name", args.name.is_some()),
        #[cfg(feature = "cluster")]
        ("--cluster", args.cluster.is_some()),
    ];
    let of_files = of_files.into_iter().find(|(_, given)| *given).map(|(name, _)| format!("--{name}"));
    let other = columns.chain(given).find(|(_, given)| *given).map(|(flag, _)| flag.to_owned());
    match other.or(of_files) {
        Some(flag) => Err(Failure::usage(&flag, "this is for files; with --counts, leave it out")),
        None => Ok(()),
    }
}

/// Counts the records of a file, or takes the counts that were typed.
pub(crate) fn input(args: &SourceArgs, asked: &PlanOfFlags, randomness: Randomness) -> Result<Data, Failure> {
    let data = match &args.counts {
        Some(counts) => typed(counts, &asked.plan)?,
        None => read(args, asked, randomness)?,
    };
    Ok(data.of_edition(asked.plan.edition()))
}

fn read(args: &SourceArgs, asked: &PlanOfFlags, randomness: Randomness) -> Result<Data, Failure> {
    let (source, question) = (source(args, asked)?, asked.asked()?.question());
    #[cfg(feature = "cluster")]
    if let Some(cluster) = args.cluster() {
        let _progress = Progress::spinner("counting on the cluster");
        return Data::read_on(&source, question, &cluster).map_err(|error| failure(error, args));
    }
    let progress = Progress::spinner("counting: rows");
    let tell = |rows| {
        progress.set(rows);
        ControlFlow::Continue(())
    };
    let data = Data::read_from(&source, question, randomness, &Resources::default(), &tell)
        .map_err(|error| failure(error, args))?;
    Ok(match &asked.file {
        Some(file) => data.shown_as(file.plan().source()),
        None => data,
    })
}

/// Counts every value of the column whose values are to be discovered.
pub(crate) fn values(
    args: &SourceArgs,
    asked: &PlanOfFlags,
    values: &ValuesAsked,
    randomness: Randomness,
) -> Result<ValueData, Failure> {
    #[cfg(feature = "cluster")]
    if args.cluster.is_some() {
        return Err(Failure::usage(
            "--cluster",
            "this has no meaning where categories are discovered; leave it out",
        ));
    }
    let progress = Progress::spinner("counting all values");
    let tell = |rows| {
        progress.set(rows);
        ControlFlow::Continue(())
    };
    let source = source(args, asked)?;
    let data = ValueData::read_from(&source, values, randomness, &Resources::default(), &tell);
    let data = data.map_err(|error| failure(error, args))?.of_edition(asked.plan.edition());
    Ok(match &asked.file {
        Some(file) => data.shown_as(file.plan().source()),
        None => data,
    })
}

/// Counts all tables of a file.
pub(crate) fn count_margins(
    args: &SourceArgs,
    asked: &PlanOfFlags,
    planned: PlannedMargins,
    randomness: Randomness,
) -> Result<MarginsData, Failure> {
    planned.check().map_err(|error| failure(error, args))?;
    let (source, edition) = (source(args, asked)?, asked.plan.edition());
    #[cfg(feature = "cluster")]
    if let Some(cluster) = args.cluster() {
        let _progress = Progress::spinner("counting all tables on the cluster");
        let counted = planned.count_on(&source, edition, &cluster);
        return counted.map_err(|error| failure(error, args));
    }
    let progress = Progress::spinner("counting all tables: rows");
    let tell = |rows| {
        progress.set(rows);
        ControlFlow::Continue(())
    };
    let data = planned.count(&source, edition, randomness, &Resources::default(), &tell);
    let data = data.map_err(|error| failure(error, args))?;
    Ok(match &asked.file {
        Some(file) => data.shown_as(file.plan().source()),
        None => data,
    })
}

/// What a question leaves out of a file, for the eyes of the owner of the data.
pub(crate) fn left_out(args: &SourceArgs, asked: &PlanOfFlags) -> Result<(LeftOut, Question), Failure> {
    let (source, question) = (source(args, asked)?, asked.asked()?.question());
    let progress = Progress::spinner("checking: rows");
    let tell = |rows| {
        progress.set(rows);
        ControlFlow::Continue(())
    };
    let found = posterity::data::left_out(&source, question, &Resources::default(), &tell);
    Ok((found.map_err(|error| failure(error, args))?, question.clone()))
}

/// Refuses what is no source, before anything is planned: the data is named, and a path is a path.
pub(crate) fn check_source(args: &SourceArgs, may_be_counts: bool) -> Result<(), Failure> {
    let Some(path) = args.source.as_deref() else {
        return match (&args.counts, &args.plan) {
            (Some(_), _) if !may_be_counts => Err(Failure::usage(
                "--counts",
                "this needs the records of a file; name the file in the place of the counts",
            )),
            (None, None) if may_be_counts => Err(Failure::usage(
                "FILE or --counts",
                "the data is required: name a file, or give the counts",
            )),
            (None, None) => Err(Failure::usage("FILE", "name the file that holds the columns")),
            _ => Ok(()),
        };
    };
    // The user may have forgotten --counts. Counts are private, so the message does not repeat them.
    if looks_like_counts(path) {
        return Err(Failure::usage("FILE", "this looks like counts; write them after --counts"));
    }
    if args.name.is_some() && path != STANDARD_INPUT {
        return Err(Failure::usage("--name", "this is for standard input; a file is known by its path"));
    }
    if args.password_file.is_some() && !PostgresServer::is_meant(path) {
        return Err(Failure::usage("--password-file", "this is for a database of PostgreSQL; leave it out"));
    }
    Ok(())
}

/// The files, or the table of a server.
fn source(args: &SourceArgs, asked: &PlanOfFlags) -> Result<Source, Failure> {
    if let (Some(file), None) = (&asked.file, &args.source) {
        return Ok(file.records().clone());
    }
    let source = match args.source.as_deref().unwrap_or_default() {
        STANDARD_INPUT => Source::standard_input(args.name.clone()),
        address if PostgresServer::is_meant(address) => Source::postgres(server(address, args)?),
        path => Source::files(path),
    };
    Ok(asked.plan.open(source))
}

/// A server, with the user and the password that the environment or a file gives.
fn server(address: &str, args: &SourceArgs) -> Result<PostgresServer, Failure> {
    let server: PostgresServer = address.parse().map_err(|error| Failure::usage("FILE", error))?;
    let given = |name| std::env::var(name).ok().filter(|value| !value.is_empty());
    let password = match &args.password_file {
        None => given("PGPASSWORD"),
        Some(file) => {
            let text =
                read_text(file).map_err(|error| Failure::refused(format!("--password-file: {error}")))?;
            Some(text.lines().next().unwrap_or_default().to_owned())
        }
    };
    Ok(server.with_default_user(given("PGUSER")).with_password(password))
}

/// A wrong argument ends with exit code 2, a wrong file with 1.
fn failure(error: DataError, args: &SourceArgs) -> Failure {
    let blame = Blame::data(&error);
    match (&error, blame) {
        (DataError::UnknownColumn { .. }, _) => {
            Failure::Usage(format!("{}{}", blamed(blame, &error), args.declared.repeat()))
        }
        (_, Blame::Argument(_)) => Failure::Usage(blamed(blame, error)),
        (_, Blame::Other(_)) => {
            Failure::refused(format!("{}; nothing was charged or released", blamed(blame, error)))
        }
    }
}
