//! The parameters of a Beta distribution, and its density in log-odds.

use super::point::Point;
use crate::special::Sum;
use crate::special::deviance::deviance;
use crate::special::gamma::{HALF_LN_TAU, remainder};

/// The parameters of a Beta distribution, and values computed from them alone.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shape {
    pub(super) a: f64,
    pub(super) b: f64,
    /// `a + b`
    pub(super) n: f64,
    /// `a / n`
    pub(super) p: f64,
    /// `b / n`
    pub(super) q: f64,
    /// `ln g` at its maximum, which is where `x = p`.
    pub(super) ln_height: f64,
}

impl Shape {
    pub(super) fn new(a: f64, b: f64) -> Option<Self> {
        let n = a + b;
        let (p, q) = (a / n, b / n);
        // NaN and infinite parameters fail this test too.
        if !(a > 0.0 && b > 0.0 && p.min(q) >= f64::MIN_POSITIVE) {
            return None;
        }
        let spread = 0.5 * libm::log(a.min(b) * p.max(q)) - HALF_LN_TAU;
        let ln_height = spread + remainder(n) - remainder(a) - remainder(b);
        Some(Self { a, b, n, p, q, ln_height })
    }

    pub(super) fn mirrored(self) -> Self {
        Self { a: self.b, b: self.a, p: self.q, q: self.p, ..self }
    }

    /// `(ln g)' = a - (a+b) x`, with one rounding only, because near the mean an error of it is multiplied by
    /// `sqrt(n)`.
    pub(super) fn slope(&self, at: Point) -> f64 {
        if at.x > at.y {
            return -self.mirrored().slope(at.mirrored());
        }
        let mut sum = Sum::default();
        sum.add(self.a);
        for parameter in [self.a, self.b] {
            let product = parameter * at.x;
            sum.add(-product);
            sum.add(-libm::fma(parameter, at.x, -product));
        }
        sum.value()
    }

    /// `ln g`
    pub(super) fn ln_density(&self, at: Point, slope: f64) -> f64 {
        self.ln_height
            - deviance(self.a, self.p, at.x, self.n * at.x, slope)
            - deviance(self.b, self.q, at.y, self.n * at.y, -slope)
    }
}
