//! The shares of two categories, from a list of all laws.

use super::binomial::expectation;
use super::ends::lower_end;
use super::share::CLOSE;
use super::subject::Subject;
use super::sums::Interval;
use crate::mechanism::{Mechanism, Space};
use crate::model::Counts;
use crate::special::Sum;

/// What every data set of two categories says of one release of a mechanism whose noise does not add up: how likely a
/// release is at least, and at most, as large.
///
/// With `g(c) = P(R >= r | c)`, or the largest value of that for smaller counts if it is not increasing already, the
/// test of a share p by `E g(C)`, `C ~ Bin(n, p)`, rejects a true share with at most the probability of its size, and
/// what it rejects is an interval from 0 on. The other end is that of the other category.
#[derive(Clone, Debug)]
pub struct Listed {
    /// For the first category and the second, `g` at every count.
    tails: [Vec<f64>; 2],
}

/// What the logarithms of probabilities may be off by, with room to spare.
const ROUNDING: f64 = 1e-9;

impl Listed {
    /// The most records: then 250,000 probabilities are listed.
    const MOST_RECORDS: u64 = 500;

    /// Whether there are two categories, and few enough records.
    #[must_use]
    pub fn is_for(k: usize, n: u64) -> bool {
        k == 2 && (1..=Self::MOST_RECORDS).contains(&n)
    }

    /// Lists the laws of a mechanism that releases possible counts. Nothing if it releases something else, or
    /// [`Listed::is_for`] says no.
    ///
    /// # Panics
    /// If there are more records of the first category in the release than in the data.
    pub fn new(mechanism: &dyn Mechanism, released: &[u64]) -> Option<Self> {
        let n = mechanism.setting().n();
        let &[released, _] = released else { return None };
        if mechanism.space() != Space::Candidates || !Self::is_for(mechanism.setting().k(), n) {
            return None;
        }
        let mut tails = [Vec::new(), Vec::new()];
        for count in 0..=n {
            let counts = Counts::new(vec![count, n - count]).ok()?;
            // In the order of the first count.
            let law = mechanism.ln_probabilities(&counts).ok()?;
            let sum = |logs: &[f64]| logs.iter().map(|&ln| libm::exp(ln)).collect::<Sum>().value();
            tails[0].push(sum(&law[released as usize..]));
            tails[1].push(sum(&law[..=released as usize]));
        }
        tails[1].reverse();
        for tails in &mut tails {
            let mut most = 0.0;
            for tail in tails {
                most = (*tail * (1.0 + ROUNDING)).max(most).min(1.0);
                *tail = most;
            }
        }
        Some(Self { tails })
    }

    /// The interval at this level for the share of one of both categories.
    #[must_use]
    pub fn share(&self, category: usize, about: Subject, level: f64) -> Interval {
        let size = 0.5 * (1.0 - level);
        let n = self.tails[0].len() as u64 - 1;
        let [low, high] = match about {
            Subject::Records => {
                let high = n - self.records(1 - category, size);
                [self.records(category, size), high].map(|count| count as f64 / n as f64)
            }
            Subject::Population => {
                let above = self.population(1 - category, size);
                [self.population(category, size), (1.0 - above).next_up().min(1.0)]
            }
        };
        Interval { ends: [low, high.max(low)], estimate: None, may_be_empty: false, deviation: 0.0 }
    }

    /// The least count of the records that is not rejected.
    fn records(&self, category: usize, size: f64) -> u64 {
        let tails = &self.tails[category];
        tails.partition_point(|tail| *tail <= size).min(tails.len() - 1) as u64
    }

    /// The lower end of the interval for the share of the population.
    fn population(&self, category: usize, size: f64) -> f64 {
        let tails = &self.tails[category];
        let n = tails.len() as u64 - 1;
        if tails[0] > size {
            return 0.0;
        }
        let tail = |p: f64| expectation(n, p, 0, n as i64, |count| tails[count as usize]);
        // If even all records of the category were too unlikely, every share would be.
        if tail(1.0) <= size {
            return 1.0;
        }
        lower_end(0.0, self.records(category, size) as f64 / n as f64, size, CLOSE, tail)
    }
}
