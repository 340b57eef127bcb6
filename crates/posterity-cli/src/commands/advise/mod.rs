//! `posterity advise`

mod arguments;
mod least;
mod margins;
mod rank;
mod table;

use posterity_advice::least::Goal;

pub(crate) use self::arguments::AdviseArgs;
pub(super) use self::table::wrong as wrong_design;
use crate::failure::Failure;

/// Ranks the private mechanisms at a budget, finds the least budget for an error, or plans many tables.
pub(crate) fn advise(args: &AdviseArgs) -> Result<(), Failure> {
    let stated = args.public.stated()?;
    if let Some(which) = args.sets()? {
        return margins::advise(args, &stated, &which);
    }
    if stated.delta().is_some() {
        return Err(Failure::usage("--delta", "this is for --sets; leave it out"));
    }
    if let Some(columns) = args.table(&stated)? {
        return table::advise_columns(args, &stated, &columns);
    }
    if !stated.readings().is_empty() {
        return Err(Failure::usage(
            "--read",
            "this is for tables; give the number of values of each column with --columns",
        ));
    }
    let goal = match (args.half_width, args.distance) {
        (Some(width), _) => Some(Goal::HalfWidth(width)),
        (None, distance) => distance.map(Goal::Distance),
    };
    match (stated.epsilon(), goal) {
        (Some(epsilon), _) => rank::rank(args, &stated, epsilon),
        (None, Some(goal)) => least::least(args, &stated, goal),
        (None, None) => Err(Failure::usage("--epsilon", "give a budget, or --half-width or --distance")),
    }
}
