//! The l1 distance between parameters.

use super::LengthError;
use crate::model::Dirichlet;
use crate::special::Sum;

/// `sum abs(a_i - b_i)`: the distance between the parameters. It says little about how far apart the distributions are.
///
/// ```
/// use posterity_core::{distance::l1_distance, model::Dirichlet};
/// assert_eq!(l1_distance(&Dirichlet::new(vec![1.0, 2.0])?, &Dirichlet::new(vec![2.0, 1.5])?)?, 1.5);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`LengthError`] if the two have different numbers of parameters.
pub fn l1_distance(a: &Dirichlet, b: &Dirichlet) -> Result<f64, LengthError> {
    let (a, b) = (a.parameters(), b.parameters());
    if a.len() != b.len() {
        return Err(LengthError { left: a.len(), right: b.len() });
    }
    Ok(a.iter().zip(b).map(|(a, b)| (a - b).abs()).collect::<Sum>().value())
}
