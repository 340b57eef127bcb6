//! How often intervals hold the truth.

use posterity_core::decode::{noise_aware, project};
use posterity_core::mechanism::Mechanism;
use posterity_core::model::{Counts, Prior};
use posterity_core::sampler::{BitSource, SeededBits, dirichlet};
use posterity_plot::{Axis, Content, Lines, Panel, Rule, Series, Style};
use serde::Deserialize;

use super::Procedure;
use super::context::{Computed, RunContext};
use super::validity::{repeated, setting, some};
use crate::contender::Contender;
use crate::mode::Mode;
use crate::seed::stream;
use crate::table::ResultTable;
use crate::values::EpsilonValue;
use posterity::number::{brief, digits};

/// Draws theta from the prior, data from theta and a release from the data, and counts how often the interval of the
/// first category holds theta.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Coverage {
    prior: Prior,
    n: u64,
    mechanism: Contender,
    /// Budgets.
    values: Vec<f64>,
    level: f64,
    trials: usize,
    quick: Option<usize>,
}

/// Trials that share a random stream.
const TRIALS_PER_STREAM: usize = 250;

impl Procedure for Coverage {
    fn check(&self) -> Result<(), String> {
        some("values", &self.values)?;
        if !(self.level > 0.0 && self.level < 1.0) {
            return Err(format!("level is {}; give a probability between 0 and 1", self.level));
        }
        if !self.mechanism.mechanism().decodable {
            return Err(format!(
                "mechanism: {} has no noise-aware posterior; choose lattice",
                self.mechanism
            ));
        }
        repeated(self.trials, self.quick, "trials and quick", "trials")?;
        for &value in &self.values {
            setting(&self.prior, self.n, &EpsilonValue::try_from(value)?.0)?;
        }
        Ok(())
    }

    fn run(&self, context: &RunContext<'_>) -> Computed {
        let trials = self.trials(context.mode);
        let blocks = trials.div_ceil(TRIALS_PER_STREAM);
        let cells: Vec<(f64, usize)> =
            self.values.iter().flat_map(|&value| (0..blocks).map(move |block| (value, block))).collect();
        let found = context.compute(&cells, |&(value, block)| {
            let mechanism =
                self.mechanism.build(&setting(&self.prior, self.n, &EpsilonValue::try_from(value)?.0)?)?;
            let mut bits = stream(context.seed, &[context.name, &digits(value), &block.to_string()]);
            let trials = TRIALS_PER_STREAM.min(trials - block * TRIALS_PER_STREAM);
            let mut covered = [0_u64; 2];
            for _ in 0..trials {
                let held = self.trial(&*mechanism, &mut bits)?;
                covered.iter_mut().zip(held).for_each(|(sum, held)| *sum += u64::from(held));
            }
            Ok(covered)
        })?;
        let mut table = ResultTable::default();
        for (values, blocks) in self.values.iter().zip(found.chunks(blocks)) {
            for (place, name) in ["noise-aware", "naive"].into_iter().enumerate() {
                let covered: u64 = blocks.iter().map(|block| block[place]).sum();
                let share = covered as f64 / trials as f64;
                let error = (share * (1.0 - share) / trials as f64).sqrt();
                table.push_sampled("", name, "coverage", Some(*values), (share, Some(error)));
            }
        }
        let series = |label: &str, name: &str, style| Series {
            label: label.to_owned(),
            style,
            points: table.curve("", name, "coverage"),
        };
        let panel = Panel {
            title: String::new(),
            x: Axis::log("budget ε"),
            y: Axis::linear("coverage").including(0.0).including(1.0),
            content: Content::Lines(Lines {
                series: vec![
                    series("noise-aware", "noise-aware", Style::mechanism(self.mechanism.mechanism())),
                    series("as if there were no noise", "naive", Style::plain(0).dashed()),
                ],
                rules: vec![Rule::Across { label: format!("{} stated", brief(self.level)), at: self.level }],
            }),
        };
        Ok((table, vec![vec![panel]]))
    }

    fn sampled(&self, mode: Mode) -> Option<usize> {
        Some(self.trials(mode))
    }
}

impl Coverage {
    fn trials(&self, mode: Mode) -> usize {
        mode.choose(self.trials, self.quick)
    }

    /// Whether the noise-aware and the naive interval hold the first probability.
    fn trial(&self, mechanism: &dyn Mechanism, bits: &mut SeededBits) -> Result<[bool; 2], String> {
        let say = |error: &dyn std::fmt::Display| error.to_string();
        let theta = dirichlet(self.prior.distribution(), bits).map_err(|error| say(&error))?;
        let counts = Counts::new(self.records(&theta, bits)?).map_err(|error| say(&error))?;
        let released = mechanism.release(&counts, bits).map_err(|error| say(&error))?;
        let aware = noise_aware(mechanism, &released).map_err(|error| say(&error))?;
        let tail = 0.5 * (1.0 - self.level);
        let inside = (tail..=1.0 - tail).contains(&aware.marginals()[0].cdf(theta[0]));
        let pretended =
            self.prior.posterior(&project(released.as_slice(), self.n)).map_err(|error| say(&error))?;
        let (low, high) = pretended.interval(0, self.level).map_err(|error| say(&error))?;
        Ok([inside, (low..=high).contains(&theta[0])])
    }

    /// The counts of n records, each drawn by inversion.
    fn records(&self, theta: &[f64], bits: &mut SeededBits) -> Result<Vec<u64>, String> {
        let mut counts = vec![0; theta.len()];
        for _ in 0..self.n {
            let word = bits.next_u64().map_err(|error| error.to_string())?;
            let mut u = (word >> 11) as f64 / (1_u64 << 53) as f64;
            let mut category = 0;
            while category + 1 < theta.len() && u >= theta[category] {
                u -= theta[category];
                category += 1;
            }
            counts[category] += 1;
        }
        Ok(counts)
    }
}
