//! Smooth functions of a whole number, evaluated at some and interpolated at the others.

use std::ops::RangeInclusive;

use rayon::prelude::*;

use crate::pulse::beat;

/// Two functions at `0..=n`.
pub(super) struct Interpolated {
    pub(super) values: Vec<[f64; 2]>,
    /// The largest difference, summed over both functions, between an interpolation and an exact value, wherever both
    /// were computed. Zero if all values are exact.
    pub(super) error: f64,
}

/// An interpolation is checked at as many places as it has nodes. Those are the nodes of the first, and with those of
/// the check it is made again.
const NODES: usize = 17;

/// Intervals of fewer numbers are evaluated at all of them.
const EVALUATED_AT_ALL: u64 = 80;

/// The largest difference that is accepted, and the part of it that grows with the first function.
const MAX_DIFFERENCE: [f64; 2] = [2e-10, 1e-12];

/// After so many evaluations, ten times the difference is accepted.
const EVALUATIONS_BEFORE_SLACK: usize = 4_000;

/// The functions at all whole numbers from 0 to n. `place` maps them to where they are smooth.
///
/// An interval is interpolated by a polynomial in `place` at Chebyshev points, and checked at the points between them.
/// If a check fails, the interval is halved. So kinks end up in intervals in which every number is evaluated.
pub(super) fn interpolate(
    n: u64,
    place: &(dyn Fn(u64) -> f64 + Sync),
    exact: &(dyn Fn(u64) -> [f64; 2] + Sync),
) -> Interpolated {
    let mut values = vec![[0.0; 2]; n as usize + 1];
    let (mut open, mut done): (Vec<RangeInclusive<u64>>, Vec<Piece>) = (vec![0..=n], Vec::new());
    let (mut evaluations, mut slack) = (0, 1.0);
    while !open.is_empty() {
        let pieces: Vec<Piece> =
            open.par_iter().map(|range| Piece::new(range.clone(), place, exact, slack)).collect();
        evaluations += pieces.iter().map(|piece| piece.at.len()).sum::<usize>();
        while evaluations > EVALUATIONS_BEFORE_SLACK {
            evaluations -= EVALUATIONS_BEFORE_SLACK;
            slack *= 10.0;
        }
        open.clear();
        for piece in pieces {
            if piece.error.is_some() {
                done.push(piece);
            } else {
                let (low, high) = (*piece.range.start(), *piece.range.end());
                let middle = halfway(low, high, place);
                open.extend([low..=middle, middle + 1..=high]);
            }
        }
    }
    done.sort_by_key(|piece| *piece.range.start());
    let error = done.iter().filter_map(|piece| piece.error).fold(0.0, f64::max);
    let mut parts: Vec<(&Piece, &mut [[f64; 2]])> = Vec::with_capacity(done.len());
    let mut rest = &mut values[..];
    for piece in &done {
        let length = (piece.range.end() - piece.range.start()) as usize + 1;
        let (part, after) = rest.split_at_mut(length);
        parts.push((piece, part));
        rest = after;
    }
    parts.into_par_iter().for_each(|(piece, part)| piece.fill(part, place));
    Interpolated { values, error }
}

/// The number whose place is nearest to the middle of an interval's ends, so that both halves have a number.
fn halfway(low: u64, high: u64, place: &dyn Fn(u64) -> f64) -> u64 {
    let middle = 0.5 * (place(low) + place(high));
    nearest(low, high, middle, place).clamp(low, high - 1)
}

/// The last number of an interval whose place is not above a given one.
fn nearest(low: u64, high: u64, wanted: f64, place: &dyn Fn(u64) -> f64) -> u64 {
    let (mut low, mut high) = (low, high);
    while low < high {
        let middle = low + (high - low).div_ceil(2);
        if place(middle) <= wanted {
            low = middle;
        } else {
            high = middle - 1;
        }
    }
    low
}

/// An interval with exact values at some of its numbers.
struct Piece {
    range: RangeInclusive<u64>,
    at: Vec<u64>,
    values: Vec<[f64; 2]>,
    /// The largest difference that a check found; nothing if it was too large.
    error: Option<f64>,
}

impl Piece {
    fn new(
        range: RangeInclusive<u64>,
        place: &(dyn Fn(u64) -> f64 + Sync),
        exact: &(dyn Fn(u64) -> [f64; 2] + Sync),
        slack: f64,
    ) -> Self {
        let (low, high) = (*range.start(), *range.end());
        let all = high - low < EVALUATED_AT_ALL;
        let at = if all { (low..=high).collect() } else { chebyshev(low, high, place) };
        let values: Vec<[f64; 2]> = at
            .par_iter()
            .map(|&number| {
                beat();
                exact(number)
            })
            .collect();
        if all {
            return Self { range, at, values, error: Some(0.0) };
        }
        let every_other = |values: &[[f64; 2]]| values.iter().copied().step_by(2).collect::<Vec<_>>();
        let nodes: Vec<u64> = at.iter().copied().step_by(2).collect();
        let polynomial = Polynomial::new(&nodes, every_other(&values), place);
        let largest = at.iter().zip(&values).skip(1).step_by(2).fold(
            (0.0_f64, 0.0_f64),
            |largest, (&number, value)| {
                let found = polynomial.at(place(number));
                let [first, second] = [0, 1].map(|which| (found[which] - value[which]).abs());
                // A difference that is not a number is the largest.
                let difference = if (first + second).is_nan() { f64::INFINITY } else { first + second };
                (largest.0.max(difference), largest.1.max(value[0].abs()))
            },
        );
        let (difference, scale) = largest;
        let error =
            (difference <= slack * (MAX_DIFFERENCE[0] + MAX_DIFFERENCE[1] * scale)).then_some(difference);
        Self { range, at, values, error }
    }

    /// Writes the values of the whole interval.
    fn fill(&self, part: &mut [[f64; 2]], place: &(dyn Fn(u64) -> f64 + Sync)) {
        if self.at.len() == part.len() {
            part.copy_from_slice(&self.values);
            return;
        }
        let polynomial = Polynomial::new(&self.at, self.values.clone(), place);
        let low = *self.range.start();
        part.par_chunks_mut(1_024).enumerate().for_each(|(chunk, values)| {
            beat();
            for (index, value) in values.iter_mut().enumerate() {
                *value = polynomial.at(place(low + (chunk * 1_024 + index) as u64));
            }
        });
        for (&number, value) in self.at.iter().zip(&self.values) {
            part[(number - low) as usize] = *value;
        }
    }
}

/// The numbers nearest to the Chebyshev points of twice the degree: those of an interpolation and those of its check in
/// turn.
fn chebyshev(low: u64, high: u64, place: &dyn Fn(u64) -> f64) -> Vec<u64> {
    let last = 2 * (NODES - 1);
    let (start, end) = (place(low), place(high));
    let mut at: Vec<u64> = Vec::with_capacity(last + 1);
    for index in 0..=last {
        let share = 0.5 * (1.0 - libm::cos(std::f64::consts::PI * index as f64 / last as f64));
        let number = match index {
            0 => low,
            _ if index == last => high,
            _ => nearest(low, high, start + share * (end - start), place),
        };
        // Near an end several points may be nearest to the same number. There are enough numbers for all.
        let least = at.last().map_or(low, |before| before + 1);
        at.push(number.clamp(least, high - (last - index) as u64));
    }
    at
}

/// A polynomial by its values at nodes (the barycentric formula; Berrut and Trefethen 2004).
struct Polynomial {
    nodes: Vec<f64>,
    weights: Vec<f64>,
    values: Vec<[f64; 2]>,
}

impl Polynomial {
    fn new(numbers: &[u64], values: Vec<[f64; 2]>, place: &dyn Fn(u64) -> f64) -> Self {
        let nodes: Vec<f64> = numbers.iter().map(|&number| place(number)).collect();
        // In units of a quarter of the interval's length the products neither over- nor underflow.
        let unit = 4.0 / (nodes[nodes.len() - 1] - nodes[0]);
        let weight = |node: f64| {
            let others = nodes.iter().filter(|&&other| other != node);
            1.0 / others.map(|&other| (node - other) * unit).product::<f64>()
        };
        let weights = nodes.iter().map(|&node| weight(node)).collect();
        Self { nodes, weights, values }
    }

    fn at(&self, place: f64) -> [f64; 2] {
        let (mut sum, mut total) = ([0.0; 2], 0.0);
        for ((node, weight), value) in self.nodes.iter().zip(&self.weights).zip(&self.values) {
            if *node == place {
                return *value;
            }
            let part = weight / (place - node);
            total += part;
            sum[0] += part * value[0];
            sum[1] += part * value[1];
        }
        sum.map(|sum| sum / total)
    }
}
