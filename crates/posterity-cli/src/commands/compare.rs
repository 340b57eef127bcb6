//! `posterity compare`

use std::io::{self, Write};
use std::num::NonZeroUsize;

use posterity::{Comparison, ComparisonError, Contest, Measure, Row, compare as run};
use posterity_core::accuracy::Metric;
use posterity_core::mechanism::Name;
use posterity_plot::{self as plot, Curve, PlotFile};

use crate::args::{CompareArgs, Format};
use crate::failure::Failure;
use crate::output::{Table, write_json};
use crate::progress::Progress;
use crate::resolve::{ResolvedData, mechanism, terms};

/// Prints one row per mechanism and decoder, the nearest first.
pub(crate) fn compare(args: &CompareArgs) -> Result<(), Failure> {
    let ResolvedData { counts, setting } = ResolvedData::new(&args.data)?;
    let contest = Contest {
        mechanisms: args.mechanisms.clone().unwrap_or_else(|| Name::ALL.to_vec()),
        parameters: (&args.parameters).into(),
        decoders: args.decode.clone(),
        measure: Measure {
            metric: args.distance,
            runs: args.runs.map(NonZeroUsize::get),
            seed: args.seed,
            max_outcomes: args.max_outcomes,
            ..Measure::default()
        },
        limit: limit(args),
        keep_laws: args.plot.is_some(),
    };
    let progress = Progress::spinner("comparing: steps");
    let comparison = run(&setting, &counts, &contest, &|done| progress.add(done));
    drop(progress);
    let comparison = comparison.map_err(comparison_failure)?;
    for name in &comparison.left_out {
        eprintln!(
            "note: {name} has more than {} outcomes and is left out; try --runs 1000",
            args.max_outcomes
        );
    }
    if let Some(file) = &args.plot {
        draw(file, args, &comparison)?;
    }
    write_notes(&comparison.rows);
    eprintln!("note: this depends on the data without protection; it is not a private release");
    let mut out = io::stdout().lock();
    match args.data.public.format {
        Format::Table => {
            write_table(&mut out, &comparison.rows, args.distance)?;
            if let Some(limit) = comparison.limit {
                writeln!(
                    out,
                    "\nlimit {limit:.4}: no epsilon-DP mechanism onto the candidates has a smaller mean distance over data that follow \
                     the prior. A decoder may choose parameters that no data has, and fall below it."
                )?;
            }
        }
        Format::Csv => write_csv(&mut out, &comparison.rows)?,
        Format::Json => write_json(&mut out, &comparison)?,
    }
    Ok(())
}

/// Why there is no comparison, with the flags that help.
pub(super) fn comparison_failure(error: ComparisonError) -> Failure {
    match error {
        ComparisonError::Terms(error) => terms(error, "--prior", "--counts"),
        ComparisonError::Mechanism(error) => mechanism(error),
        ComparisonError::LimitMetric { .. } => {
            Failure::usage("--limit", "the limit is known for --distance hellinger only; leave the other out")
        }
        #[cfg(feature = "limit")]
        ComparisonError::Limit(error) => Failure::usage("--limit", error),
        ComparisonError::AllLeftOut { .. } => Failure::refused(
            "every mechanism has more outcomes than --max-outcomes allows; simulate with --runs 1000",
        ),
        other => Failure::refused(other),
    }
}

/// What is different from what was asked for.
pub(super) fn write_notes(rows: &[Row]) {
    for note in rows.iter().filter_map(|row| row.note.as_ref()) {
        eprintln!("note: {note}");
    }
}

#[cfg(feature = "limit")]
fn limit(args: &CompareArgs) -> bool {
    args.limit
}

#[cfg(not(feature = "limit"))]
fn limit(_: &CompareArgs) -> bool {
    false
}

fn draw(file: &PlotFile, args: &CompareArgs, comparison: &Comparison) -> Result<(), Failure> {
    let drawn = comparison.rows.iter().zip(&comparison.laws).map(|(row, law)| Curve {
        name: row.mechanism,
        decoder: row.decoder,
        private: row.private,
        law,
    });
    let picture = plot::ComparisonPlot {
        counts: &comparison.counts,
        prior: &comparison.prior,
        epsilon: comparison.epsilon,
        metric: comparison.distance,
        simulated: args.runs.map(|runs| (runs.get(), args.seed)),
        curves: drawn.collect(),
    };
    picture.write(file).map_err(Failure::plot)?;
    eprintln!("note: wrote {file}");
    Ok(())
}

pub(super) fn write_table(out: &mut impl Write, rows: &[Row], metric: Metric) -> io::Result<()> {
    writeln!(out, "distance of the released from the true posterior ({metric}), the nearest first\n")?;
    let mut header = vec!["mechanism", "private", "mean", "q1", "median", "q3", "P(exact)", "how"];
    if rows.iter().any(|row| row.ratio_to_limit.is_some()) {
        header.extend(["over the prior", "times the limit"]);
    }
    let mut table = Table::new(&header);
    for row in rows {
        let number = |value: f64| format!("{value:.4}");
        let mut cells = vec![
            row.label(),
            if row.private { "yes" } else { "no" }.to_owned(),
            number(row.expected_distance),
            number(row.q1),
            number(row.median),
            number(row.q3),
            number(row.probability_exact),
            row.method.to_string(),
        ];
        cells.extend(row.prior_mean.map(number));
        cells.extend(row.ratio_to_limit.map(|ratio| format!("{ratio:.3}")));
        table.row(cells);
    }
    table.write(out)
}

fn write_csv(out: &mut impl Write, rows: &[Row]) -> io::Result<()> {
    writeln!(
        out,
        "mechanism,private,expected_distance,median,q1,q3,probability_exact,method,decoder,prior_mean,ratio_to_limit"
    )?;
    for row in rows {
        let optional = |value: Option<f64>| value.map(|value| value.to_string()).unwrap_or_default();
        let Row {
            mechanism,
            private,
            expected_distance,
            median,
            q1,
            q3,
            probability_exact,
            method,
            decoder,
            ..
        } = row;
        writeln!(
            out,
            "{mechanism},{private},{expected_distance},{median},{q1},{q3},{probability_exact},{method},{decoder},{},{}",
            optional(row.prior_mean),
            optional(row.ratio_to_limit)
        )?;
    }
    Ok(())
}
