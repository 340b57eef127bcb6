//! The decoder that searches.

use super::belief::Belief;
use super::candidate::{Candidate, Moved, Part};
use super::saturation::is_far;
use super::{DecodeError, Decoded, Decoder};
use crate::model::{Dirichlet, Prior};
use crate::noise_aware::NoiseAware;
use crate::special::Sum;

/// An improvement below this is rounding.
const GAIN: f64 = 1e-12;

/// Of moves whose expected distances differ by less than this, the first is taken.
const TIE: f64 = 1e-14;

/// The most evaluations of one point in a search. Evaluations that turn out to be unnecessary count too, so
/// that the result does not depend on how many those are.
const WORK: usize = 20_000_000;

/// Computing the cost of one count counts as this many evaluations of a point.
const COST: usize = 10;

/// The part of least expected distance, improved: whole records are moved between categories, then parts of records,
/// and the total is rescaled.
pub(super) fn best(
    prior: &Prior,
    aware: &NoiseAware,
    belief: &Belief<'_>,
    parts: [(Decoder, Dirichlet); 3],
) -> Result<Decoded, DecodeError> {
    let mut parts = parts.map(|(name, part)| (name, Candidate::new(belief, part.parameters().to_vec())));
    // A search of a sample would fit single points of it, and no other.
    let hopeless = belief.is_sample() && parts.iter_mut().all(|(_, part)| is_far(part.expected()));
    let [projection, mean, moments] = parts;
    if hopeless {
        return decoded(moments);
    }
    let search = Search { belief, prior, step: spread(aware) };
    // Whole counts: the better of two starting points, moved until nothing gains.
    let (name, whole) = better(projection, mean);
    let whole = (name, search.moved(whole, true));
    // Any parameters: the best shape so far or the moments, rescaled and moved.
    let rescaled = search.rescaled(&whole.1);
    let (start_name, start) = better((whole.0, rescaled), moments);
    let free = (start_name, search.moved(start, false));
    let again = search.rescaled(&free.1);
    let free = better(free, (start_name, again));
    decoded(better(whole, free))
}

fn decoded((start, mut found): (Decoder, Candidate<'_>)) -> Result<Decoded, DecodeError> {
    let expected_distance = Some(found.expected());
    Ok(Decoded { posterior: Dirichlet::new(found.into_parameters())?, start, expected_distance })
}

/// The first unless the second is better.
fn better<'a>(
    mut first: (Decoder, Candidate<'a>),
    mut second: (Decoder, Candidate<'a>),
) -> (Decoder, Candidate<'a>) {
    if second.1.is_below(&mut first.1, GAIN) { second } else { first }
}

/// How far records are moved at first: about half the uncertainty of a count.
fn spread(aware: &NoiseAware) -> f64 {
    let deviation = |marginal: &crate::noise_aware::BetaMixture| {
        let mean = marginal.mean_count();
        libm::sqrt(
            marginal
                .counts()
                .map(|(count, p)| p * (count as f64 - mean) * (count as f64 - mean))
                .sum::<f64>(),
        )
    };
    let widest = aware.marginals().iter().map(deviation).fold(0.0, f64::max);
    libm::exp2(libm::round(libm::log2((0.5 * widest).max(1.0))))
}

struct Search<'a> {
    belief: &'a Belief<'a>,
    prior: &'a Prior,
    step: f64,
}

impl<'a> Search<'a> {
    /// Moves `step` from one category to another as long as that gains, then half of it, down to one record or, if the
    /// parameters need not be whole, to a quarter of one.
    fn moved(&self, mut candidate: Candidate<'a>, whole: bool) -> Candidate<'a> {
        let mut step = self.step;
        let mut work = 0;
        while step >= if whole { 1.0 } else { 0.25 } && work < WORK {
            match self.best_move(&mut candidate, step, whole, &mut work) {
                Some(next) => candidate = next,
                None => step *= 0.5,
            }
        }
        candidate
    }

    /// The move of a given size that gains most, if any gains.
    fn best_move(
        &self,
        at: &mut Candidate<'a>,
        step: f64,
        whole: bool,
        work: &mut usize,
    ) -> Option<Candidate<'a>> {
        let k = at.parameters().len();
        // A category with more or less in it.
        let change = |i: usize, by: f64| -> Option<Part> {
            let value = at.parameters()[i] + by;
            let least = if whole { self.prior.parameters()[i] } else { 0.0 };
            let allowed = if whole { value >= least - 1e-9 } else { value > 1e-3 * at.parameters()[i] };
            allowed.then(|| at.part(i, value))
        };
        *work += 2 * COST * (0..k).map(|i| self.belief.width(i)).sum::<usize>();
        let parallelism = self.belief.parallelism();
        let down: Vec<Option<Part>> = parallelism.map(0..k, |i| change(i, -step));
        let up: Vec<Option<Part>> = parallelism.map(0..k, |i| change(i, step));
        // With many categories, only the most promising ones on either side are paired.
        let mut promising = |changes: &[Option<Part>]| -> Vec<usize> {
            if k <= 6 {
                return (0..k).filter(|&i| changes[i].is_some()).collect();
            }
            let changed = changes.iter().flatten();
            let mut ranked: Vec<(f64, usize)> = changed
                .map(|part| {
                    *work += self.belief.points();
                    (Moved::one(part).expected(at), part.category())
                })
                .collect();
            ranked.sort_by(|a, b| a.0.total_cmp(&b.0));
            ranked.truncate(5);
            ranked.into_iter().map(|(_, i)| i).collect()
        };
        let (from, to) = (promising(&down), promising(&up));
        let mut found: Option<(Moved<'_>, usize, usize)> = None;
        for &i in &from {
            for &j in to.iter().filter(|&&j| j != i) {
                if let (Some(less), Some(more)) = (&down[i], &up[j]) {
                    *work += self.belief.points();
                    let mut moved = Moved::both(less, more);
                    let gains = match &mut found {
                        None => moved.is_below_start(at, GAIN),
                        Some((found, ..)) => moved.is_below(found, at, TIE),
                    };
                    if gains {
                        found = Some((moved, i, j));
                    }
                }
            }
        }
        let (_, i, j) = found?;
        let mut parameters = at.parameters().to_vec();
        parameters[i] -= step;
        parameters[j] += step;
        let mut next = Candidate::new(self.belief, parameters);
        // Sums that were updated and sums made anew differ by rounding; without this a search could go round in
        // circles.
        (next.is_below(at, 0.5 * GAIN) && next.is_surely_below(at)).then_some(next)
    }

    /// The same proportions with the total of least expected distance, by golden sections of its logarithm.
    fn rescaled(&self, candidate: &Candidate<'a>) -> Candidate<'a> {
        let total = candidate.parameters().iter().copied().collect::<Sum>().value();
        let prior = self.prior.parameters().iter().copied().collect::<Sum>().value();
        let scaled = |ln_total: f64| {
            let factor = libm::exp(ln_total) / total;
            let parameters = candidate.parameters().iter().map(|value| value * factor);
            Candidate::new(self.belief, parameters.collect())
        };
        let start = libm::log(total);
        let (mut low, mut high) = (libm::log(prior.min(total) * 0.5), start + core::f64::consts::LN_2);
        let golden = 0.618_033_988_749_894_9;
        let (mut a, mut b) = (high - golden * (high - low), low + golden * (high - low));
        let (mut at_a, mut at_b) = (scaled(a), scaled(b));
        while high - low > 1e-3 {
            // Far from the best total all distances are one; then it lies on the side of the total so far.
            let up = at_b.is_below(&mut at_a, 0.0) || (!at_a.is_below(&mut at_b, 0.0) && b < start);
            if up {
                low = a;
                (a, at_a) = (b, at_b);
                b = low + golden * (high - low);
                at_b = scaled(b);
            } else {
                high = b;
                (b, at_b) = (a, at_a);
                a = high - golden * (high - low);
                at_a = scaled(a);
            }
        }
        if at_b.is_below(&mut at_a, 0.0) { at_b } else { at_a }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{noise_aware, parts};
    use super::*;
    use crate::fixture::uniform;
    use crate::mechanism::{Mechanism, NoisyLattice, lattice};
    use crate::model::{Counts, Released};
    use crate::sampler::SeededBits;

    /// Uneven counts, a mechanism for them and one of its releases.
    fn release(k: usize, mean: u64, epsilon: &str) -> (NoisyLattice, Released) {
        let counts: Vec<u64> = (0..k as u64).map(|i| mean * (1 + i * i % 17) / 6).collect();
        let lattice = lattice(uniform(k, counts.iter().sum(), epsilon));
        let counts = Counts::new(counts).expect("valid");
        let released = lattice.release(&counts, &mut SeededBits::new(5)).expect("seeded");
        (lattice, released)
    }

    fn expected(belief: &Belief<'_>, posterior: &Dirichlet) -> f64 {
        Candidate::new(belief, posterior.parameters().to_vec()).expected()
    }

    /// If this fails, a search fits the points that were drawn and not the law, and says that it is nearer than it is.
    #[test]
    fn what_is_found_on_a_sample_holds_on_others() {
        for (k, mean, epsilon) in [(8, 100, "0.3"), (20, 50, "0.1"), (20, 5_000, "0.1"), (50, 40, "0.3")] {
            let (lattice, released) = release(k, mean, epsilon);
            let (prior, n) = (lattice.setting().prior(), lattice.setting().n());
            let aware = noise_aware(&lattice, &released).expect("fits");
            let belief = Belief::new(prior, n, &aware);
            assert!(belief.is_sample());
            let parts = parts(prior, n, &released, &aware).expect("fits");
            let best = best(prior, &aware, &belief, parts.clone()).expect("found");
            let others: Vec<Belief<'_>> =
                (1..=8).map(|sample| belief.drawn_anew(&aware, 1_000_000 * sample)).collect();
            let found: Vec<f64> = others.iter().map(|other| expected(other, &best.posterior)).collect();
            let mean = found.iter().sum::<f64>() / 8.0;
            let deviation = (found.iter().map(|one| (one - mean) * (one - mean)).sum::<f64>() / 7.0).sqrt();
            let stated = best.expected_distance.expect("computed");
            assert!((stated - mean).abs() <= 5.0 * deviation, "{k} {epsilon}: {stated}, on others {found:?}");
            for (decoder, part) in parts {
                let of_part = others.iter().map(|other| expected(other, &part)).sum::<f64>() / 8.0;
                assert!(mean <= of_part + 1e-6, "{k} {epsilon}: {mean}, {decoder} {of_part}");
            }
        }
    }

    /// Of many categories, every distribution with a far smaller total is at a distance of one. If this fails, a search
    /// for the total begins there and stays there.
    #[test]
    fn a_total_is_found_although_most_are_as_far_as_can_be() {
        for (k, mean, epsilon) in [(200, 5_000, "1"), (200, 5_000, "3"), (3, 50, "0.5"), (20, 100, "1")] {
            let (lattice, released) = release(k, mean, epsilon);
            let (prior, n) = (lattice.setting().prior(), lattice.setting().n());
            let aware = noise_aware(&lattice, &released).expect("fits");
            let belief = Belief::new(prior, n, &aware);
            let search = Search { belief: &belief, prior, step: spread(&aware) };
            for (decoder, part) in parts(prior, n, &released, &aware).expect("fits") {
                let candidate = Candidate::new(&belief, part.parameters().to_vec());
                let before = expected(&belief, &part);
                let after = search.rescaled(&candidate).expected();
                assert!(after <= before + 1e-4 * before, "{k} {epsilon} {decoder}: {before} {after}");
            }
        }
    }
}
