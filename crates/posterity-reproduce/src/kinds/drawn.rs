//! The distance with which the published pictures were probably drawn, beside the Hellinger distance.
//!
//! The authors' public scripts (github JiawenUB/DP-Bayesian-Inference, `codes/dirichlet.py`, `gen_betaln`) divide the
//! sum of log-gammas by `ln(sum alpha)`, where `ln Gamma(sum alpha)` is to be subtracted. All posteriors of a size have
//! the same sum N, so that the Bhattacharyya coefficient BC becomes `BC^(1/ln N)`.

use posterity_core::distance::{Pair, ln_bc};
use posterity_core::mechanism::{Lsdim, Lshist, Spec, mh_beta};
use posterity_core::model::{Counts, Prior, Setting};
use posterity_plot::{Axis, Content, Lines, Panel, Series, Style};
use serde::Deserialize;

use super::Procedure;
use super::context::{Computed, RunContext};
use super::layout::arranged;
use super::validity::{setting, some, two_categories};
use crate::table::ResultTable;
use crate::values::{DeltaValue, EpsilonValue};

/// Sensitivities, privacy losses, mean distances and probabilities of the truth, by both distances.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Drawn {
    prior: Prior,
    epsilon: EpsilonValue,
    /// That of mh.
    delta: DeltaValue,
    /// The size at which sensitivities are shown.
    n: u64,
    /// The sizes of all else, at balanced data.
    sizes: Vec<u64>,
    quick: Option<Vec<u64>>,
    /// What can be read from the published pictures.
    readings: Vec<Reading>,
}

/// A number read from a published picture.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
struct Reading {
    panel: String,
    series: String,
    x: f64,
    value: f64,
}

/// The two distances.
const DISTANCES: [&str; 2] = ["in truth", "as drawn"];
/// The series of what was read.
const PRINT: &str = "in print";
/// The exponential mechanisms: a name, what the distance is divided by, and the number before it.
const EXPONENTIAL: [(&str, Divisor, f64); 5] = [
    ("ehd", Divisor::Global, 2.0),
    ("ehdl", Divisor::Local, 2.0),
    ("ehdl without the 2", Divisor::Local, 1.0),
    ("ehds", Divisor::Gamma, 4.0),
    ("mh", Divisor::Beta, 2.0),
];
const LAPLACE: [&str; 2] = ["lsdim", "lshist"];
const PANELS: [(&str, &str, &str); 4] = [
    ("sensitivity", "number of ones", "local sensitivity"),
    ("loss", "data size n", "privacy loss"),
    ("mean", "data size n", "mean distance"),
    ("exact", "data size n", "P(exact)"),
];

#[derive(Clone, Copy)]
enum Divisor {
    Global,
    Local,
    Gamma,
    Beta,
}

impl Procedure for Drawn {
    fn check(&self) -> Result<(), String> {
        two_categories(&self.prior)?;
        some("sizes", &self.sizes)?;
        match self.sizes.iter().chain(self.quick.iter().flatten()).find(|n| **n == 0 || **n > 4000) {
            Some(n) => {
                Err(format!("sizes: {n} is not between 1 and 4000; all pairs of data sets are compared"))
            }
            None => Ok(()),
        }
    }

    fn run(&self, context: &RunContext<'_>) -> Computed {
        let sizes = context.mode.choose(self.sizes.clone(), self.quick.clone());
        let cells: Vec<(u64, usize)> = sizes.iter().flat_map(|&n| [(n, 0), (n, 1)]).collect();
        let found = context.compute(&cells, |&(n, which)| self.measure(n, which))?;
        let mut table = ResultTable::default();
        for (which, name) in DISTANCES.iter().enumerate() {
            for (ones, value) in Line::new(&self.prior, self.n, which == 1).local.iter().enumerate() {
                table.push("sensitivity", name, "LS", Some(ones as f64), *value);
            }
        }
        for (&(n, which), numbers) in cells.iter().zip(found) {
            for (panel, mechanism, value) in numbers {
                let series = format!("{mechanism}, {}", DISTANCES[which]);
                table.push(panel, &series, panel, Some(n as f64), value);
            }
        }
        for reading in &self.readings {
            let quantity = if reading.panel == "sensitivity" { "LS" } else { &reading.panel };
            table.push(&reading.panel, &reading.series, quantity, Some(reading.x), reading.value);
        }
        let panels = PANELS.iter().map(|names| (panel(names, &table), None)).collect();
        Ok((table, arranged(panels)))
    }
}

type Numbers = Vec<(&'static str, &'static str, f64)>;

impl Drawn {
    /// All numbers of one size, by one of the distances.
    fn measure(&self, n: u64, which: usize) -> Result<Numbers, String> {
        let setting = setting(&self.prior, n, &self.epsilon.0)?;
        let line = Line::new(&self.prior, n, which == 1);
        let beta = mh_beta(&setting, self.delta.0);
        let middle = (n / 2) as usize;
        let mut numbers = Vec::new();
        for (name, divisor, factor) in EXPONENTIAL {
            let laws = line.laws(&line.divisors(divisor, beta), setting.epsilon().to_f64() / factor);
            numbers.push(("loss", name, largest_loss(&laws)));
            let law: Vec<f64> = laws[middle].iter().map(|ln| libm::exp(*ln)).collect();
            numbers.push(("mean", name, line.mean(middle, &law)));
            numbers.push(("exact", name, law[middle]));
        }
        for (name, spec) in
            LAPLACE.into_iter().zip([Spec::from(Lsdim::default()), Spec::from(Lshist::default())])
        {
            let law = laplace(&spec, &setting, n)?;
            numbers.push(("mean", name, line.mean(middle, &law)));
            numbers.push(("exact", name, law[middle]));
        }
        Ok(numbers)
    }
}

/// The probabilities of all candidates of a Laplace mechanism at balanced data.
fn laplace(spec: &Spec, setting: &Setting, n: u64) -> Result<Vec<f64>, String> {
    let mechanism = spec.fit(setting.clone()).map_err(|error| error.to_string())?;
    let counts = Counts::new(vec![n / 2, n - n / 2]).map_err(|error| error.to_string())?;
    let law = mechanism.law(&counts, u64::MAX).map_err(|error| error.to_string())?;
    let mut probabilities = vec![0.0; n as usize + 1];
    for outcome in law.outcomes() {
        if let Some(place) = probabilities.get_mut(outcome.counts[0] as usize) {
            *place += outcome.probability;
        }
    }
    Ok(probabilities)
}

/// All data sets of a size with two categories, and the distances of their posteriors.
struct Line {
    distances: Vec<Vec<f64>>,
    local: Vec<f64>,
}

impl Line {
    fn new(prior: &Prior, n: u64, drawn: bool) -> Self {
        let [a, b] = [prior.parameters()[0], prior.parameters()[1]];
        let power = if drawn { 1.0 / libm::log(a + b + n as f64) } else { 1.0 };
        let distance = |i: u64, j: u64| {
            let [i, j, n] = [i as f64, j as f64, n as f64];
            let ln = ln_bc(Pair::new(a + i, a + j)) + ln_bc(Pair::new(b + n - i, b + n - j));
            (-libm::expm1(power * ln)).sqrt()
        };
        let row = |i: u64| (0..=n).map(|j| distance(i, j)).collect::<Vec<f64>>();
        let distances: Vec<Vec<f64>> = (0..=n).map(row).collect();
        let last = n as usize;
        let local = (0..=last).map(|i| {
            let down = if i > 0 { distances[i][i - 1] } else { 0.0 };
            let up = if i < last { distances[i][i + 1] } else { 0.0 };
            down.max(up)
        });
        Self { local: local.collect(), distances }
    }

    /// What the distance is divided by, at every data set.
    fn divisors(&self, divisor: Divisor, beta: f64) -> Vec<f64> {
        let largest = |discounted: &dyn Fn(f64, f64) -> f64| {
            let at = |i: usize| {
                let each = self.local.iter().enumerate().map(|(j, &ls)| discounted(ls, i.abs_diff(j) as f64));
                each.fold(0.0, f64::max)
            };
            (0..self.local.len()).map(at).collect()
        };
        match divisor {
            Divisor::Global => largest(&|ls, _| ls),
            Divisor::Local => self.local.clone(),
            Divisor::Gamma => largest(&|ls, steps| 1.0 / (1.0 / ls + steps)),
            Divisor::Beta => largest(&|ls, steps| ls * libm::exp(-beta * steps)),
        }
    }

    /// The logarithms of all probabilities, at every data set.
    fn laws(&self, divisors: &[f64], scale: f64) -> Vec<Vec<f64>> {
        let law = |(distances, divisor): (&Vec<f64>, &f64)| {
            let weights: Vec<f64> = distances.iter().map(|distance| -scale * distance / divisor).collect();
            let normaliser = libm::log(weights.iter().map(|ln| libm::exp(*ln)).sum());
            weights.into_iter().map(|ln| ln - normaliser).collect()
        };
        self.distances.iter().zip(divisors).map(law).collect()
    }

    fn mean(&self, at: usize, law: &[f64]) -> f64 {
        law.iter().zip(&self.distances[at]).map(|(probability, distance)| probability * distance).sum()
    }
}

/// The largest log ratio of probabilities between adjacent data sets.
fn largest_loss(laws: &[Vec<f64>]) -> f64 {
    let gap =
        |pair: &[Vec<f64>]| pair[0].iter().zip(&pair[1]).map(|(p, q)| (p - q).abs()).fold(0.0, f64::max);
    laws.windows(2).map(gap).fold(0.0, f64::max)
}

/// One panel: by the Hellinger distance in full lines, as drawn in dashed ones, and what was read as points of its own.
fn panel(&(name, x, y): &(&str, &str, &str), table: &ResultTable) -> Panel {
    let quantity = if name == "sensitivity" { "LS" } else { name };
    let mut names: Vec<&str> = Vec::new();
    for row in table.rows().iter().filter(|row| row.panel == name) {
        if !names.contains(&row.series.as_str()) {
            names.push(&row.series);
        }
    }
    let series = names.into_iter().map(|series| {
        let mut points = table.curve(name, series, quantity);
        if series.ends_with(PRINT) {
            // A gap after each point: nothing between two readings was read.
            points = points.into_iter().flat_map(|point| [point, (f64::NAN, f64::NAN)]).collect();
        }
        Series { label: series.to_owned(), style: style(series), points }
    });
    Panel {
        title: y.to_owned(),
        x: if name == "sensitivity" { Axis::linear(x) } else { Axis::log(x) },
        y: if name == "mean" { Axis::log(y) } else { Axis::linear(y).including(0.0) },
        content: Content::Lines(Lines { series: series.collect(), rules: Vec::new() }),
    }
}

fn style(series: &str) -> Style {
    let (mechanism, distance) = series.split_once(", ").unwrap_or(("", series));
    let style = match mechanism {
        "" => Style::plain(1),
        "ehdl without the 2" => Style::plain(4),
        name => name.parse::<Spec>().map_or(Style::plain(0), |spec| Style::mechanism(spec.description())),
    };
    match distance {
        PRINT => style.hollow(),
        "as drawn" => style.dashed().unmarked(),
        _ => style.unmarked(),
    }
}

#[cfg(test)]
mod tests {
    use posterity_core::mechanism::Mh;

    use super::*;

    fn line(n: u64, drawn: bool) -> Line {
        Line::new(&Prior::new(vec![1.0, 1.0]).expect("valid"), n, drawn)
    }

    /// The ends and the middle of 001 figure 1: 0.161 and 0.033 are printed.
    #[test]
    fn sensitivities_by_both_distances() {
        for (drawn, end, middle) in [(false, 0.3389, 0.0703), (true, 0.16137, 0.03271)] {
            let line = line(100, drawn);
            assert!((line.local[0] - end).abs() < 6e-5, "{}", line.local[0]);
            assert!((line.local[50] - middle).abs() < 6e-5, "{}", line.local[50]);
        }
    }

    /// If this fails, the mechanisms here are not those of posterity-core: the loss of ehdl and the mean of mh agree.
    #[test]
    fn laws_by_the_hellinger_distance_are_those_of_the_mechanisms() {
        let line = line(100, false);
        let laws = line.laws(&line.divisors(Divisor::Local, 0.0), 0.5);
        assert!((largest_loss(&laws) - 0.8037).abs() < 1e-3, "{}", largest_loss(&laws));
        let prior = Prior::new(vec![1.0, 1.0]).expect("valid");
        let setting = Setting::new(prior, 100, "1".parse().expect("valid")).expect("valid");
        let beta = mh_beta(&setting, posterity_core::model::Delta::RESEARCH);
        let laws = line.laws(&line.divisors(Divisor::Beta, beta), 0.5);
        let law: Vec<f64> = laws[50].iter().map(|ln| ln.exp()).collect();
        let mechanism = Spec::from(Mh::default()).fit(setting).expect("fits");
        let counts = Counts::new(vec![50, 50]).expect("valid");
        let mean = mechanism.law(&counts, u64::MAX).expect("listed").expected_distance();
        assert!((line.mean(50, &law) / mean - 1.0).abs() < 1e-6, "{mean}");
    }
}
