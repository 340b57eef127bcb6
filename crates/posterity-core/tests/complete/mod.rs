//! The laws of exponential mechanisms by definition: the score of every outcome is evaluated.

use posterity_core::distance::{Pair, ln_bc};
use posterity_core::mechanism::{Description, Exponential, Guarantee, Mechanism, ReleaseError, Space};
use posterity_core::model::{Counts, Drawn, Setting, SettingError};
use posterity_core::sampler::{BitSource, RoundedScore};
use posterity_core::special::Sum;

/// The same mechanism with laws by definition. It has no scale to tune, so audits compare its complete laws.
#[derive(Debug)]
pub(crate) struct Complete(pub(crate) Exponential);

impl Mechanism for Complete {
    fn description(&self) -> &'static Description {
        self.0.description()
    }

    fn setting(&self) -> &Setting {
        self.0.setting()
    }

    fn guarantee(&self) -> Guarantee {
        self.0.guarantee()
    }

    fn space(&self) -> Space {
        self.0.space()
    }

    fn ln_probabilities(&self, counts: &Counts) -> Result<Vec<f64>, SettingError> {
        let scale = self.0.scale_down(counts)?;
        let (k, n) = (self.setting().k(), self.setting().n());
        let categories = self.setting().prior().parameters().iter().zip(counts.as_slice());
        let costs: Vec<Vec<f64>> = categories
            .map(|(&alpha, &c)| (0..=n).map(|r| -ln_bc(Pair::of_counts(alpha, c, r))).collect())
            .collect();
        let mut all = Vec::new();
        self.space().for_each(k, n, |candidate| {
            let parts = candidate.iter().zip(&costs).map(|(&r, costs)| costs[r as usize]);
            all.push(-scale * RoundedScore::from_costs(parts).distance());
        });
        let ln_total = all.iter().map(|ln| ln.exp()).collect::<Sum>().value().ln();
        Ok(all.into_iter().map(|ln| ln - ln_total).collect())
    }

    fn draw(&self, counts: &Counts, bits: &mut dyn BitSource) -> Result<Drawn, ReleaseError> {
        self.0.draw(counts, bits)
    }
}
