//! Where the data of a release comes from.

use std::ops::ControlFlow;
use std::path::Path;

use posterity::data::{Bins, BinsError, Column, DataError, Domain, Question, Resources, Source};
use posterity::text_file::read_text;
use posterity::{Categories, Counts, Data, Randomness};
use posterity_present::Blame;

use crate::args::{Declared, ReleaseArgs, SourceArgs};
use crate::failure::Failure;
use crate::progress::Progress;
use crate::resolve::{parse_counts, wrong_categories, wrong_counts};

/// Counts the records of a file, or takes the counts that were typed.
pub(crate) fn input(args: &ReleaseArgs, randomness: Randomness) -> Result<Data, Failure> {
    let SourceArgs { source, counts, .. } = &args.data;
    match (source, counts) {
        (Some(path), None) => read(path, &args.data, randomness),
        (None, Some(counts)) => {
            refuse_columns(&args.data)?;
            typed(&parse_counts(&counts.0)?, &args.data)
        }
        // The parser refuses both together.
        (Some(_), Some(_)) | (None, None) => {
            Err(Failure::usage("FILE or --counts", "the data is required: name a file, or give the counts"))
        }
    }
}

fn typed(counts: &[u64], args: &SourceArgs) -> Result<Data, Failure> {
    let counts = Counts::new(counts.to_vec()).map_err(wrong_counts)?;
    let domains = domains(args)?;
    let categories = match &domains[..] {
        [] => Categories::numbered(counts.len()),
        [names] => Categories::new(names.names()),
        _ => return Err(Failure::usage("--categories", "counts have one list of names; give the flag once")),
    };
    let categories = categories.map_err(wrong_categories)?;
    Data::new(counts, categories).map_err(|error| Failure::usage("--categories", error))
}

/// Refuses flags that are for files only.
fn refuse_columns(args: &SourceArgs) -> Result<(), Failure> {
    let given = [
        ("--column", !args.column.is_empty()),
        ("--bins", !args.bins.is_empty()),
        ("--where", args.filter.is_some()),
        ("--within", args.within.is_some()),
        ("--unit", args.unit.is_some()),
        ("--other", args.other.is_some()),
        ("--missing", args.missing.is_some()),
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

fn read(path: &str, args: &SourceArgs, randomness: Randomness) -> Result<Data, Failure> {
    // The user may have forgotten --counts. Counts are private, so the message does not repeat them.
    if path.chars().all(|c| c.is_ascii_digit() || c == ',' || c == ' ') {
        return Err(Failure::usage("FILE", "this looks like counts; write them after --counts"));
    }
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
    let columns =
        args.column.iter().zip(domains).map(|(name, domain)| Column { name: name.clone(), domain }).collect();
    let question = Question {
        other: args.other.clone(),
        missing: args.missing.clone(),
        filter: args.filter.clone(),
        within: args.within.clone(),
        unit: args.unit.clone(),
        per_unit: args.per_unit.clone().unwrap_or_default(),
        ..Question::new(columns)
    };
    let mut source = Source::files(path);
    if let Some(format) = args.input_format {
        source = source.with_format(format);
    }
    if let Some(delimiter) = args.delimiter {
        source = source.with_delimiter(delimiter);
    }
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
