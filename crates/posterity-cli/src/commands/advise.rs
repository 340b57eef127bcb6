//! `posterity advise`

use clap::Args;
use posterity::design::Columns;
use posterity::least::Goal;
use posterity::mathematics::model::Setting;
use posterity::mechanism::Decoding;
use posterity::plan::{Advised, advise_with_widths, points};
use posterity::{
    AdviceError, Calibration, Decoder, Epsilon, Prior, Reading, Row, Shape, Spec, Terms, meaning,
};
use posterity_core::accuracy::Metric;
use posterity_plot::PlotFile;

use super::compare::comparison_failure;
use super::least::least;
use super::rows;
use super::table_advice::advise_columns;
use crate::failure::Failure;
use crate::mechanism_args::{MechanismsParser, taught};
use crate::notice::{note, warn_of_large};
use crate::output::{Column, Page, Paragraph, Printing, Report, Sheet, Value, print};
use crate::progress::Progress;
use crate::terms::{number, parse_level, parse_prior, wrong_terms};
use crate::words::list;

const EXAMPLES: &str = "\
Examples:
  posterity advise --n 731 --k 2 --epsilon 1

  # Which epsilon is enough for 95 % intervals of at most 3 points to each side?
  posterity advise --n 1000 --k 3 --half-width 0.03

  # The same for expected shares of 60, 10 and 30 %, with a picture of the error
  posterity advise --n 1000 --k 3 --half-width 0.03 --shape 60,10,30 --plot error.svg

  # Three categories that are expected in the proportions 6 : 1 : 3
  posterity advise --n 90 --prior 0.5,0.5,0.5 --epsilon 0.5 --shape 6,1,3

  # A table of three columns: one release or several, and how wide will the intervals be?
  posterity advise --columns gender=2,admitted=2,department=6 --n 4526 --epsilon 1 \\
      --read 'admitted | gender' --read 'admitted | gender, department'

  # Which epsilon is enough for all of its intervals?
  posterity advise --columns 2,2,6 --n 4526 --read 'a | b' --half-width 0.03";

/// Say which mechanism to use, or which epsilon is enough for an error. Touches no data.
///
/// With --epsilon the mechanisms are ranked at that budget. With --half-width or --distance the least epsilon is found, to
/// three digits, for the mechanism that needs the least; or it is said that the data are too few for any epsilon, and how
/// many records would do.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
#[command(group = clap::ArgGroup::new("goal").required(true).args(["epsilon", "half_width", "distance"]))]
pub(crate) struct AdviseArgs {
    #[command(flatten)]
    pub(crate) extent: Extent,

    /// Advise on a table: the number of values of each column, such as 2,2,6 (called a, b, c) or gender=2,department=6. Says
    /// whether to make one joint release or several, how to divide epsilon, and how wide the intervals of each reading will be
    #[arg(long, value_name = "LIST", allow_hyphen_values = true, conflicts_with_all = ["k", "distance", "mechanisms"])]
    pub(crate) columns: Option<Columns>,

    /// What will be read of the table: 'c | b', 'a, b'; repeat the flag for several. Values are called 1, 2, 3 and so on
    /// [default: the shares of each column]
    #[arg(long, value_name = "READING")]
    pub(crate) read: Vec<Reading>,

    /// Privacy budget: smaller is more private. Ranks the mechanisms at this budget
    #[arg(long, value_name = "EPSILON", allow_hyphen_values = true)]
    pub(crate) epsilon: Option<Epsilon>,

    /// Find the least epsilon for intervals that reach at most so far to each side: 0.03 is 3 percentage points, sampling
    /// and privacy together
    #[arg(long, value_name = "W", value_parser = number, allow_hyphen_values = true)]
    pub(crate) half_width: Option<f64>,

    /// Find the least epsilon for a release at most so far from the true posterior: the expected Hellinger distance, from 0
    /// (equal) to 1 (disjoint)
    #[arg(long, value_name = "D", value_parser = number, allow_hyphen_values = true)]
    pub(crate) distance: Option<f64>,

    /// The probability of the intervals of --half-width and --columns
    #[arg(long, value_name = "P", default_value_t = Terms::LEVEL, value_parser = parse_level, allow_hyphen_values = true)]
    pub(crate) level: f64,

    /// Expected proportions of the categories, in any unit; with --columns those of all cells, in which the last column changes
    /// fastest [default: all alike with --epsilon or --columns; otherwise the average over the prior]
    #[arg(long, value_name = "LIST", value_parser = parse_shape, allow_hyphen_values = true)]
    pub(crate) shape: Option<Shape>,

    /// Draw the error against epsilon into this .svg or .png file, with --half-width or --distance
    #[arg(long, value_name = "FILE", conflicts_with = "epsilon")]
    pub(crate) plot: Option<PlotFile>,

    /// Which mechanisms to rank, separated by commas [default: all that are private]
    #[arg(long, value_name = "MECHANISMS", value_parser = MechanismsParser, requires = "epsilon",
          long_help = taught("Which mechanisms to rank, such as \"lattice,ehds(score=angle)\" [default: all that are private]"))]
    pub(crate) mechanisms: Option<std::vec::Vec<Spec>>,
}

/// The public size of a problem.
#[derive(Debug, Args)]
pub(crate) struct Extent {
    /// Number of records
    #[arg(long, value_name = "N")]
    pub(crate) n: u64,

    /// Dirichlet parameters of the public prior, one per category. With --columns one number, for every cell of the table of all
    /// columns; tables of some of the columns have the sums [default: 1, or less where that would outweigh a tenth of the records]
    #[arg(long, value_name = "LIST", value_parser = parse_advised_prior, allow_hyphen_values = true, required_unless_present_any = ["k", "columns"])]
    pub(crate) prior: Option<AdvisedPrior>,

    /// Number of categories, for a prior of 1 each
    #[arg(long, value_name = "K", conflicts_with = "prior")]
    pub(crate) k: Option<usize>,

    #[command(flatten)]
    pub(crate) printing: Printing,
}

/// A prior of which it is not known yet whether it is for categories or for the cells of a table.
#[derive(Clone, Debug)]
pub(crate) enum AdvisedPrior {
    /// One parameter for each category.
    Each(Prior),
    /// One number.
    Cell(f64),
}

/// Ranks the private mechanisms at a budget, or finds the least budget for an error.
pub(crate) fn advise(args: &AdviseArgs) -> Result<(), Failure> {
    if let Some(columns) = &args.columns {
        return advise_columns(args, columns);
    }
    if !args.read.is_empty() {
        return Err(Failure::usage(
            "--read",
            "this is for tables; give the number of values of each column with --columns",
        ));
    }
    let goal = match (args.half_width, args.distance) {
        (Some(width), _) => Some(Goal::HalfWidth(width)),
        (None, distance) => distance.map(Goal::Distance),
    };
    match (&args.epsilon, goal) {
        (Some(epsilon), _) => rank(args, epsilon),
        (None, Some(goal)) => least(args, goal),
        (None, None) => Err(Failure::usage("--epsilon", "give a budget, or --half-width or --distance")),
    }
}

/// The public inputs that a size and a budget stand for.
pub(super) fn extent(extent: &Extent, epsilon: &Epsilon) -> Result<Setting, Failure> {
    let prior = match &extent.prior {
        Some(AdvisedPrior::Each(prior)) => Some(prior.clone()),
        // A prior has at least two parameters, so this says what is wrong.
        Some(AdvisedPrior::Cell(only)) => {
            Some(Prior::new(vec![*only]).map_err(|error| Failure::usage("--prior", error))?)
        }
        None => None,
    };
    let terms = Terms { prior, ..Terms::new(epsilon.clone()) };
    terms.setting_without_data(extent.k, extent.n).map_err(|error| wrong_terms(error, "--k", "--n"))
}

fn parse_advised_prior(text: &str) -> Result<AdvisedPrior, String> {
    if text.contains(',') {
        parse_prior(text).map(AdvisedPrior::Each)
    } else {
        number(text).map(AdvisedPrior::Cell)
    }
}

fn parse_shape(text: &str) -> Result<Shape, String> {
    let parts: Vec<f64> = text.split(',').map(number).collect::<Result<_, _>>()?;
    Shape::new(parts).map_err(|error| error.to_string())
}

/// Ranks the private mechanisms at a data set of the expected shape.
fn rank(args: &AdviseArgs, epsilon: &Epsilon) -> Result<(), Failure> {
    let setting = extent(&args.extent, epsilon)?;
    let progress = Progress::spinner("advising: steps");
    let (shape, mechanisms) = (args.shape.as_ref(), args.mechanisms.as_deref());
    let advised = advise_with_widths(&setting, shape, mechanisms, &|done| progress.add(done));
    drop(progress);
    let advised = advised.map_err(|error| match error {
        AdviceError::Shape { .. } => Failure::usage("--shape", error),
        AdviceError::Counts(_) => Failure::usage("--n", error),
        AdviceError::TooMany { .. } => Failure::usage("--k", error),
        AdviceError::Comparison(error) => comparison_failure(error),
        other => Failure::refused(other),
    })?;
    rows::write_notes(&advised.advice.rows);
    advised.advice.left_out.iter().for_each(note);
    warn_of_large(Some(advised.advice.epsilon));
    Ok(print(&args.extent.printing, &advised)?)
}

/// The mechanism of a row as it is written, and what to add to the command.
fn chosen(row: &Row) -> String {
    let spec = row.specification.as_ref().map_or_else(|| row.mechanism.to_string(), ToString::to_string);
    let decode = match (row.calibration, row.decoder) {
        (Calibration::Tight, _) => return format!("tight({spec})"),
        // What `release` does by itself: the usual decoder, or the one that takes its place where the noise is too wide.
        (Calibration::Proven, decoder) if decoder == Decoder::default_for(row.mechanism) => "",
        (Calibration::Proven, Decoder::Projection) if row.mechanism.decoding == Decoding::Best => "",
        (Calibration::Proven, _) => " with --decode best",
    };
    format!("{spec}{decode}")
}

impl Report for Advised {
    type Document = Self;

    fn document(&self) -> &Self {
        self
    }

    fn records(&self) -> Sheet<'_> {
        let columns = ["mechanism", "calibration", "expected_distance", "median", "method", "decoder"];
        let rows = self.advice.rows.iter().map(|row| {
            let calibration = if row.calibration == Calibration::Tight { "tight" } else { "proven" };
            vec![
                Value::text(row.mechanism.to_string()),
                Value::text(calibration),
                Value::Real(row.expected_distance),
                Value::Real(row.median),
                Value::text(row.method.to_string()),
                Value::text(row.decoder.to_string()),
            ]
        });
        Sheet::new(columns.map(Column::text).into(), rows)
    }

    fn page(&self) -> Page<'_> {
        let mut page = Page::default();
        let best = self.advice.rows.first().into_iter();
        let all: Vec<String> = best.chain(&self.advice.tied).map(chosen).collect();
        let same = if self.advice.tied.is_empty() {
            String::new()
        } else {
            format!(" (the same law at k = {})", self.advice.prior.len())
        };
        page.say(format!("Use {}{same}.", all.join(" or ")));
        page.say(self.advice.reason.as_str());
        if let Some(widths) = &self.half_widths {
            let widest = widths.widest();
            page.say(format!(
                "With lattice, the widest 95 % interval of a share is expected to be ± {} percentage points; without privacy, ± {}.",
                points(widest.private),
                points(widest.without)
            ));
        }
        page.pause();
        rows::add(&mut page, &self.advice.rows, Metric::Hellinger);
        page.say(format!(
            "Assumed: counts {}, prior {}, epsilon {}. No data was read.",
            list(&self.advice.assumed_counts),
            list(&self.advice.prior),
            self.advice.epsilon
        ));
        rows::explain(&mut page, Metric::Hellinger);
        page.explain(Paragraph::led("Meaning:", meaning::for_one(self.advice.epsilon, 0.0, "record")));
        page
    }
}
