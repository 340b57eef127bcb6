//! The rules `random` and `all` draw each record of a unit with the same probability.

use super::{CELLS, PLENTY, Record, count};
use crate::unit::{PerUnit, Ranks, UnitHash};

/// How often each cell is drawn by units that all have these cells.
fn drawn(rule: &PerUnit, cells: &[u32], units: u32, seed: u8) -> Vec<u64> {
    let folder = tempfile::tempdir().expect("a folder");
    let hash = UnitHash::new(&[seed; 16]);
    let mut records = Vec::new();
    let mut ranks = Ranks::new(&[seed; 32], 3, 0);
    for unit in 0..units {
        // Many short pieces also show that different streams are independent.
        if unit.is_multiple_of(64) {
            ranks = Ranks::new(&[seed; 32], 3, unit);
        }
        records.extend(cells.iter().map(|&cell| Record {
            unit: hash.hash(0, &unit.to_le_bytes()),
            cell,
            rank: ranks.next_rank(),
            order: Vec::new(),
        }));
    }
    count(rule, &records, PLENTY, folder.path()).expect("counts")
}

/// Pearson's statistic against the frequencies of the cells, for units with these records, must not exceed the quantile
/// of the chi-square distribution at 1 - 10^-6. The counts are so large that the distribution is a good approximation.
/// The quantiles, for one, two and three degrees of freedom, solve `Q(df/2, x/2) = 10^-6` with the incomplete gamma
/// function Q.
#[test]
fn every_record_has_the_same_chance() {
    let (n, seed) = (20_000, 11);
    let table: [(&[u32], f64); 3] =
        [(&[0, 0, 1], 23.928), (&[5, 1, 0], 27.631), (&[4, 4, 2, 4, 3, 1], 30.665)];
    for (cells, critical) in table {
        let counts = drawn(&PerUnit::Random, cells, n, seed);
        let mut statistic = 0.0;
        for (cell, &count) in (0..CELLS as u32).zip(&counts) {
            let records = cells.iter().filter(|&&other| other == cell).count();
            let expected = f64::from(n) * records as f64 / cells.len() as f64;
            if records == 0 {
                assert_eq!(count, 0);
            } else {
                statistic += (count as f64 - expected).powi(2) / expected;
            }
        }
        println!("cells {cells:?}, n {n}, seed {seed}, false-alarm rate 1e-6: {statistic:.2} <= {critical}");
        assert!(statistic <= critical);
    }
}

/// Of m records in m cells, K are drawn of each of n units. The counts have the covariances of sampling without
/// replacement, `n p (1 - p) m/(m-1) (I - J/m)` with `p = K/m`, so `(m-1)/(m n p (1 - p)) sum (c_i - n p)^2` is
/// asymptotically chi-square with m - 1 degrees of freedom. The quantiles are those of above.
#[test]
fn several_records_have_the_same_chance() {
    let (n, seed) = (20_000, 12);
    for (m, most, critical) in [(2_u32, 1_u32, 23.928), (3, 2, 27.631), (4, 2, 30.665), (4, 3, 30.665)] {
        let rule = PerUnit::All(most.try_into().expect("not zero"));
        let cells: Vec<u32> = (0..m).collect();
        let counts = drawn(&rule, &cells, n, seed);
        assert_eq!(counts.iter().sum::<u64>(), u64::from(n * most));
        let (p, n, m) = (f64::from(most) / f64::from(m), f64::from(n), f64::from(m));
        let squares: f64 = counts[..cells.len()].iter().map(|&count| (count as f64 - n * p).powi(2)).sum();
        let statistic = squares * (m - 1.0) / (m * n * p * (1.0 - p));
        println!("{most} of {m}, n {n}, seed {seed}, false-alarm rate 1e-6: {statistic:.2} <= {critical}");
        assert!(statistic <= critical);
    }
}
