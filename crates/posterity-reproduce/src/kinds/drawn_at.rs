//! Mean distances at given data, by the Hellinger distance and by the distance of the published pictures
//! (`drawn.rs` says which that is), for any number of categories.

use posterity_core::distance::{Pair, ln_bc};
use posterity_core::mechanism::{Space, Spec, SpecError, mh_beta};
use posterity_core::model::{Delta, Prior};
use posterity_plot::{Axis, Content, Lines, Panel, Series};
use serde::Deserialize;

use super::Procedure;
use super::context::{Computed, RunContext};
use super::layout::arranged;
use super::validity::{distinct, fits, setting, some};
use crate::contender::{Contender, styles};
use crate::mode::Mode;
use crate::seed::stream;
use crate::table::ResultTable;
use crate::values::{CountsValue, DeltaValue, EpsilonValue};

/// The mean distance and the probability of the truth at given data, by both distances and both laws.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct DrawnAt {
    epsilon: EpsilonValue,
    /// Those of mh.
    delta: Vec<DeltaValue>,
    /// Releases of the Laplace mechanisms with three and more categories.
    repetitions: usize,
    quick: Option<usize>,
    data: Vec<Data>,
}

#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
struct Data {
    title: String,
    prior: Prior,
    counts: CountsValue,
    epsilon: Option<EpsilonValue>,
}

/// The two distances.
const DISTANCES: [&str; 2] = ["in truth", "as drawn"];
/// Two categories have exact laws.
const LAPLACE: [&str; 3] = ["lsdim", "lshist", "lsdim(consistent)"];
/// No more candidates than this are visited one by one.
const MOST: f64 = 4e7;

/// A mechanism, what was measured, the value and its standard error.
type Numbers = Vec<(String, &'static str, f64, Option<f64>)>;

impl Procedure for DrawnAt {
    fn check(&self) -> Result<(), String> {
        some("data", &self.data)?;
        some("delta", &self.delta)?;
        distinct(self.data.iter().map(|data| data.title.as_str()))?;
        for data in &self.data {
            fits(&data.title, &data.prior, &data.counts.0)?;
            if Space::Candidates.size(data.prior.len(), data.counts.0.total()) > MOST {
                return Err(format!(
                    "data {:?}: there are too many candidates; give fewer records",
                    data.title
                ));
            }
            if data.prior.len() > 2 && data.counts.0.as_slice().contains(&0) {
                return Err(format!("data {:?}: give every category a record", data.title));
            }
        }
        Ok(())
    }

    fn run(&self, context: &RunContext<'_>) -> Computed {
        let cells: Vec<(&Data, usize)> = self.data.iter().flat_map(|data| [(data, 0), (data, 1)]).collect();
        let found = context.compute(&cells, |&(data, which)| self.measure(context, data, which))?;
        let mut table = ResultTable::default();
        for ((data, which), numbers) in cells.iter().zip(found) {
            for (mechanism, quantity, value, error) in numbers {
                let series = format!("{mechanism}, {}", DISTANCES[*which]);
                table.push_sampled(&data.title, &series, quantity, None, (value, error));
            }
        }
        let names = self.exponential().into_iter().map(|one| one.0);
        let names = names.chain(LAPLACE.map(ToOwned::to_owned));
        let contenders: Vec<Contender> = names
            .map(|name| name.parse::<Contender>().map_err(|error| error.to_string()))
            .collect::<Result<_, _>>()?;
        let panel = |distance: &&str| (self.panel(distance, &contenders, &table), None);
        let panels = DISTANCES.iter().map(panel).collect();
        Ok((table, arranged(panels)))
    }

    fn sampled(&self, mode: Mode) -> Option<usize> {
        let many = self.data.iter().any(|data| data.prior.len() > 2);
        many.then(|| mode.choose(self.repetitions, self.quick))
    }
}

/// What an exponential mechanism divides the distance by.
#[derive(Clone, Copy)]
enum Divisor {
    Global,
    Local,
    Gamma,
    Beta(Delta),
}

impl DrawnAt {
    /// The exponential mechanisms: a name, a divisor, and the number before it.
    fn exponential(&self) -> Vec<(String, Divisor, f64)> {
        let mut all = vec![
            ("ehd".to_owned(), Divisor::Global, 2.0),
            ("ehdl".to_owned(), Divisor::Local, 2.0),
            ("printed(ehdl)".to_owned(), Divisor::Local, 1.0),
            ("ehds".to_owned(), Divisor::Gamma, 4.0),
        ];
        for delta in &self.delta {
            let name = if delta.0 == Delta::RESEARCH {
                "mh".to_owned()
            } else {
                format!("mh(delta={})", delta.0.value())
            };
            all.push((format!("printed({name})"), Divisor::Beta(delta.0), 1.0));
            all.push((name, Divisor::Beta(delta.0), 2.0));
        }
        all
    }

    fn measure(&self, context: &RunContext<'_>, data: &Data, which: usize) -> Result<Numbers, String> {
        let counts = &data.counts.0;
        let epsilon = &data.epsilon.as_ref().unwrap_or(&self.epsilon).0;
        let setting = setting(&data.prior, counts.total(), epsilon)?;
        let measure = DrawnMeasure::new(&data.prior, counts.as_slice(), which == 1);
        let mut numbers = Vec::new();
        let mut scales = Vec::new();
        let mut names = Vec::new();
        for (name, divisor, factor) in self.exponential() {
            let beta = |delta| mh_beta(&setting, delta);
            let sensitivity = measure.sensitivity(divisor, &beta);
            scales.push(setting.epsilon().to_f64() / (factor * sensitivity));
            names.push(name);
        }
        for (name, (exact, mean)) in names.into_iter().zip(measure.exponential(&scales)) {
            numbers.push((name.clone(), "mean", mean, None));
            numbers.push((name, "exact", exact, None));
        }
        let runs = context.mode.choose(self.repetitions, self.quick);
        for name in LAPLACE {
            let spec: Spec = name.parse().map_err(|error: SpecError| error.to_string())?;
            let mechanism = spec.fit(setting.clone()).map_err(|error| error.to_string())?;
            if data.prior.len() == 2 {
                let law = mechanism.law(counts, u64::MAX).map_err(|error| error.to_string())?;
                let mean = law.outcomes().map(|one| one.probability * measure.distance(one.counts)).sum();
                numbers.push((name.to_owned(), "mean", mean, None));
                numbers.push((name.to_owned(), "exact", law.probability_exact(), None));
                continue;
            }
            let mut bits = stream(context.seed, &[context.name, &data.title, name]);
            let released =
                mechanism.release_many(counts, runs, &mut bits).map_err(|error| error.to_string())?;
            let found: Vec<f64> = released.iter().map(|one| measure.distance(one.as_slice())).collect();
            let mean = found.iter().sum::<f64>() / runs as f64;
            let square = found.iter().map(|one| (one - mean) * (one - mean)).sum::<f64>() / runs as f64;
            numbers.push((name.to_owned(), "mean", mean, Some((square / runs as f64).sqrt())));
        }
        Ok(numbers)
    }

    /// Mean distances at the data sets, one marker for each mechanism.
    fn panel(&self, distance: &str, contenders: &[Contender], table: &ResultTable) -> Panel {
        let series = contenders.iter().zip(styles(contenders)).map(|(contender, style)| {
            let mine = format!("{contender}, {distance}");
            let mean = |title: &str| {
                let rows = table.rows().iter();
                let mut rows =
                    rows.filter(|row| row.panel == title && row.series == mine && row.quantity == "mean");
                rows.next().map_or(f64::NAN, |row| row.value)
            };
            let points = self.data.iter().enumerate().map(|(x, data)| ((x + 1) as f64, mean(&data.title)));
            // A gap after each point: there is nothing between two data sets.
            let points = points.flat_map(|point| [point, (f64::NAN, f64::NAN)]);
            Series { label: contender.label(), style, points: points.collect() }
        });
        Panel {
            title: distance.to_owned(),
            x: Axis::linear("data set, in the order of the table"),
            y: Axis::log("mean distance"),
            content: Content::Lines(Lines { series: series.collect(), rules: Vec::new() }),
        }
    }
}

/// One of the distances from the posterior of given data.
struct DrawnMeasure {
    alpha: Vec<f64>,
    counts: Vec<u64>,
    n: u64,
    power: f64,
}

impl DrawnMeasure {
    fn new(prior: &Prior, counts: &[u64], drawn: bool) -> Self {
        let (alpha, n) = (prior.parameters().to_vec(), counts.iter().sum::<u64>());
        let power = if drawn { 1.0 / libm::log(alpha.iter().sum::<f64>() + n as f64) } else { 1.0 };
        Self { alpha, counts: counts.to_vec(), n, power }
    }

    /// What a category adds to `-ln BC`, times the power.
    fn cost(&self, category: usize, r: u64) -> f64 {
        -self.power * ln_bc(Pair::of_counts(self.alpha[category], self.counts[category], r))
    }

    fn distance(&self, released: &[u64]) -> f64 {
        let cost: f64 = released.iter().enumerate().map(|(i, &r)| self.cost(i, r)).sum();
        // Noisy counts need not sum to n. Then the total is one more term.
        let total = Pair::of_counts(self.alpha.iter().sum(), self.n, released.iter().sum());
        root((cost + self.power * ln_bc(total)).max(0.0))
    }

    /// The distance that a move from i to j makes at counts x and y of the two categories.
    fn step(&self, (i, x): (usize, u64), (j, y): (usize, u64)) -> f64 {
        let [from, to] = [(i, x - 1), (j, y)].map(|(i, count)| {
            let a = self.alpha[i] + count as f64;
            -ln_bc(Pair::new(a, a + 1.0))
        });
        root(self.power * (from + to))
    }

    /// The largest step of all data sets, each discounted by its distance from these. A step grows as records leave both
    /// categories, so no other data set has a larger one nearer by. With two categories all data sets are visited.
    fn largest(&self, discounted: &dyn Fn(f64, f64) -> f64) -> f64 {
        let mut most: f64 = 0.0;
        if let &[c, _] = self.counts.as_slice() {
            for x in 1..=self.n {
                // The step between x and x - 1 has its nearer end at this distance.
                let far = if x > c { x - 1 - c } else { c - x };
                most = most.max(discounted(self.step((0, x), (1, self.n - x)), far as f64));
            }
            return most;
        }
        for (i, &from) in self.counts.iter().enumerate() {
            for (j, &to) in self.counts.iter().enumerate() {
                if i == j {
                    continue;
                }
                for x in 1..=from {
                    for y in 0..=to {
                        let far = (from - x + to - y) as f64;
                        most = most.max(discounted(self.step((i, x), (j, y)), far));
                    }
                }
            }
        }
        most
    }

    fn sensitivity(&self, divisor: Divisor, beta: &dyn Fn(Delta) -> f64) -> f64 {
        match divisor {
            Divisor::Global => self.largest(&|step, _| step),
            Divisor::Local => self.largest(&|step, far| if far == 0.0 { step } else { 0.0 }),
            Divisor::Gamma => self.largest(&|step, far| 1.0 / (1.0 / step + far)),
            Divisor::Beta(delta) => {
                let beta = beta(delta);
                self.largest(&|step, far| step * libm::exp(-beta * far))
            }
        }
    }

    /// For each scale the probability of the truth and the mean distance of the exponential mechanism. Where all
    /// categories are alike, candidates are visited once for all their orders.
    fn exponential(&self, scales: &[f64]) -> Vec<(f64, f64)> {
        let k = self.alpha.len();
        let costs: Vec<Vec<f64>> = (0..k).map(|i| (0..=self.n).map(|r| self.cost(i, r)).collect()).collect();
        let alike = self.alpha.windows(2).all(|pair| pair[0] == pair[1])
            && self.counts.windows(2).all(|pair| pair[0] == pair[1]);
        let mut sums = vec![(0.0, 0.0); scales.len()];
        let mut visit = |cost: f64, times: f64| {
            let distance = root(cost);
            for (sum, scale) in sums.iter_mut().zip(scales) {
                let weight = times * libm::exp(-scale * distance);
                sum.0 += weight;
                sum.1 += weight * distance;
            }
        };
        each(&costs, alike, &mut visit);
        sums.into_iter().map(|(total, sum)| (1.0 / total, sum / total)).collect()
    }
}

/// `sqrt(1 - exp(-cost))`
fn root(cost: f64) -> f64 {
    libm::sqrt(-libm::expm1(-cost) + 0.0)
}

/// Visits the cost of every candidate, and how many candidates it stands for.
fn each(costs: &[Vec<f64>], alike: bool, visit: &mut dyn FnMut(f64, f64)) {
    let n = costs.first().map_or(0, |one| one.len() - 1);
    let mut chosen = Vec::with_capacity(costs.len());
    descend(costs, alike, n, 0.0, &mut chosen, visit);
}

fn descend(
    costs: &[Vec<f64>],
    alike: bool,
    left: usize,
    cost: f64,
    chosen: &mut Vec<usize>,
    visit: &mut dyn FnMut(f64, f64),
) {
    let least = if alike { chosen.last().copied().unwrap_or(0) } else { 0 };
    let place = chosen.len();
    if place + 1 == costs.len() {
        if left >= least {
            chosen.push(left);
            visit(cost + costs[place][left], if alike { orders(chosen) } else { 1.0 });
            chosen.pop();
        }
        return;
    }
    for r in least..=left {
        chosen.push(r);
        descend(costs, alike, left - r, cost + costs[place][r], chosen, visit);
        chosen.pop();
    }
}

/// The number of orders of sorted numbers.
fn orders(sorted: &[usize]) -> f64 {
    let factorial = |n: usize| (1..=n).product::<usize>() as f64;
    sorted.chunk_by(|a, b| a == b).fold(factorial(sorted.len()), |all, run| all / factorial(run.len()))
}

#[cfg(test)]
mod tests {
    use posterity_core::distance::hellinger_of_counts;
    use posterity_core::model::{Counts, Gamma, Setting};
    use posterity_core::sensitivity::{gamma_smooth, local};

    use super::*;

    /// If this fails, the mechanisms here are not those of posterity-core: by the Hellinger distance sensitivities, means
    /// and probabilities agree, with and without the shortcut for categories that are alike.
    #[test]
    fn in_truth_the_mechanisms_are_those_of_the_core() {
        for (alpha, data) in [
            (vec![1.0, 1.0], vec![13, 7]),
            (vec![1.0, 1.0, 1.0], vec![5, 5, 5]),
            (vec![2.0, 1.0, 0.5], vec![3, 6, 1]),
            (vec![1.0; 4], vec![3, 3, 3, 3]),
        ] {
            let prior = Prior::new(alpha).expect("valid");
            let counts = Counts::new(data.clone()).expect("valid");
            let measure = DrawnMeasure::new(&prior, &data, false);
            let found = measure.sensitivity(Divisor::Local, &|_| 1.0);
            assert!((found / local(&prior, &counts).expect("fits") - 1.0).abs() < 1e-9);
            let smooth = measure.sensitivity(Divisor::Gamma, &|_| 1.0);
            assert!((smooth / gamma_smooth(&prior, &counts, Gamma::ONE).expect("fits") - 1.0).abs() < 1e-9);
            let setting =
                Setting::new(prior.clone(), counts.total(), "1".parse().expect("valid")).expect("valid");
            let (exact, mean) = measure.exponential(&[1.0 / (4.0 * smooth)])[0];
            let mechanism = "ehds".parse::<Spec>().expect("valid").fit(setting.clone()).expect("fits");
            let law = mechanism.law(&counts, u64::MAX).expect("listed");
            assert!((mean / law.expected_distance() - 1.0).abs() < 1e-6, "{data:?}");
            let truth =
                law.outcomes().find(|one| one.counts[..] == data[..]).expect("a candidate").probability;
            assert!((exact / truth - 1.0).abs() < 1e-6);
            let far = hellinger_of_counts(&prior, &data, &data.iter().rev().copied().collect::<Vec<_>>());
            let reversed: Vec<u64> = data.iter().rev().copied().collect();
            assert!((measure.distance(&reversed) - far.expect("fits")).abs() < 1e-12);
        }
    }

    #[test]
    fn orders_are_counted() {
        assert_eq!(
            [orders(&[1, 2, 3]), orders(&[1, 1, 3]), orders(&[2, 2, 2]), orders(&[0, 0, 1, 1])],
            [6.0, 3.0, 1.0, 6.0]
        );
    }
}
