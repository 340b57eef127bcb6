//! Advice, and how wide the intervals of a usual release will be.

use posterity_core::mechanism::{Lattice, Spec};
use posterity_core::model::Setting;
use serde::Serialize;

use crate::advice::{Advice, AdviceError, advise_among};
use crate::design::{HalfWidths, MOST_CELLS, expected_half_widths};
use crate::shape::Shape;

/// Advice with the half-widths to expect of the default mechanism.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Advised {
    /// Which mechanism to use.
    #[serde(flatten)]
    pub advice: Advice,
    /// The half-widths to expect of `lattice`; none of more categories than are forecast.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub half_widths: Option<HalfWidths>,
}

/// [`advise_among`], and [`expected_half_widths`] of intervals of this level.
///
/// ```
/// use posterity::Terms;
/// use posterity_advice::plan::advise_with_widths;
/// let setting = Terms::new("1".parse()?).setting(2, 90)?;
/// let advised = advise_with_widths(&setting, None, None, Terms::LEVEL, &|_| ())?;
/// assert!(advised.half_widths.is_some());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`AdviceError`].
pub fn advise_with_widths(
    setting: &Setting,
    shape: Option<&Shape>,
    mechanisms: Option<&[Spec]>,
    level: f64,
    progress: &(dyn Fn(u64) + Sync),
) -> Result<Advised, AdviceError> {
    let advice = advise_among(setting, shape, mechanisms, progress)?;
    let half_widths = (setting.k() <= MOST_CELLS)
        .then(|| expected_half_widths(&Lattice.into(), setting, shape, level))
        .and_then(Result::ok);
    Ok(Advised { advice, half_widths })
}
