//! What to expect of the readings of one release.

use std::sync::Arc;

use posterity::table::{IntervalKind, Law, Space, Ways};
use posterity::{Reader, Reading};
use posterity_core::decode::noise_aware;
use posterity_core::forecast::LatticeDraws;
use posterity_core::mechanism::{Lattice, Mechanism, Spec};
use posterity_core::model::{Counts, Dirichlet, Epsilon, Prior, Released, Setting};
use posterity_core::sampler::{BitSource, SeededBits};

use super::design_error::DesignError;
use super::moments::Moments;
use super::numbered::numbered;
use super::units::Units;
use super::widths::{Classes, Widths};
use super::work::Work;
use crate::plan::listed;

/// One release of made-up data, and what is read from it.
#[derive(Clone, Debug)]
pub(super) struct Assumed {
    pub(super) space: Space,
    pub(super) readings: Vec<Reading>,
    pub(super) prior: Prior,
    pub(super) counts: Vec<u64>,
    pub(super) level: f64,
    pub(super) spec: Spec,
}

/// The readings of one release of made-up data, as functions of epsilon.
#[derive(Clone, Debug)]
pub(super) struct OneRelease {
    assumed: Assumed,
    /// The half-widths of the rows of each reading without noise.
    without: Vec<Widths>,
    /// The rows of each reading of which the same is to be expected.
    classes: Vec<Classes>,
    work: Work,
}

/// What to expect of one reading.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Expected {
    /// The expected half-width, on average over the rows.
    pub(super) mean: f64,
    /// The expected half-width of the rows that have the widest.
    pub(super) widest: f64,
    /// The standard error of either; zero where all releases were listed.
    pub(super) standard_error: f64,
}

/// How the expectations were computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Method {
    /// All releases were listed but for a probability of 1e-7.
    Exact,
    /// Means over simulated releases, each of which was read exactly.
    Simulated,
    /// The same in units of several records, because the noise spreads over very many counts.
    SimulatedInUnits,
}

/// The seed of simulated releases. It is fixed, so that everybody gets the same advice.
pub const SEED: u64 = 1;

/// Draws for a reading that has no exact method. Means over rows and releases need no more.
const DRAWS: u64 = 4_000;

/// A larger budget adds no noise worth mentioning: a record moves once in `exp(60)` releases.
const LARGEST: f64 = 60.0;

impl Assumed {
    fn reader(&self, law: Law) -> Result<Reader, DesignError> {
        Ok(Reader::new(self.space.clone(), law, credible(self.level)?)?.draws(DRAWS, Reader::SEED))
    }

    /// The half-widths of all rows of each reading.
    fn widths(&self, plain: Dirichlet) -> Result<Vec<Widths>, DesignError> {
        let reader = self.reader(Law::Plain(plain))?;
        self.readings.iter().map(|one| Widths::all(&reader, one)).collect()
    }
}

impl OneRelease {
    pub(super) fn new(assumed: Assumed) -> Result<Self, DesignError> {
        let without = assumed.widths(assumed.prior.posterior(&assumed.counts)?)?;
        let classes: Vec<Classes> = without.iter().map(Classes::new).collect();
        let work = Work::new(&assumed.space, &assumed.readings, &classes)?;
        Ok(Self { assumed, without, classes, work })
    }

    pub(super) fn space(&self) -> &Space {
        &self.assumed.space
    }

    pub(super) fn readings(&self) -> &[Reading] {
        &self.assumed.readings
    }

    pub(super) fn prior(&self) -> &Prior {
        &self.assumed.prior
    }

    pub(super) fn records(&self) -> u64 {
        self.assumed.counts.iter().sum()
    }

    /// The half-widths of each reading without noise.
    pub(super) fn without(&self) -> &[Widths] {
        &self.without
    }

    /// The half-widths of each reading under the prior alone: what is known before any release.
    pub(super) fn before(&self) -> Result<Vec<Widths>, DesignError> {
        self.assumed.widths(self.prior().distribution().clone())
    }

    /// A text that two releases share if the same is to be expected of them.
    pub(super) fn key(&self) -> String {
        let Assumed { space, readings, prior, counts, spec, .. } = &self.assumed;
        let columns: Vec<&str> = space.columns().iter().map(|column| column.name.as_str()).collect();
        let readings: Vec<_> = readings.iter().map(|one| numbered(one, &columns)).collect();
        let values: Vec<_> = space.columns().iter().map(|column| &column.values).collect();
        format!("{readings:?} {values:?} {:?} {counts:?} {spec}", prior.parameters())
    }

    /// What to expect of each reading at a budget.
    pub(super) fn at(&self, epsilon: f64) -> Result<(Vec<Expected>, Method), DesignError> {
        let epsilon = epsilon.min(LARGEST);
        let units = Units::new(self.records(), epsilon, self.prior().parameters().iter().sum(), &self.work);
        if units.is_record()
            && let Some(exact) = self.exact(epsilon)?
        {
            return Ok((exact, Method::Exact));
        }
        let method = if units.is_record() { Method::Simulated } else { Method::SimulatedInUnits };
        Ok((self.simulated(&units)?, method))
    }

    fn fit(&self, n: u64, epsilon: f64) -> Result<Box<dyn Mechanism>, DesignError> {
        let setting = Setting::new(self.prior().clone(), n, Epsilon::from_f64(epsilon)?)?;
        Ok(self.assumed.spec.fit(setting)?)
    }

    /// The half-widths of the rows that are looked at, by readings.
    fn read(&self, law: Law) -> Result<Vec<Widths>, DesignError> {
        let reader = self.assumed.reader(law)?;
        let readings = self.readings().iter().zip(&self.classes);
        readings.map(|(one, classes)| Widths::some(&reader, one, classes.rows())).collect()
    }

    /// The same after a release.
    fn after(&self, mechanism: &dyn Mechanism, released: &Released) -> Result<Vec<Widths>, DesignError> {
        self.read(Law::Aware(Arc::new(noise_aware(mechanism, released)?)))
    }

    /// The expectations over all releases, if these are few.
    fn exact(&self, epsilon: f64) -> Result<Option<Vec<Expected>>, DesignError> {
        let mechanism = self.fit(self.records(), epsilon)?;
        let counts = Counts::new(self.assumed.counts.clone())?;
        let Some((weighed, left_out)) = listed(&*mechanism, &counts)? else { return Ok(None) };
        let classes = &self.classes;
        let mut sums: Vec<Vec<f64>> = classes.iter().map(|one| vec![0.0; one.len()]).collect();
        for (released, probability) in &weighed {
            for ((sums, classes), widths) in
                sums.iter_mut().zip(classes).zip(self.after(&*mechanism, released)?)
            {
                for (sum, mean) in sums.iter_mut().zip(classes.means(&widths)) {
                    *sum += probability * mean;
                }
            }
        }
        let known = 1.0 - left_out;
        let expected = classes.iter().zip(sums).map(|(classes, sums)| {
            let means: Vec<f64> = sums.iter().map(|sum| sum / known).collect();
            let widest = means.iter().copied().fold(0.0, f64::max);
            Expected { mean: classes.mean(&means), widest, standard_error: 0.0 }
        });
        Ok(Some(expected.collect()))
    }

    /// Means over simulated releases. They come in pairs of opposite noise, and the same uniform numbers are used for
    /// every epsilon, so that the means change with epsilon as little as the expectations do.
    fn simulated(&self, units: &Units) -> Result<Vec<Expected>, DesignError> {
        let mechanism = self.fit(units.n(), units.epsilon())?;
        let counts = units.counts(&self.assumed.counts);
        let noise = Noise::new(&self.assumed.spec, self.assumed.space.all_cells(), units.epsilon());
        let classes = &self.classes;
        let mut moments: Vec<Vec<Moments>> =
            classes.iter().map(|one| vec![Moments::default(); one.len()]).collect();
        let in_units = match units.is_record() {
            true => Vec::new(),
            false => self.read(Law::Plain(self.prior().posterior(&counts)?))?,
        };
        let counts = Counts::new(counts)?;
        let (least, most) = self.work.pairs(units.n(), units.epsilon());
        let bits = &mut SeededBits::new(SEED);
        for pair in 0..most {
            let both = noise.pair(&*mechanism, &counts, bits)?;
            let [first, second] = [self.after(&*mechanism, &both[0])?, self.after(&*mechanism, &both[1])?];
            for (reading, (first, second)) in first.iter().zip(&second).enumerate() {
                let mut middle = Widths::middle(first, second);
                if !units.is_record() {
                    let without = self.without[reading].only(classes[reading].rows());
                    middle.replace(&in_units[reading], units.correction(), &without);
                }
                let means = classes[reading].means(&middle);
                moments[reading].iter_mut().zip(means).for_each(|(one, mean)| one.add(mean));
            }
            if pair + 1 >= least && moments.iter().flatten().all(Moments::is_precise) {
                break;
            }
        }
        let expected = classes.iter().zip(moments).map(|(classes, moments)| {
            let means: Vec<f64> = moments.iter().map(|one| one.mean()).collect();
            let widest = moments.iter().max_by(|a, b| a.mean().total_cmp(&b.mean()));
            Expected {
                mean: classes.mean(&means),
                widest: widest.map_or(0.0, Moments::mean),
                standard_error: moments.iter().map(Moments::error).fold(0.0, f64::max),
            }
        });
        Ok(expected.collect())
    }
}

/// Credible intervals of this level.
fn credible(level: f64) -> Result<Ways, DesignError> {
    Ok(Ways { interval: IntervalKind::Credible, ..Ways::new(level).map_err(posterity::ReadingError::from)? })
}

/// How releases are simulated.
enum Noise {
    /// Lattice noise by quantiles: noise of the same uniform numbers changes little with epsilon.
    Quantiles(LatticeDraws),
    /// The mechanism's own sampler.
    Sampler,
}

/// The most numbers that the laws of quantiles may hold, which is 32 MB.
const TABLED: f64 = 4e6;

impl Noise {
    fn new(spec: &Spec, cells: usize, epsilon: f64) -> Self {
        if *spec == Spec::from(Lattice) && cells as f64 * 150.0 / epsilon < TABLED {
            Self::Quantiles(LatticeDraws::new(cells, epsilon))
        } else {
            Self::Sampler
        }
    }

    /// Two releases, of opposite noise where that is possible.
    fn pair(
        &self,
        mechanism: &dyn Mechanism,
        counts: &Counts,
        bits: &mut SeededBits,
    ) -> Result<[Released; 2], DesignError> {
        match self {
            Self::Quantiles(noise) => {
                let unit = |bits: &mut SeededBits| {
                    let whole = bits.next_u64()? >> 11;
                    Ok::<_, DesignError>((whole as f64 + 0.5) / 9_007_199_254_740_992.0)
                };
                let point = (1..counts.len()).map(|_| unit(bits)).collect::<Result<Vec<f64>, _>>()?;
                let opposite: Vec<f64> = point.iter().map(|unit| 1.0 - unit).collect();
                let n = counts.total();
                Ok([&point, &opposite].map(|point| noise.clipped(counts.as_slice(), point, n)))
            }
            Self::Sampler => Ok([mechanism.release(counts, bits)?, mechanism.release(counts, bits)?]),
        }
    }
}
