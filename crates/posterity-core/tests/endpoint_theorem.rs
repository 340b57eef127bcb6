//! Repeats the computations in the proof of the end-point theorem (docs/proofs/sensitivity.md) in exact arithmetic, and
//! checks its inequalities numerically.

use dashu_int::IBig;
use dashu_ratio::RBig;
use posterity_core::distance::{Pair, ln_bc};

fn rational(numerator: i64, denominator: i64) -> RBig {
    RBig::from(numerator) / RBig::from(denominator)
}

/// `sum_i coefficients[i] x^(degree - i)`.
fn evaluate(coefficients: &[i64], x: &RBig) -> RBig {
    coefficients.iter().fold(RBig::ZERO, |sum, &coefficient| sum * x + RBig::from(coefficient))
}

/// `B(x) = 1 + 1/(4x) + 1/(x (32x + 15))`, the lower bound on `exp(2w)`.
fn bound(x: &RBig) -> RBig {
    RBig::ONE + RBig::ONE / (RBig::from(4) * x) + RBig::ONE / (x * (RBig::from(32) * x + RBig::from(15)))
}

/// Step 3 of the proof: `(2x+1)^2/(4x(x+1)) - B(x)/B(x+1)` is `336x + 13` over a product of positive factors. Two
/// rational functions of degree below 12 that agree at 40 points are the same.
#[test]
fn the_telescoping_step_is_positive() {
    for i in 1..=40 {
        let x = rational(i, 7);
        let next = &x + RBig::ONE;
        let odd = RBig::from(2) * &x + RBig::ONE;
        let left = &odd * &odd / (RBig::from(4) * &x * &next) - bound(&x) / bound(&next);
        let denominator =
            RBig::from(4) * &x * &next * evaluate(&[32, 15], &x) * evaluate(&[128, 348, 239], &x);
        assert_eq!(left, evaluate(&[336, 13], &x) / denominator);
    }
}

/// The polynomial of step 4, in powers of q = p - 1.
const FINAL: [i64; 10] = [128, 1032, 2509, 1153, -2965, -2817, 853, 1755, 650, 76];

/// Step 4: the difference of the two sides is `FINAL(p-1)` over positive factors.
#[test]
fn the_last_inequality_reduces_to_one_polynomial() {
    for i in 1..=60 {
        let p = RBig::ONE + rational(i, 11);
        let square = &p * &p;
        let x = (&square - RBig::ONE) / (RBig::from(4) * &p);
        let curvature =
            RBig::from(2) * &p * (RBig::from(2) * &square - RBig::ONE) / (&square + &p - RBig::ONE);
        let root = RBig::ONE + rational(3, 2) / (curvature - RBig::ONE);
        let left = bound(&x) - &root * &root;
        let cubic = evaluate(&[4, -1, -3, 1], &p);
        let denominator =
            RBig::from(4) * (&square - RBig::ONE) * evaluate(&[8, 15, -8], &p) * &cubic * &cubic;
        assert_eq!(left, evaluate(&FINAL, &(&p - RBig::ONE)) / denominator);
    }
}

/// Step 4: that polynomial is positive for q >= 0. On [1, oo) substitute q = 1 + s, on [0, 1] q = 1/(1 + s): all
/// coefficients are positive.
#[test]
fn that_polynomial_is_positive() {
    // Coefficients of f(1 + s) by repeated synthetic division.
    let shifted = |coefficients: &[i64]| {
        let mut coefficients: Vec<IBig> = coefficients.iter().map(|&c| IBig::from(c)).collect();
        for end in (1..coefficients.len()).rev() {
            for i in 1..=end {
                let carry = coefficients[i - 1].clone();
                coefficients[i] += carry;
            }
        }
        coefficients
    };
    assert!(shifted(&FINAL).iter().all(|coefficient| *coefficient > IBig::ZERO));
    // (1+s)^9 f(1/(1+s)) has the coefficients of f reversed, in powers of 1 + s.
    let reversed: Vec<i64> = FINAL.iter().rev().copied().collect();
    assert!(shifted(&reversed).iter().all(|coefficient| *coefficient > IBig::ZERO));
}

/// Checks numerically that `(1 - A g(x))^(-1/2)` and `(1 - g(x) g(N-x))^(-1/2)` are concave in x, over eleven orders of
/// magnitude.
#[test]
fn the_inverse_sensitivity_is_concave() {
    let cost = |x: f64| -ln_bc(Pair::new(x, x + 1.0));
    let inverse = |cost: f64| 1.0 / (-(-cost).exp_m1()).sqrt();
    let check = |f: &dyn Fn(f64) -> f64, x: f64| {
        let h = x * 0.05;
        let (low, middle, high) = (f(x - h), f(x), f(x + h));
        assert!(low + high <= 2.0 * middle * (1.0 + 1e-13), "at {x}: {low} {middle} {high}");
    };
    for step in 0..400 {
        let x = 1e-4 * 1.07_f64.powi(step);
        for other in [0.0, 1e-6, 0.01, 0.3, 2.0] {
            check(&|x| inverse(cost(x) + other), x);
        }
        for rest in [0.3, 1.0, 5.0, 1e3] {
            let total = x * 1.1 + rest;
            check(&|x| inverse(cost(x) + cost(total - x)), x);
        }
    }
}
