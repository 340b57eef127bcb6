//! The l1 distance between parameters.

use super::LengthError;
use crate::model::Dirichlet;
use crate::special::Sum;

/// `sum abs(a_i - b_i)`: how far the parameters are apart, whatever that means for the distributions.
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
