//! `posterity compare`

use std::num::NonZeroUsize;

use posterity::mechanism::ALL;
use posterity::{Comparison, ComparisonError, Contest, Measure, compare as run};
use posterity_plot::{self as plot, Curve, PlotFile};

use super::rows;
use crate::args::CompareArgs;
use crate::failure::Failure;
use crate::notice::{note, warn};
use crate::output::{Column, Page, Paragraph, Report, Sheet, Value, is_read_as_table, print};
use crate::progress::Progress;
use crate::resolve::{ResolvedData, uncalibrated};
use crate::words::list;

/// Prints one row per mechanism and decoder, the nearest first.
pub(crate) fn compare(args: &CompareArgs) -> Result<(), Failure> {
    let ResolvedData { counts, setting } = ResolvedData::new(&args.data)?;
    let all = || ALL.iter().map(|one| one.spec()).collect();
    let contest = Contest {
        mechanisms: args.mechanisms.clone().unwrap_or_else(all),
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
        note(format!("{name} has more than {} outcomes and is left out; try --runs 1000", args.max_outcomes));
    }
    comparison.refused.iter().for_each(note);
    if let Some(file) = &args.plot {
        draw(file, args, &comparison)?;
    }
    rows::write_notes(&comparison.rows);
    let printing = &args.data.public.printing;
    if !is_read_as_table(printing.format) {
        warn("this depends on the data without protection; it is not a private release");
    }
    Ok(print(printing, &comparison)?)
}

/// Why there is no comparison, with the flags that help.
pub(super) fn comparison_failure(error: ComparisonError) -> Failure {
    match error {
        ComparisonError::Mechanism(error) => uncalibrated(error),
        ComparisonError::TooManyRuns { .. } => Failure::usage("--runs", error),
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
        mechanism: row.mechanism,
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
    note(format!("wrote {file}"));
    Ok(())
}

impl Report for Comparison {
    type Document = Self;

    fn document(&self) -> &Self {
        self
    }

    fn records(&self) -> Sheet<'_> {
        let columns = [
            "mechanism",
            "private",
            "expected_distance",
            "median",
            "q1",
            "q3",
            "probability_exact",
            "method",
            "decoder",
            "prior_mean",
            "ratio_to_limit",
        ];
        let rows = self.rows.iter().map(|row| {
            vec![
                Value::text(row.mechanism.to_string()),
                Value::Truth(row.private),
                Value::Real(row.expected_distance),
                Value::Real(row.median),
                Value::Real(row.q1),
                Value::Real(row.q3),
                Value::Real(row.probability_exact),
                Value::text(row.method.to_string()),
                Value::text(row.decoder.to_string()),
                Value::optional(row.prior_mean),
                Value::optional(row.ratio_to_limit),
            ]
        });
        Sheet::new(columns.map(Column::text).into(), rows)
    }

    fn page(&self) -> Page<'_> {
        let mut page = Page::default();
        rows::add(&mut page, &self.rows, self.distance);
        page.say(Paragraph::default().alarm("NOT PRIVATE").plain(format!(
            ": computed from counts {} without protection, with prior {} and epsilon {}.",
            list(&self.counts),
            list(&self.prior),
            self.epsilon
        )));
        if let Some(limit) = self.limit {
            page.say(Paragraph::led(
                "Limit:",
                format!("no epsilon-DP mechanism onto the candidates is nearer than {limit:.4} on average over the prior."),
            ));
            page.explain(Paragraph::led(
                "Limit:",
                "a decoder may choose parameters that no data has, and so be nearer than the limit.",
            ));
        }
        rows::explain(&mut page, self.distance);
        page
    }
}
