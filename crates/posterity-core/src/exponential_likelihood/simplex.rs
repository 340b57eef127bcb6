//! Three or more categories.

use super::direct;
use super::ranks::Ranks;
use super::series::Series;
use super::{LEFT_OUT_COST, Normalisers, ROUNDING, SAME_SCALE, Scaled, scale_of};
use crate::mechanism::{Space, costs};
use crate::parallelism::Parallelism;

/// The most probabilities that are computed, or as much other work as takes the same time. On two cores that is about a
/// minute and a half.
pub(super) const MAX_WORK: f64 = 2e10;

/// Up to this many probabilities are summed directly, which takes some hundredths of a second.
const MAX_SUMMED_DIRECTLY: f64 = 1e7;

/// The normalisers of all data sets.
///
/// # Errors
/// The work, if it is too much.
pub(super) fn normalisers(law: &dyn Scaled) -> Result<Normalisers, f64> {
    let setting = law.setting();
    let alpha = setting.prior().parameters();
    let data = DataSets::new(alpha, setting.n());
    let all = data.firsts.len() as f64 * data.number as f64;
    let series =
        if all > MAX_SUMMED_DIRECTLY { Some(Series::plan(alpha, setting.n(), data.number)) } else { None };
    // The series is used if it is less work. It decides what is possible: with three categories `ehds` takes 1,000 records (15 s of
    // processor time), which direct sums refuse (4.2e10 probabilities), and 300 records take 0.9 s in place of 4.9 s
    // (`cargo run --release -p posterity-core --example parts -- ehds 3 300 1`).
    let series = series.filter(|series| series.work() * (data.firsts.len() as f64) < all);
    let work = series.as_ref().map_or(all, |series| series.work() * data.firsts.len() as f64);
    if work > MAX_WORK {
        return Err(work);
    }
    Ok(summed(law, &data, series))
}

/// All data sets of a size in lexicographic order.
struct DataSets {
    number: usize,
    counts: Vec<u64>,
    classes: Classes,
    /// One of each set of data sets that differ by an exchange of categories.
    firsts: Vec<usize>,
}

impl DataSets {
    fn new(alpha: &[f64], n: u64) -> Self {
        let k = alpha.len();
        let classes = Classes::new(alpha);
        let mut counts = Vec::new();
        Space::Candidates.for_each(k, n, |data| counts.extend_from_slice(data));
        let number = counts.len() / k;
        let firsts = (0..number).filter(|&at| classes.is_first(&counts[at * k..(at + 1) * k])).collect();
        Self { number, counts, classes, firsts }
    }
}

/// The normalisers of all data sets, by a series or by direct sums.
fn summed(law: &dyn Scaled, data: &DataSets, series: Option<Series>) -> Normalisers {
    let (k, n) = (law.setting().k(), law.setting().n());
    let DataSets { number: data_sets, counts, classes, firsts } = data;
    let data_sets = *data_sets;
    let scales = Parallelism::AllCores.map(counts.chunks_exact(k), |data| scale_of(law, data));
    // For each set of equal prior parameters and each count, the costs of all releases.
    let tables: Vec<Vec<Vec<f64>>> = classes
        .values
        .iter()
        .map(|&alpha| Parallelism::AllCores.map(0..=n, |c| costs(alpha, c, n)))
        .collect();
    let series = series.map(|series| series.with_tables(&tables));
    let skip = LEFT_OUT_COST + libm::log(data_sets as f64);
    let found = Parallelism::AllCores.map(firsts, |&at| {
        let data = &counts[at * k..(at + 1) * k];
        let rows: Vec<&[f64]> =
            data.iter().zip(&classes.of).map(|(&c, &class)| &*tables[class][c as usize]).collect();
        match &series {
            Some(series) => series.ln_total(data, &classes.of, &rows, scales[at]),
            None => (direct::ln_total(&rows, n, scales[at], skip), 0.0),
        }
    });
    let ranks = Ranks::new(k, n);
    let mut of_firsts = vec![f64::NAN; data_sets];
    firsts.iter().zip(&found).for_each(|(&at, &(ln_total, _))| of_firsts[at] = ln_total);
    let ln_totals =
        Parallelism::AllCores.map(counts.chunks_exact(k), |data| of_firsts[ranks.rank(&classes.first(data))]);
    // The scales of data sets that differ by an exchange differ by rounding only.
    let rounding = scales.iter().copied().fold(0.0, f64::max) * SAME_SCALE;
    let error = found.iter().fold(
        0.0,
        |largest: f64, &(_, error)| {
            if error.is_nan() { f64::INFINITY } else { largest.max(error) }
        },
    );
    Normalisers { scales, ln_totals, error: error + rounding + ROUNDING }
}

/// Categories of equal prior parameters. Exchanging them in the data and in the release does not change a distance, so
/// the normalisers of data sets that differ by an exchange are the same.
struct Classes {
    /// The prior parameter of each class.
    values: Vec<f64>,
    /// The class of each category.
    of: Vec<usize>,
}

impl Classes {
    fn new(alpha: &[f64]) -> Self {
        let mut values: Vec<f64> = Vec::new();
        let of = alpha.iter().map(|&value| {
            values.iter().position(|&one| one == value).unwrap_or_else(|| {
                values.push(value);
                values.len() - 1
            })
        });
        let of = of.collect();
        Self { values, of }
    }

    /// Whether the counts of each class decrease.
    fn is_first(&self, data: &[u64]) -> bool {
        let mut last = vec![u64::MAX; self.values.len()];
        self.of.iter().zip(data).all(|(&class, &count)| {
            let decreases = count <= last[class];
            last[class] = count;
            decreases
        })
    }

    /// The data set with the same counts in each class, in decreasing order.
    fn first(&self, data: &[u64]) -> Vec<u64> {
        let mut sorted: Vec<Vec<u64>> = vec![Vec::new(); self.values.len()];
        self.of.iter().zip(data).for_each(|(&class, &count)| sorted[class].push(count));
        sorted.iter_mut().for_each(|counts| counts.sort_unstable());
        self.of.iter().map(|&class| sorted[class].pop().unwrap_or(0)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::setting;
    use crate::mechanism::Spec;
    use crate::model::Counts;
    use crate::model::Setting;
    use crate::special::Sum;

    struct Law(Box<dyn crate::mechanism::Mechanism>);

    impl Scaled for Law {
        fn name(&self) -> &'static str {
            self.0.name()
        }

        fn setting(&self) -> &Setting {
            self.0.setting()
        }

        fn scale(&self, counts: &Counts) -> f64 {
            self.0.tunable().expect("exponential").scale_down(counts).expect("fits")
        }
    }

    fn law(name: &str, prior: &[f64], n: u64, epsilon: &str) -> Law {
        let spec: Spec = name.parse().expect("a mechanism");
        Law(spec.fit(setting(prior, n, epsilon)).expect("fits"))
    }

    /// If this fails, the series leaves something out, or an exchange of categories changes more than it should.
    #[test]
    fn the_series_agrees_with_direct_sums_and_complete_laws() {
        let mut largest = 0.0_f64;
        for (prior, n) in [
            (&[1.0, 1.0, 1.0][..], 70),
            (&[0.5, 3.0, 0.5], 40),
            (&[0.01, 1.0, 20.0], 33),
            (&[1.0, 1.0, 2.0, 1.0], 18),
            (&[1.0; 6], 9),
            (&[1e-9, 1.0, 1.0], 30),
        ] {
            for (name, epsilon) in
                [("ehds", "1"), ("ehd", "0.1"), ("ehdl", "3"), ("mh", "20"), ("ehdl", "100")]
            {
                let law = law(name, prior, n, epsilon);
                let data = DataSets::new(prior, n);
                let direct = summed(&law, &data, None);
                let series = summed(&law, &data, Some(Series::plan(prior, n, data.number)));
                assert!(direct.error < 1e-11 && series.error < 1e-10, "{name} {prior:?}: {}", series.error);
                for (at, (one, other)) in direct.ln_totals.iter().zip(&series.ln_totals).enumerate() {
                    let difference = (one - other).abs();
                    largest = largest.max(difference);
                    assert!(
                        difference <= series.error + direct.error,
                        "{name} {prior:?} at {at}: {one} {other}, {difference:e} above {:e}",
                        series.error
                    );
                }
                let k = prior.len();
                for at in (0..data.number).step_by(data.number / 7) {
                    let counts = Counts::new(data.counts[at * k..(at + 1) * k].to_vec()).expect("valid");
                    let law = law.0.ln_probabilities(&counts).expect("fits");
                    // The score of the data itself is zero, so the logarithm of its probability is -ln Z.
                    assert!((law[at] + direct.ln_totals[at]).abs() < 1e-9, "{name} {prior:?} {at}");
                    assert!(
                        (law.iter().map(|ln| libm::exp(*ln)).collect::<Sum>().value() - 1.0).abs() < 1e-12
                    );
                }
            }
        }
        println!("largest difference {largest:e}");
    }
}
