//! How to divide a budget over several releases.

/// How the half-width of a reading depends on the budget of its release, near one budget. With s the half-width without
/// noise and p that before any release, `1/(w^2 - s^2) = 1/(p^2 - s^2) + (epsilon/t)^2`: the precisions of the noise
/// and of what was known before add up. The number t is set by one half-width that is known.
#[derive(Clone, Copy, Debug)]
pub(super) struct Curve {
    without: f64,
    /// `1/(p^2 - s^2)`.
    prior: f64,
    /// `(epsilon/t)^2` at the budget of the half-width that is known.
    noise: f64,
    /// That budget.
    at: f64,
}

impl Curve {
    /// The curve through the half-width at a budget.
    pub(super) fn new(without: f64, before: f64, epsilon: f64, width: f64) -> Self {
        let square = without * without;
        let tiny = 1e-12 * square.max(f64::MIN_POSITIVE);
        let prior = 1.0 / (before * before - square).max(tiny);
        let found = 1.0 / (width * width - square).max(tiny);
        Self { without, prior, noise: (found - prior).max(0.0), at: epsilon }
    }

    /// The half-width at a budget, in units of that without noise.
    fn times(&self, epsilon: f64) -> f64 {
        // Budgets are divided before they are squared: the square of a tiny one is zero.
        let ratio = epsilon / self.at;
        let added = 1.0 / (self.prior + self.noise * ratio * ratio);
        (1.0 + added / (self.without * self.without)).sqrt()
    }
}

/// The least part of the budget that a release gets: a budget is divided in thousandths, or finer if the releases are
/// many.
fn grain(releases: usize) -> f64 {
    1_000.0 * (releases as f64 / 50.0).ceil().max(1.0)
}

/// The shares that make the sum of all half-widths, in units of those without noise, least. Parts of the budget are
/// moved from the release that loses least by it to the one that gains most, in steps that become smaller.
pub(super) fn best_shares(releases: &[Vec<Curve>], total: f64) -> Vec<f64> {
    let grain = grain(releases.len());
    let unit = total / grain;
    let mut shares = equal_parts(releases.len(), grain as u64);
    let error = |release: usize, parts: u64| -> f64 {
        releases[release].iter().map(|curve| curve.times(parts as f64 * unit)).sum()
    };
    let mut step = grain as u64 / 4;
    while step > 0 {
        let gain = |shares: &[u64], release: usize| {
            error(release, shares[release]) - error(release, shares[release] + step)
        };
        let loss = |shares: &[u64], release: usize| {
            (shares[release] > step)
                .then(|| error(release, shares[release] - step) - error(release, shares[release]))
        };
        for _ in 0..10 * releases.len() {
            let all = 0..releases.len();
            let gains: Vec<f64> = all.clone().map(|release| gain(&shares, release)).collect();
            let Some(to) = all.clone().max_by(|&a, &b| gains[a].total_cmp(&gains[b])) else { break };
            let from = all.filter(|&release| release != to);
            let from = from.filter_map(|release| Some((release, loss(&shares, release)?)));
            let Some((from, lost)) = from.min_by(|a, b| a.1.total_cmp(&b.1)) else { break };
            if gains[to] <= lost {
                break;
            }
            shares[to] += step;
            shares[from] -= step;
        }
        step /= 2;
    }
    shares.into_iter().map(|parts| parts as f64 / grain * total).collect()
}

/// This many parts, as equal as they can be.
fn equal_parts(releases: usize, parts: u64) -> Vec<u64> {
    let (each, more) = (parts / releases as u64, parts % releases as u64);
    (0..releases as u64).map(|release| each + u64::from(release < more)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Against all divisions in hundredths, by brute force.
    #[test]
    fn the_best_shares_are_those_of_a_grid() {
        for (t, total) in [([0.02, 0.02, 0.02], 1.0), ([0.002, 0.02, 0.1], 1.0), ([0.5, 0.01, 0.01], 0.1)] {
            let curve = |t: f64| {
                // The width at budget 1, with s = 0.02 and p = 0.4.
                let added = 1.0 / (1.0 / (0.16 - 4e-4) + 1.0 / (t * t));
                vec![Curve::new(0.02, 0.4, 1.0, (4e-4 + added).sqrt())]
            };
            let curves: Vec<Vec<Curve>> = t.iter().map(|&t| curve(t)).collect();
            let error = |shares: &[f64]| -> f64 {
                curves.iter().zip(shares).map(|(curve, &share)| curve[0].times(share)).sum()
            };
            let found = best_shares(&curves, total);
            assert!((found.iter().sum::<f64>() - total).abs() < 1e-12 * total);
            let mut least = f64::INFINITY;
            for first in 1..99 {
                for second in 1..100 - first {
                    let parts = [first, second, 100 - first - second];
                    least = least.min(error(&parts.map(|part| f64::from(part) / 100.0 * total)));
                }
            }
            assert!(error(&found) < least * (1.0 + 1e-4), "{t:?}: {found:?} {} {least}", error(&found));
        }
    }

    #[test]
    fn a_curve_goes_through_its_point() {
        let curve = Curve::new(0.02, 0.3, 0.5, 0.05);
        assert!((curve.times(0.5) - 2.5).abs() < 1e-9);
        assert!((curve.times(1e9) - 1.0).abs() < 1e-6 && (curve.times(1e-9) - 15.0).abs() < 1e-6);
    }

    /// If this fails, shares of a budget whose square is zero are not numbers.
    #[test]
    fn a_tiny_budget_is_divided_as_any_other() {
        let shares = |scale: f64| {
            let curve = |width: f64| vec![Curve::new(0.02, 0.4, 0.5 * scale, width)];
            best_shares(&[curve(0.05), curve(0.2)], scale)
        };
        let usual = shares(1.0);
        assert!(usual[0] != usual[1]);
        for (tiny, usual) in shares(1e-200).iter().zip(usual) {
            assert!((tiny / 1e-200 - usual).abs() < 1e-9, "{tiny} {usual}");
        }
    }
}
