//! Opening and counting the data of a release.

use std::ops::ControlFlow;

use posterity::batch::{Batch, BatchData, BatchError};
use posterity::data::{
    DataError, Format, LeftOut, Look, LookedFor, PostgresServer, Question, Resources, Source, ValuesAsked,
    read_counted,
};
use posterity::discovery::ValueData;
use posterity::margins::{MarginsData, PlannedMargins};
use posterity::plan::{Blame, Plan, PlannedTable};
use posterity::text_file::read_text;
use posterity::{Categories, Data, Randomness};
use posterity_core::model::CategoriesError;
use posterity_present::argument::looks_like_counts;

use crate::asked::{PlanOfFlags, blamed};
use crate::counts::{RawCounts, counts_under, parse_counts, wrong_counts};
use crate::failure::Failure;
use crate::fields::FieldArgs;
use crate::progress::Progress;
use crate::source_args::{STANDARD_INPUT, SourceArgs};

/// The names of categories without columns are those of counts.
fn typed(counts: &RawCounts, plan: &Plan) -> Result<Data, Failure> {
    let adjacency = plan.records().adjacency;
    let counts = counts_under(adjacency)(parse_counts(&counts.0, adjacency)?).map_err(wrong_counts)?;
    let asked = plan.all::<PlannedTable>().next();
    let names = asked.map(|asked| asked.space().columns()[0].values.clone());
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
    let data = match (&args.counts, &args.counted) {
        (Some(counts), _) => typed(counts, &asked.plan)?,
        (None, Some(counted)) => counted_elsewhere(counted, args, asked)?,
        (None, None) => read(args, asked, randomness)?,
    };
    Ok(data.of_edition(asked.plan.edition()))
}

/// Takes the counts that another program made of the records that the plan names.
fn counted_elsewhere(counted: &str, args: &SourceArgs, asked: &PlanOfFlags) -> Result<Data, Failure> {
    let source = match counted {
        STANDARD_INPUT => Source::standard_input(None).with_format(Format::Csv),
        path => Source::files(path),
    };
    let query = args.query.as_deref().map(read_text).transpose();
    let query = query.map_err(|error| Failure::refused(format!("--query: {error}")))?;
    let question = asked.asked::<PlannedTable>()?.question();
    let (name, wrong) = (asked.plan.source(), |why: String| {
        Failure::refused(format!("--counted: {why}; nothing was charged or released"))
    });
    let counted = read_counted(&source, question).map_err(|error| wrong(error.to_string()))?;
    let data = Data::counted_elsewhere(counted, question, query.as_deref());
    data.named_table(name, question).map_err(|error| wrong(error.to_string()))
}

fn read(args: &SourceArgs, asked: &PlanOfFlags, randomness: Randomness) -> Result<Data, Failure> {
    let (source, question) = (source(args, asked)?, asked.asked::<PlannedTable>()?.question());
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

/// The question of a plan, whatever its kind, and what was counted for it.
pub(crate) fn counted(
    args: &SourceArgs,
    asked: &PlanOfFlags,
    randomness: Randomness,
) -> Result<(Batch<'static>, BatchData), Failure> {
    #[cfg(feature = "cluster")]
    if args.cluster.is_some() {
        return Err(Failure::usage("--cluster", "this has no meaning for such a release; leave it out"));
    }
    let progress = Progress::spinner("counting: rows");
    let tell = |rows| {
        progress.set(rows);
        ControlFlow::Continue(())
    };
    let batch = asked.plan.batch(source(args, asked)?);
    match batch.count(randomness, &Resources::default(), &tell) {
        Ok(data) => Ok((batch, data)),
        Err(BatchError::Data(error)) => Err(failure(error, args)),
        Err(error) => Err(Failure::refused(error)),
    }
}

/// What the columns of a file hold, for the eyes of the owner of the data.
pub(crate) fn looked_at(args: &SourceArgs, asked: &PlanOfFlags, wanted: &LookedFor) -> Result<Look, Failure> {
    let source = source(args, asked)?;
    looking(|tell| posterity::data::look(&source, wanted, &Resources::default(), tell), args)
}

/// What a question leaves out of a file, for the eyes of the owner of the data. The fields are separated as was found.
pub(crate) fn left_out(
    args: &SourceArgs,
    asked: &PlanOfFlags,
    question: &Question,
    delimiter: Option<char>,
) -> Result<LeftOut, Failure> {
    let source = source(args, asked)?;
    let source = delimiter.iter().fold(source, |source, sign| source.with_delimiter(*sign));
    looking(|tell| posterity::data::left_out(&source, question, &Resources::default(), tell), args)
}

/// Looks at all records, and says how far it is.
fn looking<T>(
    look: impl FnOnce(&dyn Fn(u64) -> ControlFlow<()>) -> Result<T, DataError>,
    args: &SourceArgs,
) -> Result<T, Failure> {
    let progress = Progress::spinner("checking: rows");
    let tell = |rows| {
        progress.set(rows);
        ControlFlow::Continue(())
    };
    look(&tell).map_err(|error| failure(error, args))
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
