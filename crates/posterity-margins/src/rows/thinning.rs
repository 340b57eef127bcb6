//! How closely rows should follow a release, found from the release alone.
//!
//! Gaussian thinning: with fresh noise z of the release's own variance, `r + a z` and `r - z / a` carry independent noise
//! of `1 + a^2` and `1 + 1/a^2` times the variance. Rows are fitted to the first; the second tells how near their tables are
//! to the truth, up to a constant. The coldest rung of the ladder is not the best one: there the rows repeat the noise.
//! (Neufeld, Dharamshi, Gao, Witten 2024, "Data thinning for convolution-closed distributions".)

use posterity_core::parallelism::Parallelism;

use super::chain::{Chain, Sweeps};
use super::chance::Chance;
use super::goal::Goal;
use super::input::Input;
use super::watch::{Listener, Stage, Stopped, Watch};

/// `a^2`: the part that is fitted has 1.5 times the noise, the part that is held out 3 times.
const NOISE_ADDED: f64 = 0.5;

/// The rungs of the ladder: the heat is `2^rung` times the natural one.
pub(super) const HOTTEST: i32 = 3;
const COLDEST: i32 = -12;

/// After how many rungs without a better one a ladder ends.
const RUNGS_IN_VAIN: usize = 2;

/// How often each row is visited on a rung.
const ON_A_RUNG: Sweeps = Sweeps { settle: 3, average: 4 };

/// Rows of a trial fit. More would make the choice slower and hardly better.
const TRIAL_ROWS: usize = 4000;

/// Streams of the seed that trials take; fits take the numbers below.
const FIRST_STREAM: u64 = 1 << 32;

/// The rung at which the held-out noise is met best.
pub(super) fn choose_rung(input: &Input, seed: u64, listener: Listener) -> Result<i32, Stopped> {
    let rungs = (HOTTEST - COLDEST + 1) as usize;
    let visits =
        Chain::visits_before(&Goal::of(input), TRIAL_ROWS) + (rungs * ON_A_RUNG.total() * TRIAL_ROWS) as u64;
    let watch = Watch::new(listener, Stage::Choosing, 2 * visits);
    // The two splits take opposite noise: what it does to both errors cancels to first order.
    let errors = Parallelism::AllCores.try_map([1.0, -1.0], |sign| errors(input, seed, sign, &watch))?;
    let sums = errors[0].iter().zip(&errors[1]).map(|(a, b)| a + b);
    let best = sums.enumerate().min_by(|a, b| a.1.total_cmp(&b.1)).map_or(0, |(rung, _)| rung);
    Ok(HOTTEST - best as i32)
}

/// The held-out errors of the rungs, the hottest first, until they rise.
fn errors(input: &Input, seed: u64, sign: f64, watch: &Watch) -> Result<Vec<f64>, Stopped> {
    let (fitted, held_out) = split(input, seed, sign);
    let stream = FIRST_STREAM + if sign > 0.0 { 1 } else { 2 };
    let mut chain = Chain::new(&fitted, TRIAL_ROWS, Chance::new(seed, stream), watch)?;
    let mut errors: Vec<f64> = Vec::new();
    for rung in (COLDEST..=HOTTEST).rev() {
        chain.settle(rung, ON_A_RUNG.settle)?;
        let shares = chain.average(rung, ON_A_RUNG.average)?;
        errors.push(error(&held_out, &shares));
        if in_vain(&errors) {
            break;
        }
    }
    Ok(errors)
}

fn in_vain(errors: &[f64]) -> bool {
    let best = errors.iter().copied().fold(f64::INFINITY, f64::min);
    errors.len() > RUNGS_IN_VAIN && errors[errors.len() - RUNGS_IN_VAIN..].iter().all(|&error| error > best)
}

fn error(held_out: &Goal, shares: &[f64]) -> f64 {
    (0..held_out.len()).map(|set| held_out.lack_of_fit(set, &shares[held_out.range(set)])).sum()
}

/// The part to fit and the part to hold out.
fn split(input: &Input, seed: u64, sign: f64) -> (Goal<'_>, Goal<'_>) {
    let root = NOISE_ADDED.sqrt() * sign;
    let part = |factor: f64, noise: f64| {
        let mut chance = Chance::new(seed, FIRST_STREAM);
        Goal::new(input, move |_, deviation| factor * deviation * chance.normal(), noise)
    };
    (part(root, 1.0 + NOISE_ADDED), part(-1.0 / root, 1.0 + 1.0 / NOISE_ADDED))
}

#[cfg(test)]
mod tests {
    use super::super::fixture;
    use super::*;

    // If this fails, the parts share noise, and the choice favours rows that repeat it.
    #[test]
    fn the_parts_carry_independent_noise() {
        let codes = fixture::uniform(&[40, 40], 1000, 1);
        let input = fixture::release(&[40, 40], &codes, 2, 25.0, 9);
        let (fitted, held_out) = split(&input, 4, 1.0);
        let pair = fitted.sets_up_to(2) - 1;
        let truth = fixture::shares(&[40, 40], &codes, &[0, 1]);
        let freedom = fitted.freedom(pair);
        // Mean squares of 1521 normal numbers lie within 0.17 of 1, but for one in a million.
        assert!((fitted.lack_of_fit(pair, &truth) / freedom - 1.0).abs() < 0.17);
        assert!((held_out.lack_of_fit(pair, &truth) / freedom - 1.0).abs() < 0.17);
        let between = held_out.lack_of_fit(pair, &fitted.shares()[fitted.range(pair)]) / freedom;
        // Independent: variances 1.5 and 3 add up to 4.5, in units of 3.
        assert!((between - 1.5).abs() < 0.26, "{between}");
    }

    #[test]
    fn a_ladder_ends_after_two_rungs_in_vain() {
        assert!(!in_vain(&[3.0, 2.0, 2.5]));
        assert!(in_vain(&[3.0, 2.0, 2.5, 2.1]));
        assert!(!in_vain(&[3.0, 2.0, 2.5, 1.9]));
    }

    // If this fails, rows of a table without structure repeat its noise, or rows of an exact one ignore its structure.
    #[test]
    fn noise_stops_the_ladder_early() {
        let go_on = |_| std::ops::ControlFlow::Continue(());
        let codes = fixture::correlated(3000);
        let rung = |variance| {
            let input = fixture::release(&[3, 2, 2], &codes, 3, variance, 7);
            choose_rung(&input, 5, &go_on).expect("not stopped")
        };
        assert!(rung(20_000.0) > rung(1.0), "{} {}", rung(20_000.0), rung(1.0));
    }
}
