//! Where a falling function reaches a number.

/// Finds `exp(x)` with `value(exp(x)) = 0` for a function that falls, between two bounds. It begins at `start` and
/// first takes steps as if the function were linear in x with this slope; then it takes secants, which stay between the
/// points known to be above and below. The function is near a power of its argument, so a few steps suffice.
///
/// # Errors
/// Those of the function.
pub(crate) fn root<E>(
    (lowest, highest): (f64, f64),
    start: f64,
    slope: f64,
    mut value: impl FnMut(f64) -> Result<f64, E>,
) -> Result<f64, E> {
    let (mut low, mut high) = (lowest.ln(), highest.ln());
    let mut x = start.ln().clamp(low, high);
    let mut before: Option<(f64, f64)> = None;
    for _ in 0..60 {
        let now = value(x.exp())?;
        if now > 0.0 {
            low = x;
        } else {
            high = x;
        }
        let slope = match before {
            Some((place, other)) if place != x && ((now - other) / (x - place)) < 0.0 => {
                (now - other) / (x - place)
            }
            _ => slope,
        };
        before = Some((x, now));
        let mut next = x - (now / slope).clamp(-LONGEST, LONGEST);
        if !(next > low && next < high) {
            next = if now.is_finite() && (next - x).abs() < PRECISE { x } else { 0.5 * (low + high) };
        }
        if (next - x).abs() < PRECISE || high - low < PRECISE {
            return Ok(next.exp());
        }
        x = next;
    }
    Ok((0.5 * (low + high)).exp())
}

/// The relative precision of the root.
const PRECISE: f64 = 4e-4;

/// The longest step, in logarithms.
const LONGEST: f64 = 4.0;

/// Three significant digits, rounded up.
pub(crate) fn three_digits_up(value: f64) -> f64 {
    let exponent = value.log10().floor() as i32 - 2;
    let digits = (value / 10_f64.powi(exponent) - 1e-9).ceil();
    from_digits(digits, exponent)
}

/// The next number of three digits below one of three digits.
pub(super) fn three_digits_before(value: f64) -> f64 {
    let exponent = (value * (1.0 - 1e-9)).log10().floor() as i32 - 2;
    from_digits((value / 10_f64.powi(exponent)).round() - 1.0, exponent)
}

/// The sum of numbers of three digits, with the digits that it has.
pub(crate) fn sum_in_digits(numbers: &[f64]) -> f64 {
    let least = numbers.iter().copied().fold(f64::INFINITY, f64::min);
    let exponent = (least * (1.0 + 1e-9)).log10().floor() as i32 - 2;
    from_digits((numbers.iter().sum::<f64>() / 10_f64.powi(exponent)).round(), exponent)
}

/// As it would be written in decimal, so that 0.3 is not 0.30000000000000004.
fn from_digits(digits: f64, exponent: i32) -> f64 {
    format!("{digits}e{exponent}").parse().unwrap_or(f64::NAN)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_where_a_function_falls_to_zero() {
        let steps = std::cell::Cell::new(0);
        for (wanted, start) in [(0.3, 0.1), (0.3, 20.0), (1e-5, 1.0), (19.0, 1e-6)] {
            let functions: [&dyn Fn(f64) -> f64; 3] =
                [&|x: f64| -2.0 * (x / wanted).ln(), &|x: f64| wanted - x, &|x: f64| {
                    if x < wanted { 1.0 } else { -1.0 }
                }];
            for function in functions {
                let found = root::<()>((1e-6, 20.0), start, -2.0, |x| {
                    steps.set(steps.get() + 1);
                    Ok(function(x))
                });
                assert!((found.expect("no error") / wanted - 1.0).abs() < 2e-3, "{found:?} {wanted} {start}");
            }
        }
        assert!(steps.get() < 400, "{steps:?}");
    }

    #[test]
    fn rounds_up_to_three_digits() {
        for (value, rounded) in
            [(0.26601, 0.267), (0.266, 0.266), (9.991, 10.0), (1234.0, 1240.0), (1.0, 1.0)]
        {
            assert_eq!(three_digits_up(value), rounded, "{value}");
        }
        for (numbers, sum) in
            [(vec![0.0134, 0.00672], 0.02012), (vec![0.1, 0.2], 0.3), (vec![9.99, 0.01], 10.0)]
        {
            assert_eq!(sum_in_digits(&numbers), sum, "{numbers:?}");
        }
        for (value, before) in [(0.267, 0.266), (1.0, 0.999), (10.0, 9.99), (1240.0, 1230.0)] {
            assert_eq!(three_digits_before(value), before, "{value}");
        }
    }
}
