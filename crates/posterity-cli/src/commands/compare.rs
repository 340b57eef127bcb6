//! `posterity compare`

use std::num::NonZeroUsize;

use clap::Args;
use posterity::plan::Field;
use posterity::{Adjacency, Decoder};
use posterity_advice::{Comparison, ComparisonError, Contest, Measure, Ranking, compare as run};
use posterity_core::accuracy::Metric;
use posterity_core::mechanism::ALL;
use posterity_plot::{self as plot, Curve, PlotFile};
use posterity_present::Mark;
use posterity_present::words::list;

use super::rows;
use crate::counts::{CountsArgs, ResolvedData};
use crate::failure::Failure;
use crate::fields::Asks;
use crate::force::ForceArgs;
use crate::marked;
use crate::mechanism_args::{MechanismsParser, Specs, taught};
use crate::notice::note;
use crate::output::{Column, Page, Paragraph, Report, Sheet, Value};
use crate::progress::Progress;
use crate::terms::{decoder_parser, uncalibrated};

const EXAMPLES: &str = "\
Examples:
  posterity compare --counts 50,50 --epsilon 1
  posterity compare --counts 20,20,20 --epsilon 1 --distance l1

  # The narrowest interval of a share first
  posterity compare --counts 50,50 --epsilon 1 --by width

  # Against the least distance that any private mechanism can have
  posterity compare --counts 3,3,3 --epsilon 1 --mechanisms lattice,geometric,lshist \\
      --decode none,best --limit

  # Simulated, for sizes whose outcomes cannot be listed
  posterity compare --counts 500000,500000 --epsilon 1 --runs 1000 --seed 1 --format csv";

/// Compare mechanisms at one data set. Not private.
///
/// For each mechanism the mean, the median and the quartiles of the distance between the released and the true
/// posterior: exact, or from simulated releases with --runs. Beside them the expected width of the interval of a share:
/// a mechanism can be near the truth on average and still have intervals that say nothing.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct CompareArgs {
    #[command(flatten)]
    data: CountsArgs<Compared>,

    /// Which mechanisms to compare, separated by commas [default: all]
    #[arg(long, value_name = "MECHANISMS", value_parser = MechanismsParser,
          long_help = taught("Which mechanisms to compare, such as \"lattice,tight(ehds)\" [default: all]"))]
    mechanisms: Option<Specs>,

    /// Decoders, separated by commas: each mechanism whose noise is known is shown with each of them [default: best for
    /// lattice, none for the others; ehds also with best if there are at most 1,000 candidates]
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = decoder_parser())]
    decode: Option<Vec<Decoder>>,

    /// Also show the mean distance over all data under the prior, and its ratio to the least that any private mechanism
    /// can have; for small n only
    #[cfg(feature = "limit")]
    #[arg(long)]
    limit: bool,

    /// What to measure the distance in: hellinger, l1 (of the parameters), kl (of the released posterior from the true
    /// one) or tv (total variation; bounds for three or more categories)
    #[arg(long, value_name = "DISTANCE", default_value = "hellinger")]
    distance: Metric,

    /// What to rank by: distance (the least expected distance first) or width (the narrowest interval of a share first)
    #[arg(long, value_name = "NAME", default_value_t)]
    by: Ranking,

    /// Simulate this many releases of each mechanism instead of listing all outcomes
    #[arg(long, value_name = "N")]
    runs: Option<NonZeroUsize>,

    /// Seed of the simulation
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,

    /// List at most this many outcomes; a mechanism with more is left out
    #[arg(long, value_name = "N", default_value_t = Measure::MAX_OUTCOMES, value_parser = clap::value_parser!(u64).range(1..=Measure::MOST))]
    max_outcomes: u64,

    /// Draw the comparison into this .svg or .png file: each law, or notched box plots with --runs
    #[arg(long, value_name = "FILE")]
    plot: Option<PlotFile>,

    #[command(flatten)]
    force: ForceArgs,
}

/// What a comparison has of the fields of a plan.
#[derive(Debug)]
struct Compared;

impl Asks for Compared {
    const NEEDED: &'static [&'static str] = &["epsilon"];

    fn has(field: &Field) -> Option<bool> {
        ["epsilon", "adjacency", "most", "prior"].contains(&field.name).then_some(true)
    }
}

/// Prints one row per mechanism and decoder, the best first.
pub(crate) fn compare(args: &CompareArgs) -> Result<(), Failure> {
    if args.data.public.stated()?.adjacency() == Adjacency::AddRemove {
        let why = "where n is private there is one mechanism, geometric, and nothing to compare; see `posterity inspect`";
        return Err(Failure::usage("--adjacency", why));
    }
    let ResolvedData { counts, setting, .. } = ResolvedData::new(&args.data)?;
    let plot = args.plot.clone().map(|file| file.overwriting(args.force.force));
    plot.as_ref().map_or(Ok(()), PlotFile::check).map_err(Failure::plot)?;
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
        ranking: args.by,
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
    if let Some(file) = &plot {
        draw(file, args, &comparison)?;
    }
    rows::write_notes(&comparison.rows);
    let printing = &args.data.public.printing;
    Ok(marked::print(printing, &comparison, Mark::Data)?)
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
        unlike: row.unlike(comparison.epsilon),
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
            "specification",
            "mechanism_private",
            "promised",
            "expected_distance",
            "median",
            "q1",
            "q3",
            "width",
            "probability_exact",
            "method",
            "decoder",
            "prior_mean",
            "ratio_to_limit",
        ];
        let rows = self.rows.iter().map(|row| {
            vec![
                Value::text(row.mechanism.to_string()),
                Value::text(row.specification.to_string()),
                Value::Truth(row.private),
                Value::optional(row.promised),
                Value::Real(row.expected_distance),
                Value::Real(row.median),
                Value::Real(row.q1),
                Value::Real(row.q3),
                Value::optional(row.width),
                Value::Real(row.probability_exact),
                Value::text(row.method.to_string()),
                Value::text(row.decoder.to_string()),
                Value::optional(row.prior_mean),
                Value::optional(row.ratio_to_limit),
            ]
        });
        Mark::Data.on(Sheet::new(columns.map(Column::text).into(), rows))
    }

    fn page(&self) -> Page<'_> {
        let mut page = Page::default();
        rows::add(&mut page, &self.rows, self.epsilon, self.distance, self.ranking);
        page.say(Paragraph::not_private(format!(
            "computed from counts {} without protection, with prior {} and epsilon {}",
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
        rows::explain_width(&mut page, self.level);
        page
    }
}
