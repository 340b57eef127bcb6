//! Where a tail of a test crosses its size.

/// The last value of the share that a test rejects below an interval: the p with `tail(p) = size`, from below. `tail` is
/// at most `size` at `rejected`, more than that at 1, and increases between them. The search ends when both sides of the
/// crossing are known to `close` of the end.
pub(super) fn lower_end(rejected: f64, guess: f64, size: f64, close: f64, tail: impl Fn(f64) -> f64) -> f64 {
    let gap = |p: f64| libm::log(tail(p).max(f64::MIN_POSITIVE)) - libm::log(size);
    let mut low = (rejected, None);
    let mut high = (1.0, None);
    let mut next = guess;
    let mut stride: f64 = 0.1;
    for _ in 0..200 {
        let p = inside(next, low.0, high.0);
        let found = gap(p);
        if found <= 0.0 {
            low = (p, Some(found));
        } else {
            high = (p, Some(found));
        }
        if high.0 - low.0 <= close * high.0 {
            break;
        }
        next = match (low, high) {
            ((a, Some(below)), (b, Some(above))) => {
                // The logarithm of a tail is almost a straight line in the log-odds. A step to either side of the
                // crossing closes in on it from both.
                let (a, b) = (log_odds(a), log_odds(b));
                let root = a - below * (b - a) / (above - below);
                let nudge = 0.02 * (b - a) * if found <= 0.0 { 1.0 } else { -1.0 };
                let to = if (root - a).min(b - root) < 0.1 * (b - a) { root + nudge } else { root };
                from_log_odds(to.clamp(a + 1e-3 * (b - a), b - 1e-3 * (b - a)))
            }
            ((a, Some(_)), (_, None)) => from_log_odds(log_odds(a) + grown(&mut stride)),
            ((_, None), (b, Some(_))) => from_log_odds(log_odds(b) - grown(&mut stride)),
            _ => 0.5 * (low.0 + high.0),
        };
    }
    low.0
}

/// The lower end of an interval whose p-value need not increase everywhere: the first value that is not rejected counts,
/// among four below a guess of the end and those between them. It is 0 if that is not rejected.
pub(super) fn first_kept(guess: f64, size: f64, close: f64, value: impl Fn(f64) -> f64) -> f64 {
    if value(0.0) > size {
        return 0.0;
    }
    let mut rejected = 0.0;
    for part in [0.25, 0.5, 0.75, 0.9] {
        let p = part * guess;
        if value(p) > size {
            let below = |x: f64| if x >= p { 1.0 } else { value(x) };
            return lower_end(rejected, 0.5 * (rejected + p), size, close, below);
        }
        rejected = p;
    }
    lower_end(rejected, guess, size, close, value)
}

fn grown(stride: &mut f64) -> f64 {
    *stride *= 2.0;
    *stride
}

/// A point strictly between two others: the given one if it is, or else one that divides them.
fn inside(p: f64, low: f64, high: f64) -> f64 {
    if p > low && p < high {
        return p;
    }
    if low > 0.0 && high > 4.0 * low { libm::sqrt(low * high) } else { 0.5 * (low + high) }
}

fn log_odds(p: f64) -> f64 {
    libm::log(p.max(f64::MIN_POSITIVE)) - libm::log1p(-p)
}

fn from_log_odds(odds: f64) -> f64 {
    1.0 / (1.0 + libm::exp(-odds))
}

/// The number of standard deviations beyond which a normal variable has this tail, to about 5e-4 (Abramowitz and Stegun
/// 1964, 26.2.23). It serves guesses.
pub(super) fn deviations(tail: f64) -> f64 {
    let t = libm::sqrt(-2.0 * libm::log(tail.min(0.5)));
    let up = 2.515_517 + t * (0.802_853 + t * 0.010_328);
    let down = 1.0 + t * (1.432_788 + t * (0.189_269 + t * 0.001_308));
    t - up / down
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    /// If this fails, an end is inside the interval, or far outside, or takes many evaluations.
    #[test]
    fn ends_are_just_below_the_crossing() {
        for root in [1e-12, 1e-3, 0.2, 0.5, 0.99, 1.0 - 1e-9] {
            for guess in [0.0, 1e-6, 0.3, root, 0.9 * root, 1.0] {
                for slope in [0.5, 3.0, 40.0] {
                    let calls = Cell::new(0);
                    let tail = |p: f64| {
                        calls.set(calls.get() + 1);
                        0.025 * (slope * (log_odds(p) - log_odds(root))).exp()
                    };
                    let found = lower_end(0.0, guess, 0.025, 1e-10, tail);
                    assert!(
                        found <= root * (1.0 + 1e-14) && found >= root * (1.0 - 1e-9),
                        "{root} {guess} {slope}: {found}"
                    );
                    assert!(calls.get() < 80, "{root} {guess} {slope}: {}", calls.get());
                }
            }
        }
    }

    #[test]
    fn deviations_of_known_tails() {
        for (tail, expected) in [(0.025, 1.959_964), (0.005, 2.575_829), (1e-9, 5.997_807)] {
            assert!((deviations(tail) - expected).abs() < 1e-3);
        }
    }
}
