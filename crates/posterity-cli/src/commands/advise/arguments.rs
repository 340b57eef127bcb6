//! The arguments of `posterity advise`.

use std::path::PathBuf;

use clap::Args;
use posterity::margins::{MarginsError, Which};
use posterity::plan::{Field, Stated};
use posterity::table::SpaceColumn;
use posterity::{Adjacency, Epsilon};
use posterity_advice::Shape;
use posterity_advice::design::{ColumnShape, Columns, DesignError};
use posterity_core::model::Setting;
use posterity_plot::PlotFile;

use crate::commands::read::load_posterior;
use crate::declared::DeclaredArgs;
use crate::failure::Failure;
use crate::fields::Asks;
use crate::force::ForceArgs;
use crate::mechanism_args::{MechanismsParser, Specs, taught};
use crate::terms::{Public, number, wrong_terms};

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
      --shape-from wards.json --shape cured=1,1

  # The columns of a schema instead of numbers of values
  posterity advise --schema survey.schema.json --column ward --column cured --n 10000 --epsilon 1 \\
      --read 'cured | ward'

  # All pairs of the columns of a schema: how far off will they be, and what would triples cost?
  posterity advise --schema survey.schema.json --n 10000 --sets 2 --epsilon 1 --delta 1e-9";

/// Say which mechanism to use, or which epsilon is enough for an error. Touches no data.
///
/// With --epsilon the mechanisms are ranked at that budget. With --half-width or --distance the least epsilon is found,
/// to three digits, for the mechanism that needs the least; or it is said that the data are too few for any epsilon,
/// and how many records would do. With --sets it forecasts the noise and the intervals of a release of many tables, beside
/// those of smaller and larger tables at the same budget; that needs --delta. Without columns --shape has the expected
/// proportions of the categories, such as 60,10,30.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
#[command(group = clap::ArgGroup::new("goal").required(true).args(["epsilon", "half_width", "distance"]))]
pub(crate) struct AdviseArgs {
    /// Number of records; with --adjacency add-remove a guess of it, from public sources
    #[arg(long, value_name = "N")]
    pub(super) n: u64,

    #[command(flatten)]
    pub(super) public: Public<Advised>,

    /// Number of categories; not needed where a prior has one number for each
    #[arg(long, value_name = "K")]
    pub(super) k: Option<usize>,

    /// Advise on a table: the number of values of each column, such as 2,2,6 (called a, b, c) or gender=2,department=6.
    /// Says whether to make one joint release or several, how to divide epsilon, and how wide the intervals of each
    /// reading will be. Readings call the values 1, 2, 3 and so on
    #[arg(long, value_name = "LIST", allow_hyphen_values = true, conflicts_with_all = ["k", "prior", "prior_file", "distance", "mechanisms"])]
    pub(super) columns: Option<Columns>,

    #[command(flatten)]
    pub(crate) declared: DeclaredArgs,

    /// Find the least epsilon for intervals that reach at most so far to each side: 0.03 is 3 percentage points,
    /// sampling and privacy together
    #[arg(long, value_name = "W", value_parser = number, allow_hyphen_values = true)]
    pub(super) half_width: Option<f64>,

    /// Find the least epsilon for a release at most so far from the true posterior: the expected Hellinger distance,
    /// from 0 (equal) to 1 (disjoint)
    #[arg(long, value_name = "D", value_parser = number, allow_hyphen_values = true)]
    pub(super) distance: Option<f64>,

    /// Take the proportions of the columns that have no --shape from the document of an earlier private release. It is
    /// public already; sizes counted in the data would be published through the choice of epsilon
    #[arg(long, value_name = "RELEASE", requires = "columns")]
    pub(super) shape_from: Option<PathBuf>,

    /// Draw the error against epsilon into this .svg or .png file, with --half-width or --distance
    #[arg(long, value_name = "FILE", conflicts_with = "epsilon")]
    plot: Option<PlotFile>,

    #[command(flatten)]
    force: ForceArgs,

    /// Which mechanisms to rank, separated by commas [default: all that are private]
    #[arg(long, value_name = "MECHANISMS", value_parser = MechanismsParser, requires = "epsilon",
          long_help = taught("Which mechanisms to rank, such as \"lattice,ehds(score=angle)\" [default: all that are private]"))]
    pub(super) mechanisms: Option<Specs>,
}

/// What advice has of the fields of a plan.
#[derive(Debug)]
pub(crate) struct Advised;

impl Asks for Advised {
    fn has(field: &Field) -> Option<bool> {
        let all =
            ["epsilon", "delta", "allow-large-delta", "adjacency", "prior", "sets", "read", "level", "shape"];
        all.contains(&field.name).then_some(true)
    }
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
    /// The file to draw into.
    pub(super) fn plot(&self) -> Option<PlotFile> {
        Some(self.plot.clone()?.overwriting(self.force.force))
    }

    /// The public inputs that a size and a budget stand for.
    pub(super) fn setting(&self, stated: &Stated, epsilon: &Epsilon) -> Result<Setting, Failure> {
        let setting = stated.terms(epsilon.clone()).setting_without_data(self.categories()?, self.n);
        setting.map_err(|error| wrong_terms(error, self.public.prior_flag_or("--k"), "--n"))
    }

    /// Which tables of many columns are planned, if any are.
    pub(super) fn sets(&self) -> Result<Option<Which>, Failure> {
        let sets = self.public.fields.texts("sets").into_iter().next().map(str::parse);
        sets.transpose().map_err(|error: MarginsError| Failure::usage("--sets", error))
    }

    /// The number of categories, if it is given or declared.
    fn categories(&self) -> Result<Option<usize>, Failure> {
        Ok(self.declared_columns()?.map_or(self.k, |columns| Some(columns[0].values.len())))
    }

    /// The table whose releases are planned; none if there is one column of categories with a public n.
    pub(super) fn table(&self, stated: &Stated) -> Result<Option<Columns>, Failure> {
        let Some(declared) = self.declared_columns()? else {
            return match &self.columns {
                None if stated.adjacency() == Adjacency::AddRemove => self.one_column().map(Some),
                columns => Ok(columns.clone()),
            };
        };
        if declared.len() == 1 && stated.readings().is_empty() && stated.adjacency() == Adjacency::Replace {
            return Ok(None);
        }
        self.refuse_ranking("this is for one column with a public n; leave it out")?;
        Columns::new(declared).map(Some).map_err(|error| Failure::usage("--column", error))
    }

    /// The categories as a table of one column: where n is private there is one mechanism, and nothing to rank.
    fn one_column(&self) -> Result<Columns, Failure> {
        self.refuse_ranking("this is for a public n; with --adjacency add-remove, leave it out")?;
        let k = self.k.ok_or_else(|| {
            Failure::usage("--k", "give the number of categories, or --columns, or --column with its values")
        })?;
        format!("category={k}").parse().map_err(|error| Failure::usage("--k", error))
    }

    fn refuse_ranking(&self, why: &str) -> Result<(), Failure> {
        let given = [
            ("--distance", self.distance.is_some()),
            ("--mechanisms", self.mechanisms.is_some()),
            ("--prior", self.public.states_prior()),
        ];
        match given.into_iter().find(|(_, given)| *given) {
            Some((flag, _)) => Err(Failure::usage(flag, why)),
            None => Ok(()),
        }
    }

    /// The columns that are declared with their values; none if no flag declares any.
    fn declared_columns(&self) -> Result<Option<Vec<SpaceColumn>>, Failure> {
        if !self.declares()? {
            return Ok(None);
        }
        Ok(Some(self.declared.declared()?.iter().map(SpaceColumn::from).collect()))
    }

    /// The columns of tables of many columns.
    pub(super) fn columns_of(&self, which: &Which) -> Result<Vec<SpaceColumn>, Failure> {
        match (&self.columns, self.declares()?) {
            (Some(columns), _) => Ok(columns.as_slice().to_vec()),
            (None, true) => Ok(self.declared.declared_for(which)?.iter().map(SpaceColumn::from).collect()),
            (None, false) => Err(Failure::usage(
                "--schema",
                "name the Table Schema that declares the columns, or declare them with --column and --categories or --bins",
            )),
        }
    }

    /// Whether columns are declared with their values. They are not counted besides.
    fn declares(&self) -> Result<bool, Failure> {
        let Some((flag, _)) = self.declared.given().into_iter().find(|(_, given)| *given) else {
            return Ok(false);
        };
        let counted = [("--columns", self.columns.is_some()), ("--k", self.k.is_some())];
        match counted.into_iter().find(|(_, given)| *given) {
            Some((other, _)) => Err(Failure::usage(
                other,
                format!("{flag} declares the values, so their number is known; leave one of both out"),
            )),
            None => Ok(true),
        }
    }

    /// What is said of proportions.
    fn shapes(&self) -> Result<Vec<AdvisedShape>, Failure> {
        let shape = |text: &str| parse_shape(text).map_err(|error| format!("{text:?}: {error}"));
        let shapes = self.public.fields.texts("shape").into_iter().map(shape);
        shapes.collect::<Result<_, _>>().map_err(|error| Failure::usage("--shape", error))
    }

    /// The proportions of the categories.
    pub(super) fn shape(&self) -> Result<Option<Shape>, Failure> {
        match self.shapes()?.as_slice() {
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
        let column = |shape: AdvisedShape| match shape {
            AdvisedShape::Column(shape) => Ok(shape),
            AdvisedShape::All(_) => Err(Failure::usage(
                "--shape",
                "with --columns give the proportions of one column, such as ward=0.3,0.2,0.5, and repeat the flag for others",
            )),
        };
        let mut shapes: Vec<ColumnShape> =
            self.shapes()?.into_iter().map(column).collect::<Result<_, _>>()?;
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
