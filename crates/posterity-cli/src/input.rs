//! Where the data of a release comes from.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use clap::{ArgMatches, Args};
use posterity::data::{
    Bins, BinsError, Column, DataError, Domain, LeftOut, PerUnit, Question, Resources, Source, ValuesAsked,
};
use posterity::text_file::read_text;
use posterity::{
    Adjacency, Categories, Data, MarginsData, MarginsTerms, PlannedMargins, Randomness, ValueData,
};
use posterity_core::model::CategoriesError;
use posterity_present::Blame;
use posterity_study::declared_fields;

use crate::counts::{RawCounts, counts_under, parse_counts, wrong_counts};
use crate::failure::Failure;
use crate::progress::Progress;

/// Where the data comes from.
#[derive(Debug, Args)]
pub(crate) struct SourceArgs {
    /// A CSV, JSON (one object per line), Parquet or Arrow file, a folder of such files, or a glob
    #[arg(value_name = "FILE")]
    source: Option<String>,

    /// Instead of a file: how many records fall into each category. Other users of this machine can see the arguments
    /// of a running command: on a shared machine use a file
    #[arg(long, value_name = "LIST", allow_hyphen_values = true, conflicts_with = "source")]
    counts: Option<RawCounts>,

    /// Column that holds the categories; repeat the flag to take several columns together
    #[arg(long, value_name = "NAME")]
    column: Vec<String>,

    /// The possible values of the column, separated by commas, once for each column; with --counts the names of the
    /// categories, numbers if not given. "discover" names the values that occur often enough, if nobody can list them:
    /// it needs --adjacency add-remove, --delta, and --unit or --one-record-per-person
    #[arg(long, value_name = "LIST")]
    categories: Vec<String>,

    /// The same from a file with one value per line
    #[arg(long, value_name = "FILE")]
    categories_file: Vec<PathBuf>,

    /// Sort the numbers of the column into bins between these edges: 0,18,65 makes [0,18) and [18,65); in the place of
    /// --categories
    #[arg(long, value_name = "EDGES", allow_hyphen_values = true)]
    bins: Vec<String>,

    /// What --categories, --categories-file and --bins declare, in the order in which they were given.
    #[arg(skip)]
    declared: Vec<Declared>,

    /// Count only records for which this condition is true, such as "age > 30 AND sex = 'f'" or "day < DATE
    /// '2025-01-31'". The condition is published. With --adjacency add-remove it may use any column: who passes it is
    /// protected. With replace, n is published, the number of records that pass it, exactly and at any epsilon: use it
    /// for what is public about people only (year, site). For what is private about people use --within, or make it a
    /// --column
    #[arg(long = "where", value_name = "SQL")]
    filter: Option<String>,

    /// Count all records, those for which this condition is not true in a category of their own, "outside", which is
    /// the last. So n is the number of all records, and whether someone is within is protected: use it for what is
    /// private about people (age, income, a diagnosis). It costs accuracy where few are within. With --prior, the last
    /// parameter is that of "outside"
    #[arg(long, value_name = "SQL")]
    within: Option<String>,

    /// Protect all records of one value of this column together, such as a person; each counts once. Without it each
    /// record is protected by itself: if people have several records, use --unit
    #[arg(long, value_name = "COLUMN")]
    unit: Option<String>,

    /// By which of its records a unit counts: random (one drawn uniformly), first (the category that is declared
    /// first), mode (the most frequent category), or "latest COLUMN" (the last by that column) [default: random]. With
    /// --adjacency add-remove also "all K": every record, or K of them drawn at random where there are more; the noise is
    /// K times as wide
    #[arg(long, value_name = "RULE", requires = "unit")]
    per_unit: Option<PerUnit>,

    /// Count values that are not declared as this category; without it they are an error, or left out with --adjacency
    /// add-remove. After a --column it is for
    /// that column only, and before the first one for all of them
    #[arg(long, value_name = "NAME")]
    other: Vec<String>,

    /// Count missing values as this category; without it they are an error, or left out with --adjacency add-remove. After a --column it is for that column
    /// only, and before the first one for all of them
    #[arg(long, value_name = "NAME")]
    missing: Vec<String>,

    /// After which column each --other and --missing stands.
    #[arg(skip)]
    labelled: [Vec<Option<usize>>; 2],

    /// What tells this edition of the data from others, such as 2026. It is published, and part of the question that a
    /// ledger knows: a file that changes keeps its name
    #[arg(long, value_name = "TEXT", value_parser = clap::builder::NonEmptyStringValueParser::new())]
    edition: Option<String>,

    /// Read the files as csv, json, parquet or arrow, whatever their names
    #[arg(long, value_name = "FORMAT")]
    input_format: Option<posterity::data::Format>,

    /// Character between the fields of a CSV file [default: comma]
    #[arg(long, value_name = "C")]
    delimiter: Option<char>,

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

/// What is declared for one column.
#[derive(Clone, Debug)]
enum Declared {
    /// Values, separated by commas.
    Categories(String),
    /// A file of values.
    File(PathBuf),
    /// Edges of bins, separated by commas.
    Bins(String),
}

/// What stands in the place of a list of values where they are to be discovered.
const DISCOVER: &str = "discover";

impl SourceArgs {
    /// Whether the values of a column are to be discovered.
    pub(crate) fn discovers(&self) -> bool {
        self.source.is_some() && self.categories.iter().any(|list| list.trim() == DISCOVER)
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
        let places = |id: &str| matches.indices_of(id).into_iter().flatten().collect::<Vec<_>>();
        let lists = self.categories.iter().cloned().map(Declared::Categories);
        let files = self.categories_file.iter().cloned().map(Declared::File);
        let bins = self.bins.iter().cloned().map(Declared::Bins);
        let mut all: Vec<(usize, Declared)> = places("categories").into_iter().zip(lists).collect();
        all.extend(places("categories_file").into_iter().zip(files));
        all.extend(places("bins").into_iter().zip(bins));
        all.sort_by_key(|(place, _)| *place);
        self.declared = all.into_iter().map(|(_, declared)| declared).collect();
        let columns = places("column");
        let after = |place: usize| columns.iter().rposition(|column| *column < place);
        self.labelled = ["other", "missing"].map(|id| places(id).into_iter().map(after).collect());
    }
}

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
            typed(&parse_counts(&counts.0)?, args, adjacency)
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
    let domains = domains(args)?;
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
    let given = [
        ("--column", !args.column.is_empty()),
        ("--bins", !args.bins.is_empty()),
        ("--where", args.filter.is_some()),
        ("--within", args.within.is_some()),
        ("--unit", args.unit.is_some()),
        ("--other", !args.other.is_empty()),
        ("--missing", !args.missing.is_empty()),
        ("--input-format", args.input_format.is_some()),
        ("--delimiter", args.delimiter.is_some()),
        #[cfg(feature = "cluster")]
        ("--cluster", args.cluster.is_some()),
    ];
    match given.into_iter().find(|(_, given)| *given) {
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
    if let Some(cluster) = &args.cluster {
        let cluster = cluster.clone().with_partitions(args.partitions.unwrap_or(cluster.partitions()));
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
    let path = args.source.as_deref().unwrap_or_default();
    let [column] = args.column.as_slice() else {
        return Err(Failure::usage(
            "--column",
            "categories are discovered in one column; name that column only",
        ));
    };
    let unused = [
        ("--categories", args.categories.len() > 1),
        ("--categories-file", !args.categories_file.is_empty()),
        ("--bins", !args.bins.is_empty()),
        ("--within", args.within.is_some()),
        ("--other", !args.other.is_empty()),
        #[cfg(feature = "cluster")]
        ("--cluster", args.cluster.is_some()),
    ];
    if let Some((flag, _)) = unused.into_iter().find(|(_, given)| *given) {
        return Err(Failure::usage(flag, "this does not go with --categories discover; leave it out"));
    }
    let missing = labels("--missing", &args.missing, &args.labelled[1], &args.column)?;
    let asked = ValuesAsked {
        filter: args.filter.clone(),
        unit: args.unit.clone(),
        per_unit: args.per_unit.clone().unwrap_or_default(),
        missing: missing.into_iter().next().flatten(),
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

/// The file and the columns of tables of many columns: those of a schema, or those that are declared by flags.
pub(crate) fn margins_question(
    args: &SourceArgs,
    schema: Option<&Path>,
    terms: &MarginsTerms,
) -> Result<(Source, Question), Failure> {
    let Some(path) = &args.source else {
        return Err(Failure::usage("FILE", "name the file that holds the columns; --margins needs one"));
    };
    #[cfg(feature = "cluster")]
    if args.cluster.is_some() {
        return Err(Failure::usage(
            "--cluster",
            "tables of many columns are counted on this machine; leave it out",
        ));
    }
    let Some(schema) = schema else { return asked(path, args, terms.adjacency) };
    let given = [
        ("--categories", !args.categories.is_empty()),
        ("--categories-file", !args.categories_file.is_empty()),
        ("--bins", !args.bins.is_empty()),
    ];
    if let Some((flag, _)) = given.into_iter().find(|(_, given)| *given) {
        return Err(Failure::usage(
            flag,
            "the schema declares the values; leave it out, or leave out --schema",
        ));
    }
    let declared = read_schema(schema)?;
    let chosen = chosen(args, terms, &declared)?;
    let (names, domains): (Vec<String>, Vec<Domain>) = chosen.into_iter().unzip();
    Ok((source(path, args)?, question(args, &names, domains, terms.adjacency)?))
}

/// The columns whose values a schema declares, in its order.
fn read_schema(path: &Path) -> Result<Vec<(String, Domain)>, Failure> {
    let text = read_text(path).map_err(|error| Failure::refused(format!("--schema: {error}")))?;
    let wrong = |why: String| Failure::refused(format!("--schema: {} {why}", path.display()));
    let declared = declared_fields(&text).map_err(wrong)?;
    if declared.is_empty() {
        return Err(wrong("declares no values of any column; add constraints.enum to its fields".to_owned()));
    }
    Ok(declared)
}

/// The columns that are named by --column, or by sets alone, or else all that are declared.
fn chosen(
    args: &SourceArgs,
    terms: &MarginsTerms,
    declared: &[(String, Domain)],
) -> Result<Vec<(String, Domain)>, Failure> {
    let find = |name: &String, flag: &str| {
        let found = declared.iter().find(|(known, _)| known == name).cloned();
        found.ok_or_else(|| {
            let known = declared.iter().map(|(name, _)| format!("{name:?}")).collect::<Vec<_>>().join(", ");
            Failure::usage(flag, format!("the schema declares no values of {name:?}; it does of {known}"))
        })
    };
    if !args.column.is_empty() {
        return args.column.iter().map(|name| find(name, "--column")).collect();
    }
    if terms.which.order.is_some() {
        return Ok(declared.to_vec());
    }
    terms.which.names().try_for_each(|name| find(&name.to_owned(), "--margins").map(|_| ()))?;
    let named = |(name, _): &&(String, Domain)| terms.which.names().any(|known| known == name);
    Ok(declared.iter().filter(named).cloned().collect())
}

/// Counts all tables of a file.
pub(crate) fn count_margins(
    args: &SourceArgs,
    source: &Source,
    planned: PlannedMargins,
    randomness: Randomness,
) -> Result<MarginsData, Failure> {
    planned.check().map_err(|error| failure(error, args))?;
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
    if args.discovers() {
        return Err(Failure::usage(
            "--categories",
            "name the values to check for; discovered ones are never left out",
        ));
    }
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
    if args.column.is_empty() {
        return Err(Failure::usage("--column", "say which column of the file holds the categories"));
    }
    let domains = domains(args)?;
    if domains.len() != args.column.len() {
        return Err(Failure::usage(
            "--categories",
            format!(
                "there are {} lists of categories or bins for {} columns; declare the possible values of each column, in the \
                 order of --column. They are never read from the data, because that would reveal which ones occur{}",
                domains.len(),
                args.column.len(),
                repeat(&args.column)
            ),
        ));
    }
    Ok((source, question(args, &args.column, domains, adjacency)?))
}

/// What is asked of these columns.
fn question(
    args: &SourceArgs,
    names: &[String],
    domains: Vec<Domain>,
    adjacency: Adjacency,
) -> Result<Question, Failure> {
    let others = labels("--other", &args.other, &args.labelled[0], names)?;
    let missing = labels("--missing", &args.missing, &args.labelled[1], names)?;
    let labels = others.into_iter().zip(missing);
    let columns = names.iter().zip(domains).zip(labels);
    let columns = columns.map(|((name, domain), (other, missing))| Column {
        other,
        missing,
        ..Column::of(name, domain)
    });
    Ok(Question {
        filter: args.filter.clone(),
        within: args.within.clone(),
        unit: args.unit.clone(),
        per_unit: args.per_unit.clone().unwrap_or_default(),
        adjacency,
        ..Question::new(columns.collect())
    })
}

/// The file or files.
fn source(path: &str, args: &SourceArgs) -> Result<Source, Failure> {
    // The user may have forgotten --counts. Counts are private, so the message does not repeat them.
    if path.chars().all(|c| c.is_ascii_digit() || c == ',' || c == ' ') {
        return Err(Failure::usage("FILE", "this looks like counts; write them after --counts"));
    }
    let mut source = Source::files(path);
    if let Some(format) = args.input_format {
        source = source.with_format(format);
    }
    if let Some(delimiter) = args.delimiter {
        source = source.with_delimiter(delimiter);
    }
    Ok(source)
}

/// What a flag names for each column: the name that stands after it, or else the one before all columns.
fn labels(
    flag: &str,
    names: &[String],
    after: &[Option<usize>],
    columns: &[String],
) -> Result<Vec<Option<String>>, Failure> {
    let at = |place: Option<usize>| {
        let mut here = names.iter().zip(after).filter(|(_, after)| **after == place).map(|(name, _)| name);
        match (here.next(), here.next()) {
            (_, Some(_)) => {
                let place =
                    place.map_or_else(|| "all columns".into(), |index| format!("{:?}", columns[index]));
                Err(Failure::usage(
                    flag,
                    format!("this is given twice for {place}; write it after its --column"),
                ))
            }
            (first, None) => Ok(first.cloned()),
        }
    };
    let every = at(None)?;
    (0..columns.len()).map(|index| Ok(at(Some(index))?.or_else(|| every.clone()))).collect()
}

/// A wrong argument ends with exit code 2, a wrong file with 1.
fn failure(error: DataError, args: &SourceArgs) -> Failure {
    let flag = |name: &str| format!("--{name}");
    let blame = Blame::data(&error);
    match (&error, blame) {
        (DataError::UnknownColumn { .. }, _) => {
            Failure::Usage(format!("{}{}", blame.told(&error, flag), repeat(&args.column)))
        }
        (_, Blame::Argument(_)) => Failure::Usage(blame.told(error, flag)),
        (_, Blame::Other(_)) => {
            Failure::refused(format!("{}; nothing was charged or released", blame.told(error, flag)))
        }
    }
}

/// Says how several columns are named, if commas were tried.
fn repeat(columns: &[String]) -> String {
    match columns.iter().find(|column| column.contains(',')) {
        Some(column) => {
            let flags: Vec<String> =
                column.split(',').map(|name| format!("--column {}", name.trim())).collect();
            format!("; to take several columns together, repeat the flag: {}", flags.join(" "))
        }
        None => String::new(),
    }
}

/// What is declared for the columns, in the order in which it was given.
fn domains(args: &SourceArgs) -> Result<Vec<Domain>, Failure> {
    let split = |list: &str| list.split(',').map(|name| name.trim().to_owned()).collect();
    let domain = |declared: &Declared| {
        Ok(match declared {
            Declared::Categories(list) => Domain::Values(split(list)),
            Declared::File(path) => Domain::Values(read_categories(path)?),
            Declared::Bins(edges) => {
                let bins = Bins::new(edges.split(','));
                Domain::Bins(bins.map_err(|error| match error {
                    BinsError::NotGrowing { .. } => Failure::usage("--bins", error),
                    error => Failure::usage("--bins", format!("{error}; put commas between them: 0,18,65")),
                })?)
            }
        })
    };
    args.declared.iter().map(domain).collect()
}

/// One category per line.
fn read_categories(path: &Path) -> Result<Vec<String>, Failure> {
    let text = read_text(path).map_err(|error| Failure::refused(format!("--categories-file: {error}")))?;
    Ok(text.lines().map(str::to_owned).filter(|line| !line.is_empty()).collect())
}
