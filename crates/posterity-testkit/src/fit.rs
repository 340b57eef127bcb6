//! Goodness of fit to a finite law.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Debug;

use crate::critical_interval;

/// A test of draws against an exact law.
#[derive(Clone, Debug)]
pub struct Fit<'a> {
    /// What is tested, for the message.
    pub what: &'a str,
    /// The seed that the draws came from, for the message.
    pub seed: u64,
    /// The probability that a correct sampler fails: an upper bound.
    pub false_alarms: f64,
}

impl Fit<'_> {
    /// Compares with exact binomial quantiles how often each outcome occurred, and how often an outcome at or before it
    /// in the order of the law. The first comparison finds a wrong probability of one outcome, the second a small shift
    /// of many.
    ///
    /// # Panics
    /// If a count is outside its critical interval, or an outcome is not in the law.
    #[allow(clippy::panic, reason = "this is how a test fails")]
    pub fn check<T: Ord + Debug>(&self, law: &[(T, f64)], draws: &[T]) {
        let n = draws.len() as u64;
        let mut seen: BTreeMap<&T, u64> = BTreeMap::new();
        draws.iter().for_each(|draw| *seen.entry(draw).or_default() += 1);
        let rate = self.false_alarms / (2 * law.len()) as f64;
        let Self { what, seed, false_alarms } = self;
        let about = format!("{what}: {n} draws, seed {seed}, false-alarm rate {false_alarms:e}");
        let known: BTreeSet<&T> = law.iter().map(|(outcome, _)| outcome).collect();
        if let Some((outcome, count)) = seen.iter().find(|(outcome, _)| !known.contains(*outcome)) {
            panic!("{about}: {count} draws of {outcome:?}, which the law does not know");
        }
        let (mut probability_so_far, mut count_so_far) = (0.0, 0);
        for (outcome, probability) in law {
            let count = seen.get(outcome).copied().unwrap_or(0);
            probability_so_far += probability;
            count_so_far += count;
            // A sum of probabilities may exceed one by rounding.
            for (label, p, count) in
                [("at", *probability, count), ("up to", probability_so_far.min(1.0 - 1e-15), count_so_far)]
            {
                let accepted = critical_interval(n, p, rate);
                assert!(
                    (accepted.low..=accepted.high).contains(&count),
                    "{about}: {count} draws {label} {outcome:?}, where probability {p} allows {accepted:?}",
                );
            }
        }
        println!("{about}: fits");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Random;

    fn draws(shares: [f64; 3]) -> Vec<usize> {
        let mut random = Random::new(11);
        (0..20_000)
            .map(|_| {
                let u = random.uniform(0.0, 1.0);
                usize::from(u > shares[0]) + usize::from(u > shares[0] + shares[1])
            })
            .collect()
    }

    const LAW: [(usize, f64); 3] = [(0, 0.2), (1, 0.5), (2, 0.3)];
    const TEST: Fit<'_> = Fit { what: "self-test", seed: 11, false_alarms: 1e-6 };

    #[test]
    fn accepts_the_right_law() {
        TEST.check(&LAW, &draws([0.2, 0.5, 0.3]));
    }

    #[test]
    #[should_panic(expected = "allows")]
    fn rejects_a_law_that_is_off_by_three_percent() {
        TEST.check(&LAW, &draws([0.23, 0.47, 0.3]));
    }

    #[test]
    #[should_panic(expected = "does not know")]
    fn rejects_an_unknown_outcome() {
        TEST.check(&[(0, 0.2), (2, 0.8)], &[0, 2, 1]);
    }
}
