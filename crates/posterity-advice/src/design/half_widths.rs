//! How wide the intervals of the shares of one column will be.

use posterity::table::IntervalKind;
use posterity_core::mechanism::Spec;
use posterity_core::model::{Adjacency, Setting};
use serde::Serialize;

use super::design_error::DesignError;
use super::one_release::OneRelease;
use crate::shape::Shape;

/// The expected half-width of the interval of one category, in units of its share: 0.05 is 5 percentage points.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct HalfWidth {
    /// With the privacy noise.
    pub private: f64,
    /// The standard error of that number where releases were simulated; none where they were not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub standard_error: Option<f64>,
    /// Without any noise: the width that the number of records alone makes.
    pub without: f64,
}

/// The expected half-widths of the intervals of all categories.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct HalfWidths {
    /// The probability of the intervals.
    pub level: f64,
    /// Which intervals they are: those that the document shows.
    pub interval: IntervalKind,
    /// One for each category.
    pub categories: Vec<HalfWidth>,
}

impl HalfWidths {
    /// That of the category with the widest interval.
    #[must_use]
    pub fn widest(&self) -> HalfWidth {
        let none = HalfWidth { private: 0.0, standard_error: None, without: 0.0 };
        let wider = |a: HalfWidth, b: &HalfWidth| if b.private > a.private { *b } else { a };
        self.categories.iter().fold(none, wider)
    }
}

/// The expected half-width of the interval that a release shows of the share of each category, at the expected shares,
/// which are equal unless a shape is given. It is that of a table of one column
/// ([`expected_readings`](super::expected_readings)).
///
/// ```
/// use posterity::Terms;
/// use posterity_advice::design::expected_half_widths;
/// let setting = Terms::new("1".parse()?).setting(2, 90)?;
/// let widest = expected_half_widths(&"lattice".parse()?, &setting, None, 0.95)?.widest();
/// assert!(widest.private > widest.without);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`DesignError`], for example if the mechanism is not for this size.
pub fn expected_half_widths(
    spec: &Spec,
    setting: &Setting,
    shape: Option<&Shape>,
    level: f64,
) -> Result<HalfWidths, DesignError> {
    let release = OneRelease::of_column(
        (spec.clone(), Adjacency::Replace),
        setting.prior(),
        setting.n(),
        shape,
        level,
    )?;
    release.half_widths(setting.epsilon().to_f64())
}

impl OneRelease {
    /// The half-widths of the rows of the first reading.
    fn half_widths(&self, epsilon: f64) -> Result<HalfWidths, DesignError> {
        let found = self.widths_at(epsilon)?.swap_remove(0);
        let none = HalfWidth { private: 0.0, standard_error: None, without: 0.0 };
        let mut categories = vec![none; self.number_of_rows(0)];
        for (rows, without) in self.rows().take(1) {
            for ((rows, &private), &without) in rows.iter().zip(&found.each).zip(&without.each) {
                let standard_error = found.simulated.then_some(found.standard_error);
                let one = HalfWidth { private, standard_error, without };
                rows.positions.iter().for_each(|&position| categories[position] = one);
            }
        }
        Ok(HalfWidths { level: self.level(), interval: found.interval, categories })
    }
}
