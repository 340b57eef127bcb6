//! Noise on the lattice of vectors that sum to zero.

use std::num::NonZeroU64;
use std::sync::Arc;

use dashu_int::IBig;

use super::{
    Decoding, Definition, Description, Drawing, FitError, Guarantee, Likelihood, Mechanism, ReleaseError,
    Space,
};
use crate::confidence::Additive;
use crate::model::{Counts, Drawn, Released, Setting, SettingError};
use crate::noise::{Evidence, Factor, LatticeNoise, TwoSidedGeometric};
use crate::sampler::{BitSource, Rate};

/// The mechanism `lattice`, which has no parameters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Lattice;

impl Lattice {
    /// The facts of the mechanism.
    pub const DESCRIPTION: Description = Description {
        name: "lattice",
        summary: "noise that moves records between categories, for any k; epsilon-DP",
        private: true,
        proof: "docs/proofs/lattice.md",
        parameters: &[],
        tunable: false,
        exchangeable: true,
        uses_prior: false,
        decodable: true,
        decoding: Decoding::Best,
        usual: || Self.into(),
        read: |_| Ok(Self.into()),
    };
}

impl Definition for Lattice {
    fn fit(&self, setting: Setting) -> Result<Box<dyn Mechanism>, FitError> {
        Ok(Box::new(lattice(setting)))
    }

    fn drawing(&self) -> Drawing {
        Drawing::Lattice
    }
}

/// `y = c + Z` with Z from [`LatticeNoise`] of rate epsilon: noise that keeps the number of records, and whose law
/// falls with the number of records that have to move. For two categories it is the geometric mechanism.
///
/// Drawn is y, and released is y clipped to `0..=n`, category by category. That loses nothing about single counts: the
/// likelihood of the true counts depends on y only through the clipped values (docs/proofs/lattice.md). They need not
/// sum to n, as y does; see decoding for how to make a posterior of them.
///
/// # Guarantee
/// epsilon-DP: moving one record changes the distance of every y by at most one (docs/proofs/lattice.md).
#[derive(Clone, Debug)]
pub struct NoisyLattice {
    setting: Setting,
    noise: LatticeNoise,
}

/// The lattice mechanism.
#[must_use]
pub fn lattice(setting: Setting) -> NoisyLattice {
    let noise = LatticeNoise::for_setting_of(setting.k(), Rate::from(setting.epsilon()));
    NoisyLattice { setting, noise }
}

impl Mechanism for NoisyLattice {
    fn description(&self) -> &'static Description {
        &Lattice::DESCRIPTION
    }

    fn setting(&self) -> &Setting {
        &self.setting
    }

    fn guarantee(&self) -> Guarantee {
        Guarantee::proven(&self.setting)
    }

    fn space(&self) -> Space {
        Space::Lattice
    }

    fn ln_probabilities(&self, counts: &Counts) -> Result<Vec<f64>, SettingError> {
        self.setting.check(counts)?;
        let (k, n) = (self.setting.k(), self.setting.n());
        let half_rate = 0.5 * self.setting.epsilon().to_f64();
        let ln_normaliser = self.noise.ln_normaliser();
        let mut all = Vec::with_capacity(self.space().size(k, n) as usize);
        // What clipping adds depends on three small numbers only; there are far fewer of those than outcomes.
        let mut known = std::collections::HashMap::new();
        self.space().for_each(k, n, |clipped| {
            let (mut moved, mut gap, mut lower, mut higher) = (0, 0, 0_usize, 0_usize);
            for (&w, &c) in clipped.iter().zip(counts.as_slice()) {
                moved += w.abs_diff(c);
                gap += w;
                lower += usize::from(w == 0);
                higher += usize::from(w == n);
            }
            gap -= n;
            let beyond = if gap == 0 && higher == 0 {
                0.0
            } else {
                *known.entry((lower, higher, gap)).or_insert_with(|| self.noise.ln_beyond(lower, higher, gap))
            };
            all.push(beyond - half_rate * moved as f64 - ln_normaliser);
        });
        Ok(all)
    }

    fn drawing(&self) -> Drawing {
        Drawing::Lattice
    }

    fn draw(&self, counts: &Counts, bits: &mut dyn BitSource) -> Result<Drawn, ReleaseError> {
        self.setting.check(counts)?;
        let noise = self.noise.sample(bits)?;
        let noisy = counts.as_slice().iter().zip(noise).map(|(&count, z)| IBig::from(count) + z);
        Ok(Drawn::of_any_size(noisy))
    }

    /// A point of the lattice has probability proportional to `prod q^abs(z_i)` with `q = exp(-epsilon/2)`: independent
    /// noise, given that it sums to zero.
    fn additive(&self) -> Option<Additive> {
        let two = NonZeroU64::MIN.saturating_add(1);
        let noise = TwoSidedGeometric::new(Rate::from(self.setting.epsilon()).divided_by(two));
        Some(Additive { noise: Arc::new(noise), remainder: None })
    }

    fn likelihood(&self) -> Option<&dyn Likelihood> {
        Some(self)
    }
}

impl Likelihood for NoisyLattice {
    fn evidence(&self, released: &Released) -> Evidence {
        let rate = 0.5 * self.setting.epsilon().to_f64();
        Evidence::new(released.as_slice().iter().map(|&at| Factor::TwoSided { rate, at }).collect())
    }

    /// Clipping loses nothing (docs/proofs/lattice.md, theorem 3).
    fn evidence_of_draw(&self, drawn: &Drawn) -> Evidence {
        self.evidence(&self.drawing().released(drawn, self.setting.n()))
    }
}
