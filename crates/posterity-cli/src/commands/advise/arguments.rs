//! The arguments of `posterity advise`.

use std::path::PathBuf;

use clap::Args;
use posterity::{Adjacency, Epsilon, Reading, Terms};
use posterity_advice::Shape;
use posterity_advice::design::{ColumnShape, Columns, DesignError};
use posterity_core::model::Setting;
use posterity_plot::PlotFile;

use crate::commands::read::load_posterior;
use crate::failure::Failure;
use crate::mechanism_args::{MechanismsParser, Specs, taught};
use crate::output::Printing;
use crate::terms::{PriorArgs, adjacency_parser, number, parse_level, wrong_terms};

const EXAMPLES: &str = "\
Examples:
  posterity advise --n 731 --k 2 --epsilon 1

  # Which epsilon is enough for 95 % intervals of at most 3 points to each side?
  posterity advise --n 1000 --k 3 --half-width 0.03

  # The same for expected shares of 60, 10 and 30 %, with a picture of the error
  posterity advise --n 1000 --k 3 --half-width 0.03 --shape 60,10,30 --plot error.svg

  # Three categories that are expected in the proportions 6 : 1 : 3
  posterity advise --n 90 --k 3 --prior 0.5 --epsilon 0.5 --shape 6,1,3

  # A table of three columns: one release or several, and how wide will the intervals be?
  posterity advise --columns gender=2,admitted=2,department=6 --n 4526 --epsilon 1 \\
      --read 'admitted | gender' --read 'admitted | gender, department'

  # Which epsilon is enough for a rate per ward to 5 points? Sizes of wards from a public source
  posterity advise --columns ward=4,cured=2 --n 10000 --read 'cured | ward' --half-width 0.05 \\
      --shape ward=50,24,16,10

  # The same with the sizes of wards from an earlier private release
  posterity advise --columns ward=4,cured=2 --n 10000 --read 'cured | ward' --half-width 0.05 \\
      --shape-from wards.json --shape cured=1,1";

/// Say which mechanism to use, or which epsilon is enough for an error. Touches no data.
///
/// With --epsilon the mechanisms are ranked at that budget. With --half-width or --distance the least epsilon is found,
/// to three digits, for the mechanism that needs the least; or it is said that the data are too few for any epsilon,
/// and how many records would do.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
#[command(group = clap::ArgGroup::new("goal").required(true).args(["epsilon", "half_width", "distance"]))]
pub(crate) struct AdviseArgs {
    /// Number of records
    #[arg(long, value_name = "N")]
    pub(super) n: u64,

    /// What will be protected: with replace n is public, with add-remove it is private, and --n is a guess of it from
    /// public sources
    #[arg(long, value_name = "NAME", default_value_t, value_parser = adjacency_parser())]
    pub(super) adjacency: Adjacency,

    #[command(flatten)]
    pub(super) prior: PriorArgs,

    /// Number of categories; not needed where a prior has one number for each
    #[arg(long, value_name = "K")]
    pub(super) k: Option<usize>,

    #[command(flatten)]
    pub(super) printing: Printing,

    /// Advise on a table: the number of values of each column, such as 2,2,6 (called a, b, c) or gender=2,department=6.
    /// Says whether to make one joint release or several, how to divide epsilon, and how wide the intervals of each
    /// reading will be
    #[arg(long, value_name = "LIST", allow_hyphen_values = true, conflicts_with_all = ["k", "prior", "prior_file", "distance", "mechanisms"])]
    pub(super) columns: Option<Columns>,

    /// What will be read of the table: 'c | b', 'a, b'; repeat the flag for several. Values are called 1, 2, 3 and so
    /// on [default: the shares of each column]
    #[arg(long, value_name = "READING")]
    pub(super) read: Vec<Reading>,

    /// Privacy budget: smaller is more private. Ranks the mechanisms at this budget
    #[arg(long, value_name = "EPSILON", allow_hyphen_values = true)]
    pub(super) epsilon: Option<Epsilon>,

    /// Find the least epsilon for intervals that reach at most so far to each side: 0.03 is 3 percentage points,
    /// sampling and privacy together
    #[arg(long, value_name = "W", value_parser = number, allow_hyphen_values = true)]
    pub(super) half_width: Option<f64>,

    /// Find the least epsilon for a release at most so far from the true posterior: the expected Hellinger distance,
    /// from 0 (equal) to 1 (disjoint)
    #[arg(long, value_name = "D", value_parser = number, allow_hyphen_values = true)]
    pub(super) distance: Option<f64>,

    /// The probability of the intervals of --half-width and --columns
    #[arg(long, value_name = "P", default_value_t = Terms::LEVEL, value_parser = parse_level, allow_hyphen_values = true)]
    pub(super) level: f64,

    /// Expected proportions of the categories, in any unit; with --columns those of the values of one column, such as
    /// ward=0.3,0.2,0.5; repeat the flag for several columns. Take them from public sources: sizes counted in the data
    /// would be published through the choice of epsilon [default: all alike with --epsilon or --columns; otherwise the
    /// average over the prior]
    #[arg(long, value_name = "LIST", value_parser = parse_shape, allow_hyphen_values = true)]
    pub(super) shape: Vec<AdvisedShape>,

    /// Take the proportions of the columns that have no --shape from the document of an earlier private release. It is
    /// public already; sizes counted in the data would be published through the choice of epsilon
    #[arg(long, value_name = "RELEASE", requires = "columns")]
    pub(super) shape_from: Option<PathBuf>,

    /// Draw the error against epsilon into this .svg or .png file, with --half-width or --distance
    #[arg(long, value_name = "FILE", conflicts_with = "epsilon")]
    pub(super) plot: Option<PlotFile>,

    /// Which mechanisms to rank, separated by commas [default: all that are private]
    #[arg(long, value_name = "MECHANISMS", value_parser = MechanismsParser, requires = "epsilon",
          long_help = taught("Which mechanisms to rank, such as \"lattice,ehds(score=angle)\" [default: all that are private]"))]
    pub(super) mechanisms: Option<Specs>,
}

/// Expected proportions.
#[derive(Clone, Debug)]
pub(super) enum AdvisedShape {
    /// Of the categories.
    All(Shape),
    /// Of the values of one column.
    Column(ColumnShape),
}

impl AdviseArgs {
    /// The public inputs that a size and a budget stand for.
    pub(super) fn setting(&self, epsilon: &Epsilon) -> Result<Setting, Failure> {
        let terms = Terms { prior: self.prior.stated()?, ..Terms::new(epsilon.clone()) };
        let setting = terms.setting_without_data(self.k, self.n);
        setting.map_err(|error| wrong_terms(error, self.prior.flag_or("--k"), "--n"))
    }

    /// The proportions of the categories.
    pub(super) fn shape(&self) -> Result<Option<Shape>, Failure> {
        match self.shape.as_slice() {
            [] => Ok(None),
            [AdvisedShape::All(shape)] => Ok(Some(shape.clone())),
            [AdvisedShape::Column(_), ..] => Err(Failure::usage(
                "--shape",
                "this is for tables; give the number of values of each column with --columns",
            )),
            _ => Err(Failure::usage("--shape", "there are several lists of proportions; give one")),
        }
    }

    /// The proportions of the values of columns.
    pub(super) fn column_shapes(&self, columns: &Columns) -> Result<Vec<ColumnShape>, Failure> {
        let column = |shape: &AdvisedShape| match shape {
            AdvisedShape::Column(shape) => Ok(shape.clone()),
            AdvisedShape::All(_) => Err(Failure::usage(
                "--shape",
                "with --columns give the proportions of one column, such as ward=0.3,0.2,0.5, and repeat the flag for others",
            )),
        };
        let mut shapes: Vec<ColumnShape> = self.shape.iter().map(column).collect::<Result<_, _>>()?;
        if let Some(path) = &self.shape_from {
            let earlier = ColumnShape::of_release(&load_posterior(path)?, columns, &shapes);
            shapes.extend(earlier.map_err(|error| Failure::usage("--shape-from", error))?);
        }
        Ok(shapes)
    }
}

fn parse_shape(text: &str) -> Result<AdvisedShape, String> {
    if text.contains('=') {
        return text.parse().map(AdvisedShape::Column).map_err(|error: DesignError| error.to_string());
    }
    let parts: Vec<f64> = text.split(',').map(number).collect::<Result<_, _>>()?;
    Shape::new(parts).map(AdvisedShape::All).map_err(|error| error.to_string())
}
