//! `posterity advise`

mod arguments;
mod least;
mod rank;
mod table;

use posterity::Adjacency;
use posterity_advice::design::Columns;
use posterity_advice::least::Goal;

pub(crate) use self::arguments::AdviseArgs;
pub(super) use self::table::wrong as wrong_design;
use crate::failure::Failure;

/// The categories as a table of one column: where n is private there is one mechanism, and nothing to rank.
fn one_column(args: &AdviseArgs) -> Result<Columns, Failure> {
    let for_public_n = [
        ("--distance", args.distance.is_some()),
        ("--mechanisms", args.mechanisms.is_some()),
        ("--prior", args.prior.stated()?.is_some()),
    ];
    if let Some((flag, _)) = for_public_n.into_iter().find(|(_, given)| *given) {
        return Err(Failure::usage(
            flag,
            "this is for a public n; with --adjacency add-remove, leave it out",
        ));
    }
    let k = args.k.ok_or_else(|| Failure::usage("--k", "give the number of categories, or --columns"))?;
    format!("category={k}").parse().map_err(|error| Failure::usage("--k", error))
}

/// Ranks the private mechanisms at a budget, or finds the least budget for an error.
pub(crate) fn advise(args: &AdviseArgs) -> Result<(), Failure> {
    if let Some(columns) = &args.columns {
        return table::advise_columns(args, columns);
    }
    if args.adjacency == Adjacency::AddRemove {
        return table::advise_columns(args, &one_column(args)?);
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
        (Some(epsilon), _) => rank::rank(args, epsilon),
        (None, Some(goal)) => least::least(args, goal),
        (None, None) => Err(Failure::usage("--epsilon", "give a budget, or --half-width or --distance")),
    }
}
