//! `posterity rows`

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use clap::Args;
use posterity::Publication;
use posterity::data::Format;
use posterity::margins::FittedRows;
use posterity::margins::fitting::Stage;
use posterity::new_file;
use posterity::table::{Labels, Term};
use posterity_present::parquet::{self, TextColumn};
use posterity_present::{Mark, csv};
use serde::Serialize;

use super::read::load;
use crate::failure::{Failure, not_written};
use crate::force::ForceArgs;
use crate::marked;
use crate::notice::note;
use crate::output::{Column, Page, Printing, Report, Sheet, Value};
use crate::progress::Progress;

const EXAMPLES: &str = "\
Examples:
  posterity margins survey.csv --schema survey.schema.json --sets 2 --epsilon 1 --delta 1e-9 \\
      --format json > survey.json
  posterity rows survey.json --out rows.csv
  posterity rows survey.json --rows 1000 --seed 2 --out rows.parquet --format json
  posterity rows survey.json --out rows.csv --non-negative tables.csv";

/// What every reader of rows should know.
const CAUTION: &str = "Numbers are to be read from the release, which has intervals (`posterity read`). The rows are no \
                       records of anyone, and several sets of rows from one release share its noise.";

/// Fit rows to a release of many tables, for software that needs rows. No data, no cost.
///
/// The rows follow from the document that `posterity margins --format json` prints. Their tables are near to the
/// released ones, whole and never negative. Read numbers from the release itself: it has intervals, and rows have none.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct FitArgs {
    /// The document of the release, from `posterity margins --format json`; - for standard input
    #[arg(value_name = "RELEASE.json")]
    document: PathBuf,

    /// How many rows [default: as many as there are records, with noise if their number is private]
    #[arg(long, value_name = "N")]
    rows: Option<usize>,

    /// The file to write: Parquet if its name ends in .parquet, and otherwise CSV
    #[arg(long, value_name = "FILE")]
    out: PathBuf,

    /// Write the tables of the rows to this CSV file as well: never negative, and consistent with each other. They have no
    /// intervals; those of `posterity read` belong to the released numbers
    #[arg(long, value_name = "FILE")]
    non_negative: Option<PathBuf>,

    #[command(flatten)]
    force: ForceArgs,

    /// The seed of the fit, which protects nothing and reveals nothing
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,

    #[command(flatten)]
    printing: Printing,
}

/// Fits rows to a release, writes them, and says how far they are from it.
pub(crate) fn fit(args: &FitArgs) -> Result<(), Failure> {
    let Publication::Margins(document) = load(&args.document)? else {
        return Err(Failure::refused(format!(
            "{} is no release of many tables, so no rows can be fitted to it; name the document of `posterity margins`",
            args.document.display()
        )));
    };
    let (format, mark) = (format(&args.out)?, Mark::of(&document));
    let force = args.force.force;
    let checked = |flag, path: &Path| new_file::check(path, force).map_err(|error| not_written(flag, &error));
    checked("--out", &args.out)?;
    args.non_negative.as_deref().map_or(Ok(()), |path| checked("--non-negative", path))?;
    // What is there is kept until there are rows.
    let create = |flag, path: &Path| new_file::create(path, force).map_err(|error| not_written(flag, &error));
    let progress = Progress::bar("fitting rows", 100);
    let tell = |told: posterity::margins::fitting::Progress| {
        // The stages take about this part of the time.
        let (before, part) = match told.stage {
            Stage::Choosing => (0.0, 40.0),
            Stage::Fitting => (40.0, 50.0),
            _ => (90.0, 10.0),
        };
        progress.set((before + part * told.share) as u64);
        ControlFlow::Continue(())
    };
    let rows = document.rows(args.rows, args.seed, &tell).map_err(Failure::refused)?;
    drop(progress);
    write(create("--out", &args.out)?, format, &rows)
        .map_err(|error| unwritten("--out", &args.out, &error))?;
    note(format!("wrote {} rows to {}", rows.len(), args.out.display()));
    if let Some(path) = args.non_negative.as_deref() {
        let mut file = BufWriter::new(create("--non-negative", path)?);
        let written = csv::write(&mut file, mark.on(tables_sheet(&rows))).and_then(|()| file.flush());
        written.map_err(|error| unwritten("--non-negative", path, &error))?;
        note(format!("wrote the tables of the rows to {}", path.display()));
    }
    Ok(marked::print(&args.printing, &Fitted::new(args, &rows, mark), mark)?)
}

fn unwritten(flag: &str, path: &Path, error: &io::Error) -> Failure {
    Failure::refused(format!("{flag}: {} cannot be written: {error}", path.display()))
}

/// What the name of the file announces, as it does where files are read.
fn format(path: &Path) -> Result<Format, Failure> {
    match Format::of_name(&path.to_string_lossy()) {
        (Some(Format::Csv) | None, false) => Ok(Format::Csv),
        (Some(Format::Parquet), false) => Ok(Format::Parquet),
        _ => Err(Failure::usage(
            "--out",
            "rows are written as CSV or Parquet; choose a name that ends in .csv or .parquet",
        )),
    }
}

fn write(file: File, format: Format, rows: &FittedRows<'_>) -> io::Result<()> {
    let mut out = BufWriter::new(file);
    if format == Format::Parquet {
        let columns = rows.columns().map(|(name, values, places)| TextColumn { name, values, places });
        parquet::write(&mut out, &columns.collect::<Vec<_>>())?;
    } else {
        csv::write(&mut out, rows_sheet(rows))?;
    }
    out.flush()
}

fn rows_sheet<'a>(rows: &'a FittedRows<'_>) -> Sheet<'a> {
    let columns = rows.names().map(|name| Column::text(name.to_owned())).collect();
    Sheet::new(columns, (0..rows.len()).map(|row| rows.row(row).map(Value::text).collect()))
}

/// A line for each cell of each table. The cell is written as a reading.
fn tables_sheet<'a>(rows: &'a FittedRows<'_>) -> Sheet<'a> {
    let columns = vec![Column::text("cell"), Column::number("rows"), Column::number("share")];
    let line = |(labels, count): (Labels, u64)| {
        let terms = labels.iter().map(|(column, value)| Term::set(column, [value]).to_string());
        let cell = terms.collect::<Vec<_>>().join(", ");
        vec![Value::text(cell), Value::Whole(count), Value::Real(count as f64 / rows.len() as f64)]
    };
    Sheet::new(columns, rows.tables().flatten().map(line))
}

/// How far the rows are from the release.
#[derive(Serialize)]
struct Fitted {
    file: String,
    rows: usize,
    seed: u64,
    /// Whether the release is private; the rows are as private as it is.
    private: bool,
    #[serde(skip)]
    mark: Mark,
    tables: Vec<FittedTable>,
    note: &'static str,
}

/// One table.
#[derive(Serialize)]
struct FittedTable {
    columns: Vec<String>,
    /// The sum of the differences between the shares of the rows and the released ones.
    l1: f64,
    /// The mean square of the difference in units of the noise: below 1, noise alone explains it.
    mean_square: f64,
}

impl Fitted {
    fn new(args: &FitArgs, rows: &FittedRows<'_>, mark: Mark) -> Self {
        let table = |(columns, l1, mean_square): (Vec<&str>, f64, f64)| FittedTable {
            columns: columns.into_iter().map(ToOwned::to_owned).collect(),
            l1,
            mean_square,
        };
        Self {
            file: args.out.display().to_string(),
            rows: rows.len(),
            seed: args.seed,
            private: mark.is_private(),
            mark,
            tables: rows.distances().map(table).collect(),
            note: CAUTION,
        }
    }

    fn sheet(&self) -> Sheet<'_> {
        let columns = vec![Column::text("columns"), Column::number("l1"), Column::number("mean_square")];
        let row = |table: &FittedTable| {
            vec![Value::text(table.columns.join(", ")), Value::Real(table.l1), Value::Real(table.mean_square)]
        };
        Sheet::new(columns, self.tables.iter().map(row).collect::<Vec<_>>())
    }
}

/// How many tables a terminal lists.
const MOST_LISTED: usize = 50;

impl Report for Fitted {
    type Document = Self;

    fn document(&self) -> &Self {
        self
    }

    fn records(&self) -> Sheet<'_> {
        self.mark.on(self.sheet())
    }

    fn page(&self) -> Page<'_> {
        let mut page = Page::default();
        let mut sheet = self.sheet();
        sheet.rows = Box::new(sheet.rows.take(MOST_LISTED));
        page.sheet(sheet);
        if self.tables.len() > MOST_LISTED {
            page.say(format!(
                "The first {MOST_LISTED} of {} tables; --format csv lists all.",
                self.tables.len()
            ));
        }
        page.say(
            "l1 is the sum of the differences of shares between the rows and the release; a mean square below 1 means that noise \
             alone explains them.",
        );
        page.say(CAUTION);
        page.mark(self.mark);
        page
    }
}
