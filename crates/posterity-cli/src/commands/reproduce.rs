//! `posterity reproduce`

use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::Args;
use posterity_reproduce::{
    Experiment, ExperimentResult, Library, Mode, ReproduceError, Verdict, Watcher, claims, definitions,
    experiments, refuse, report, run, with_threads, write, write_claims, write_report,
};

use crate::failure::{Failure, not_written};
use crate::force::ForceArgs;
use crate::notice::note;
use crate::output::{Column, Page, Sheet, Value, print_page};
use crate::progress::Progress;

const EXAMPLES: &str = "\
Examples:
  posterity reproduce --list
  posterity reproduce --quick
  posterity reproduce size-beta loss-by-size --out figures

  # Experiments of your own; docs/reproduce.md says how to write one
  posterity reproduce --experiments mine.toml";

/// Compute the tables and figures of the research, and one report on its claims.
///
/// Writes NAME.csv, NAME.svg and NAME.png for each experiment and report.html, which shows each figure beside the
/// claims that it decides: confirmed, refined, refuted or undecided, with the number that says so. claims.csv lists
/// the claims for programs. Everything is seeded: two runs write the same bytes, on any number of threads. Touches no
/// private data.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct ReproduceArgs {
    /// Which experiments, by name [default: all]
    #[arg(value_name = "NAME")]
    names: Vec<String>,

    /// List the experiments and what they show, and do nothing else
    #[arg(long)]
    list: bool,

    /// A fast pass: fewer sizes and fewer simulated releases
    #[arg(long)]
    quick: bool,

    /// The folder to write to; made if there is none
    #[arg(long, value_name = "DIR", default_value = "results")]
    out: PathBuf,

    #[command(flatten)]
    force: ForceArgs,

    /// Take the experiments from this .toml file, or from all .toml files of this folder, instead of those that are
    /// built in
    #[arg(long, value_name = "PATH")]
    experiments: Option<PathBuf>,

    /// Compute on this many threads [default: one per processor]
    #[arg(long, value_name = "N")]
    threads: Option<NonZeroUsize>,
}

/// A bar for the cells of the experiment at hand.
struct Bar {
    bar: Progress,
}

impl Watcher for Bar {
    fn start(&self, name: &str, cells: u64) {
        self.bar.restart(name.to_owned(), cells);
    }

    fn advance(&self, cells: u64) {
        self.bar.add(cells);
    }
}

/// Runs the experiments, writes their files and the report, and prints one line per experiment.
pub(crate) fn reproduce(args: &ReproduceArgs) -> Result<(), Failure> {
    let library = match &args.experiments {
        Some(path) => definitions(path),
        None => experiments(),
    };
    let library = library.map_err(failure)?;
    let chosen = library.choose(&args.names).map_err(failure)?;
    if args.list {
        return list(&chosen);
    }
    let names: Vec<&str> = chosen.iter().map(|experiment| experiment.name()).collect();
    refuse(&args.out, &names, args.force.force).map_err(|error| not_written("--out", &error))?;
    let results = with_threads(args.threads, || run_all(args, &library, &chosen)).map_err(failure)??;
    print(&results)
}

fn run_all(
    args: &ReproduceArgs,
    library: &Library,
    chosen: &[&Experiment],
) -> Result<Vec<ExperimentResult>, Failure> {
    let mode = if args.quick { Mode::Quick } else { Mode::Full };
    let bar = Bar { bar: Progress::later() };
    let mut results = Vec::with_capacity(chosen.len());
    for experiment in chosen {
        let result = run(experiment, mode, &bar).map_err(failure)?;
        // Each result is written at once, so that an interrupted run keeps what it has.
        write(&args.out, &result).map_err(failure)?;
        results.push(result);
    }
    drop(bar);
    let html = report(&results, &library.conclusions, mode).map_err(failure)?;
    let path = write_report(&args.out, &html).map_err(failure)?;
    let list = write_claims(&args.out, &claims(&results)).map_err(failure)?;
    note(format!("wrote {} and {}", path.display(), list.display()));
    Ok(results)
}

/// Prints the names and titles, without a header.
fn list(chosen: &[&Experiment]) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    let width = chosen.iter().map(|experiment| experiment.name().len()).max().unwrap_or(0);
    for experiment in chosen {
        writeln!(out, "{:<width$}  {}", experiment.name(), experiment.title())?;
    }
    Ok(())
}

fn print(results: &[ExperimentResult]) -> Result<(), Failure> {
    let verdicts = Verdict::ALL.map(|verdict| Column::number(verdict.to_string()));
    let columns =
        [Column::text("experiment"), Column::number("claims")].into_iter().chain(verdicts).collect();
    let rows = results.iter().map(|result| {
        let count = |verdict| result.decisions.iter().filter(|decision| decision.verdict == verdict).count();
        let counts = Verdict::ALL.map(|verdict| Value::Whole(count(verdict) as u64));
        let claims = Value::Whole(result.decisions.len() as u64);
        [Value::text(&result.name), claims].into_iter().chain(counts).collect()
    });
    let mut page = Page::default();
    page.sheet(Sheet::new(columns, rows));
    Ok(print_page(page)?)
}

/// A wrong name or a wrong definition is bad usage; all else is a failure.
fn failure(error: ReproduceError) -> Failure {
    match error {
        ReproduceError::Unknown { .. } => Failure::usage("NAME", error),
        ReproduceError::Definition { .. } => Failure::usage("--experiments", error),
        ReproduceError::Threads { .. } => Failure::usage("--threads", error),
        _ => Failure::refused(error),
    }
}
