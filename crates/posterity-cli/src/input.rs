//! Where the data of a release comes from.

use std::ops::ControlFlow;
use std::path::PathBuf;

use clap::{ArgMatches, Args};
use posterity::data::{
    Column, DataError, LeftOut, PerUnit, PostgresServer, Question, Relation, Resources, Source, ValuesAsked,
};
use posterity::text_file::read_text;
use posterity::{
    Adjacency, Categories, Data, MarginsData, MarginsTerms, PlannedMargins, Randomness, ValueData,
};
use posterity_core::model::CategoriesError;
use posterity_present::Blame;
use posterity_present::argument::looks_like_counts;

use crate::counts::{RawCounts, counts_under, parse_counts, wrong_counts};
use crate::declared::DeclaredArgs;
use crate::failure::Failure;
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

    #[command(flatten)]
    declared: DeclaredArgs,

    /// Count only records for which this condition is true, such as "age > 30 AND sex = 'f'" or "day < DATE
    /// '2025-01-31'". The condition is published. With --adjacency add-remove it may use any column: who passes it is
    /// protected. With replace, n is published, the number of records that pass it, exactly and at any epsilon: use it
    /// for what is public about people only (year, site). For what is private about people use --within, or make it a
    /// --column
    #[arg(long = "where", value_name = "SQL", allow_hyphen_values = true)]
    filter: Option<String>,

    /// Count all records, those for which this condition is not true in a category of their own, "outside", which is
    /// the last. So n is the number of all records, and whether someone is within is protected: use it for what is
    /// private about people (age, income, a diagnosis). It costs accuracy where few are within. With --prior, the last
    /// parameter is that of "outside"
    #[arg(long, value_name = "SQL", allow_hyphen_values = true)]
    within: Option<String>,

    /// Protect all records of one value of this column together, such as a person; each counts once. Without it each
    /// record is protected by itself: if people have several records, use --unit
    #[arg(long, value_name = "COLUMN", allow_hyphen_values = true)]
    unit: Option<String>,

    /// By which of its records a unit counts: random (one drawn uniformly), first (the category that is declared
    /// first), mode (the most frequent category), or "latest COLUMN" (the last by that column) [default: random]. With
    /// --adjacency add-remove also "all K": every record, or K of them drawn at random where there are more; the noise is
    /// K times as wide
    #[arg(long, value_name = "RULE", requires = "unit")]
    per_unit: Option<PerUnit>,

    /// What tells this edition of the data from others, such as 2026. It is published, and part of the question that a
    /// ledger knows: a file that changes keeps its name
    #[arg(long, value_name = "TEXT", value_parser = clap::builder::NonEmptyStringValueParser::new())]
    edition: Option<String>,

    /// Read the files as csv, tsv, json, parquet, arrow or sqlite, whatever their names
    #[arg(long, value_name = "FORMAT")]
    input_format: Option<posterity::data::Format>,

    /// The table of a database whose rows are the records: of a SQLite file, or of PostgreSQL, there as visits or
    /// schema.visits, in the schema public if none is named
    #[arg(long, value_name = "NAME")]
    table: Option<String>,

    /// In place of --table: a view of a database, with --unit. A join spreads one person over many rows, so the release
    /// promises privacy only if each row of the view depends on one unit only and never fails, which you must know
    #[arg(long, value_name = "NAME", requires = "unit", conflicts_with = "table")]
    view: Option<String>,

    /// A file whose first line is the password of the user of a PostgreSQL database. Without it the variable PGPASSWORD
    /// is asked. A password is never a part of the address
    #[arg(long, value_name = "FILE", requires = "source")]
    password_file: Option<PathBuf>,

    /// Character between the fields of a CSV file [default: comma, or tab for TSV]
    #[arg(long, value_name = "C")]
    delimiter: Option<char>,

    /// Encoding of CSV, TSV and JSON files: windows-1252, utf-16 (with a byte order mark), utf-16le or utf-16be
    /// [default: utf-8]
    #[arg(long, value_name = "NAME")]
    encoding: Option<posterity::data::Encoding>,

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

    /// Whether each unit counts by one of its records, drawn at random.
    pub(crate) fn draws_records(&self) -> bool {
        self.unit.is_some() && self.per_unit.clone().unwrap_or_default() == PerUnit::Random
    }

    /// Whether a unit counts with several of its records.
    pub(crate) fn counts_several_records(&self) -> bool {
        self.per_unit.as_ref().is_some_and(|rule| rule.most().get() > 1)
    }

    /// Brings the declarations of columns into the order in which they were given.
    pub(crate) fn order(&mut self, matches: &ArgMatches) {
        self.declared.order(matches);
    }
}

/// How the standard input is named in place of a file.
const STANDARD_INPUT: &str = "-";

/// Counts the records of a file, or takes the counts that were typed.
pub(crate) fn input(
    args: &SourceArgs,
    adjacency: Adjacency,
    randomness: Randomness,
) -> Result<Data, Failure> {
    let data = match (&args.source, &args.counts) {
        (Some(path), None) => read(path, args, adjacency, randomness),
        (None, Some(counts)) => {
            refuse_columns(args)?;
            typed(&parse_counts(&counts.0, adjacency)?, args, adjacency)
        }
        // The parser refuses both together.
        (Some(_), Some(_)) | (None, None) => {
            Err(Failure::usage("FILE or --counts", "the data is required: name a file, or give the counts"))
        }
    }?;
    Ok(data.of_edition(args.edition.as_deref()))
}

fn typed(counts: &[u64], args: &SourceArgs, adjacency: Adjacency) -> Result<Data, Failure> {
    let counts = counts_under(adjacency)(counts.to_vec()).map_err(wrong_counts)?;
    let domains = args.declared.domains()?;
    let categories = match &domains[..] {
        [] => Categories::numbered(counts.len()),
        [names] => Categories::new(names.names()),
        _ => return Err(Failure::usage("--categories", "counts have one list of names; give the flag once")),
    };
    let categories = categories.map_err(wrong_categories)?;
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

/// Refuses flags that are for files only.
fn refuse_columns(args: &SourceArgs) -> Result<(), Failure> {
    // Counts may have names.
    let names = ["--categories", "--categories-file"];
    let columns = args.declared.given().into_iter().filter(|(flag, _)| !names.contains(flag));
    let given = [
        ("--where", args.filter.is_some()),
        ("--within", args.within.is_some()),
        ("--unit", args.unit.is_some()),
        ("--input-format", args.input_format.is_some()),
        ("--table", args.table.is_some()),
        ("--view", args.view.is_some()),
        ("--password-file", args.password_file.is_some()),
        ("--delimiter", args.delimiter.is_some()),
        ("--encoding", args.encoding.is_some()),
        ("--name", args.name.is_some()),
        #[cfg(feature = "cluster")]
        ("--cluster", args.cluster.is_some()),
    ];
    match columns.chain(given).find(|(_, given)| *given) {
        Some((flag, _)) => Err(Failure::usage(flag, "this is for files; with --counts, leave it out")),
        None => Ok(()),
    }
}

fn read(
    path: &str,
    args: &SourceArgs,
    adjacency: Adjacency,
    randomness: Randomness,
) -> Result<Data, Failure> {
    let (source, question) = asked(path, args, adjacency)?;
    #[cfg(feature = "cluster")]
    if let Some(cluster) = args.cluster() {
        let _progress = Progress::spinner("counting on the cluster");
        return Data::read_on(&source, &question, &cluster).map_err(|error| failure(error, args));
    }
    let progress = Progress::spinner("counting: rows");
    let tell = |rows| {
        progress.set(rows);
        ControlFlow::Continue(())
    };
    Data::read_from(&source, &question, randomness, &Resources::default(), &tell)
        .map_err(|error| failure(error, args))
}

/// Counts every value of the column whose values are to be discovered. `check` refuses what it can before that.
pub(crate) fn values(
    args: &SourceArgs,
    randomness: Randomness,
    check: impl FnOnce(&ValuesAsked) -> Result<(), Failure>,
) -> Result<ValueData, Failure> {
    let Some(path) = &args.source else {
        return Err(Failure::usage("FILE", "name the file that holds the column"));
    };
    let (column, missing) = args.declared.discovered()?;
    let unused = [
        ("--within", args.within.is_some()),
        #[cfg(feature = "cluster")]
        ("--cluster", args.cluster.is_some()),
    ];
    if let Some((flag, _)) = unused.into_iter().find(|(_, given)| *given) {
        return Err(Failure::usage(
            flag,
            "this has no meaning where categories are discovered; leave it out",
        ));
    }
    let asked = ValuesAsked {
        filter: args.filter.clone(),
        unit: args.unit.clone(),
        per_unit: args.per_unit.clone().unwrap_or_default(),
        missing,
        ..ValuesAsked::new(column)
    };
    check(&asked)?;
    asked.check().map_err(|error| failure(error, args))?;
    let progress = Progress::spinner("counting all values");
    let tell = |rows| {
        progress.set(rows);
        ControlFlow::Continue(())
    };
    let data = ValueData::read_from(&source(path, args)?, &asked, randomness, &Resources::default(), &tell);
    Ok(data.map_err(|error| failure(error, args))?.of_edition(args.edition.as_deref()))
}

/// The file and the columns of tables of many columns.
pub(crate) fn margins_question(
    args: &SourceArgs,
    terms: &MarginsTerms,
) -> Result<(Source, Question), Failure> {
    let Some(path) = &args.source else {
        return Err(Failure::usage("FILE", "name the file that holds the columns"));
    };
    let source = source(path, args)?;
    Ok((source, question(args, args.declared.columns_of(&terms.which)?, terms.adjacency)))
}

/// Counts all tables of a file.
pub(crate) fn count_margins(
    args: &SourceArgs,
    source: &Source,
    planned: PlannedMargins,
    randomness: Randomness,
) -> Result<MarginsData, Failure> {
    planned.check().map_err(|error| failure(error, args))?;
    #[cfg(feature = "cluster")]
    if let Some(cluster) = args.cluster() {
        let _progress = Progress::spinner("counting all tables on the cluster");
        let counted = planned.count_on(source, args.edition.as_deref(), &cluster);
        return counted.map_err(|error| failure(error, args));
    }
    let progress = Progress::spinner("counting all tables: rows");
    let tell = |rows| {
        progress.set(rows);
        ControlFlow::Continue(())
    };
    planned
        .count(source, args.edition.as_deref(), randomness, &Resources::default(), &tell)
        .map_err(|error| failure(error, args))
}

/// What a question leaves out of a file, for the eyes of the owner of the data.
pub(crate) fn left_out(args: &SourceArgs) -> Result<(LeftOut, Question), Failure> {
    let Some(path) = &args.source else {
        return Err(Failure::usage("FILE", "name the file to check; counts leave nothing out"));
    };
    let (source, question) = asked(path, args, Adjacency::AddRemove)?;
    let progress = Progress::spinner("checking: rows");
    let tell = |rows| {
        progress.set(rows);
        ControlFlow::Continue(())
    };
    let found = posterity::data::left_out(&source, &question, &Resources::default(), &tell);
    Ok((found.map_err(|error| failure(error, args))?, question))
}

/// The file and what is asked of it.
fn asked(path: &str, args: &SourceArgs, adjacency: Adjacency) -> Result<(Source, Question), Failure> {
    let source = source(path, args)?;
    Ok((source, question(args, args.declared.columns()?, adjacency)))
}

/// What is asked of these columns.
fn question(args: &SourceArgs, columns: Vec<Column>, adjacency: Adjacency) -> Question {
    Question {
        filter: args.filter.clone(),
        within: args.within.clone(),
        unit: args.unit.clone(),
        per_unit: args.per_unit.clone().unwrap_or_default(),
        adjacency,
        ..Question::new(columns)
    }
}

/// The files, or the table of a server.
fn source(path: &str, args: &SourceArgs) -> Result<Source, Failure> {
    // The user may have forgotten --counts. Counts are private, so the message does not repeat them.
    if looks_like_counts(path) {
        return Err(Failure::usage("FILE", "this looks like counts; write them after --counts"));
    }
    let input = path == STANDARD_INPUT;
    if args.name.is_some() && !input {
        return Err(Failure::usage("--name", "this is for standard input; a file is known by its path"));
    }
    let is_server = PostgresServer::is_meant(path);
    if args.password_file.is_some() && !is_server {
        return Err(Failure::usage("--password-file", "this is for a database of PostgreSQL; leave it out"));
    }
    let mut source = match path {
        STANDARD_INPUT => Source::standard_input(args.name.clone()),
        address if is_server => Source::postgres(server(address, args)?),
        path => Source::files(path),
    };
    if let Some(format) = args.input_format {
        source = source.with_format(format);
    }
    if let Some(delimiter) = args.delimiter {
        source = source.with_delimiter(delimiter);
    }
    let table = args.table.clone().map(Relation::Table);
    if let Some(relation) = table.or_else(|| args.view.clone().map(Relation::View)) {
        source = source.with_relation(relation);
    }
    if let Some(encoding) = args.encoding {
        source = source.with_encoding(encoding);
    }
    Ok(source)
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
    let flag = |name: &str| format!("--{name}");
    let blame = Blame::data(&error);
    match (&error, blame) {
        (DataError::UnknownColumn { .. }, _) => {
            Failure::Usage(format!("{}{}", blame.told(&error, flag), args.declared.repeat()))
        }
        (_, Blame::Argument(_)) => Failure::Usage(blame.told(error, flag)),
        (_, Blame::Other(_)) => {
            Failure::refused(format!("{}; nothing was charged or released", blame.told(error, flag)))
        }
    }
}
