//! Where the data of a release comes from.

use std::path::Path;

use posterity::Input;
use posterity::data::{Column, DataError, Question, Resources, Source};
use posterity_core::model::{Categories, Counts};

use crate::args::{ReleaseArgs, SourceArgs};
use crate::failure::Failure;
use crate::progress::Progress;
use crate::resolve::parse_counts;

/// Counts the records of a file, or takes the counts that were typed.
pub(crate) fn input(args: &ReleaseArgs) -> Result<Input, Failure> {
    let SourceArgs { source, counts, .. } = &args.data;
    match (source, counts) {
        (Some(path), None) => read(path, &args.data),
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

fn typed(counts: &[u64], args: &SourceArgs) -> Result<Input, Failure> {
    let counts = Counts::new(counts.to_vec()).map_err(|error| Failure::usage("--counts", error))?;
    let lists = category_lists(args)?;
    let categories = match &lists[..] {
        [] => Categories::numbered(counts.len()),
        [names] => Categories::new(names.clone()),
        _ => return Err(Failure::usage("--categories", "counts have one list of names; give the flag once")),
    };
    let categories = categories.map_err(|error| Failure::usage("--categories", error))?;
    Input::counts(counts, categories).map_err(|error| Failure::usage("--categories", error))
}

/// Flags that say something about a file say nothing about counts.
fn refuse_columns(args: &SourceArgs) -> Result<(), Failure> {
    let given = [
        ("--column", !args.column.is_empty()),
        ("--where", args.filter.is_some()),
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

fn read(path: &str, args: &SourceArgs) -> Result<Input, Failure> {
    // Somebody who forgot the flag typed private numbers: they are not repeated.
    if path.chars().all(|c| c.is_ascii_digit() || c == ',' || c == ' ') {
        return Err(Failure::usage("FILE", "this looks like counts; write them after --counts"));
    }
    if args.column.is_empty() {
        return Err(Failure::usage("--column", "say which column of the file holds the categories"));
    }
    let lists = category_lists(args)?;
    if lists.len() != args.column.len() {
        return Err(Failure::usage(
            "--categories",
            format!(
                "there are {} lists of categories for {} columns; declare the possible values of each column, in the order of \
                 --column. They are never read from the data, because that would reveal which ones occur",
                lists.len(),
                args.column.len()
            ),
        ));
    }
    let columns =
        args.column.iter().zip(lists).map(|(name, values)| Column::new(name.clone(), values)).collect();
    let question = Question {
        other: args.other.clone(),
        missing: args.missing.clone(),
        filter: args.filter.clone(),
        unit: args.unit.clone(),
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
        return Input::read_on(&source, &question, &cluster).map_err(failure);
    }
    let progress = Progress::spinner("counting: rows");
    Input::read(&source, &question, &Resources::default(), &|rows| progress.set(rows)).map_err(failure)
}

/// What the user typed wrongly ends with exit code 2, what is wrong with the file with 1.
fn failure(error: DataError) -> Failure {
    let flag = match &error {
        DataError::Filter { .. } => return Failure::usage("--where", error),
        DataError::Space(_) => return Failure::usage("--categories", error),
        DataError::Delimiter { .. } => return Failure::usage("--delimiter", error),
        DataError::UnknownColumn { .. } => return Failure::usage("--column or --unit", error),
        DataError::Outside { .. } => " (--categories, --other)",
        DataError::Missing { .. } => " (--missing, --where)",
        DataError::MissingUnit { .. } => " (--unit, --where)",
        DataError::UnknownFormat { .. } => " (--input-format)",
        DataError::NoRecords => " (--where)",
        DataError::ClusterUnreachable { .. }
        | DataError::ClusterFormat { .. }
        | DataError::Cluster { .. } => " (--cluster)",
        _ => "",
    };
    Failure::refused(format!("{error}{flag}; nothing was charged or released"))
}

/// The lists of `--categories`, or those of `--categories-file`.
fn category_lists(args: &SourceArgs) -> Result<Vec<Vec<String>>, Failure> {
    if !args.categories.is_empty() && !args.categories_file.is_empty() {
        let why = "give all lists by --categories, or all by --categories-file";
        return Err(Failure::usage("--categories-file", why));
    }
    if !args.categories_file.is_empty() {
        return args.categories_file.iter().map(|path| read_categories(path)).collect();
    }
    Ok(args
        .categories
        .iter()
        .map(|list| list.split(',').map(|name| name.trim().to_owned()).collect())
        .collect())
}

/// One category per line.
fn read_categories(path: &Path) -> Result<Vec<String>, Failure> {
    let text = std::fs::read_to_string(path).map_err(|error| {
        Failure::refused(format!("--categories-file: {} cannot be read: {error}", path.display()))
    })?;
    Ok(text.lines().map(str::to_owned).filter(|line| !line.is_empty()).collect())
}
