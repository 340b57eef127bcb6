//! Advice, and how wide the intervals of a usual release will be.

use posterity::Terms;
use posterity_core::model::Setting;
use serde::Serialize;

use super::half_width::{HalfWidths, expected_half_width};
use super::truth::Truth;
use crate::advice::{Advice, AdviceError, Shape, advise_among};
use posterity_core::mechanism::Spec;

/// Advice with the half-widths to expect of the default mechanism.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Advised {
    /// Which mechanism to use.
    #[serde(flatten)]
    pub advice: Advice,
    /// The half-widths to expect of `lattice`; none if they take long to compute.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub half_widths: Option<HalfWidths>,
}

/// [`advise_among`], and [`expected_half_width`] where that is quick.
///
/// ```
/// use posterity::Terms;
/// use posterity_core::score::Scoring;
/// use posterity_advice::plan::advise_with_widths;
/// let setting = Terms::new("1".parse()?).setting(2, 90)?;
/// let advised = advise_with_widths(&setting, None, None, &|_| ())?;
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
    progress: &(dyn Fn(u64) + Sync),
) -> Result<Advised, AdviceError> {
    let advice = advise_among(setting, shape, mechanisms, progress)?;
    let truth = shape.map_or(Truth::Even, |shape| Truth::Shape(shape.clone()));
    Ok(Advised { advice, half_widths: half_widths(setting, &truth) })
}

fn half_widths(setting: &Setting, truth: &Truth) -> Option<HalfWidths> {
    if !is_quick(setting) {
        return None;
    }
    let terms =
        Terms { prior: Some(setting.prior().clone().into()), ..Terms::new(setting.epsilon().clone()) };
    let request = terms.request_for(setting.clone(), &|_| ()).ok()?;
    expected_half_width(&request, truth).ok()
}

/// The most counts that the noise may leave possible.
const QUICK: f64 = 2e5;

/// Whether half-widths take less than a second or so. The time grows with the counts that the noise leaves possible.
#[must_use]
pub fn is_quick(setting: &Setting) -> bool {
    setting.k() as f64 * (setting.n() as f64).min(90.0 / setting.epsilon().to_f64()) <= QUICK
}
