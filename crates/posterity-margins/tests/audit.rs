//! The price of a release, from the program's own whole numbers and rational variances, between all records.

use dashu_int::IBig;
use dashu_ratio::RBig;
use posterity_core::model::Adjacency;
use posterity_core::sampler::{SeededBits, SourceError};
use posterity_margins::{ColumnSet, Estimates, Plan, Released, Sampler, Shape, Tables, Workload, draw};
use posterity_testkit::Random;

fn set(columns: &[u16]) -> ColumnSet {
    ColumnSet::new(columns.iter().copied()).expect("different columns")
}

fn shape(sizes: &[u32]) -> Shape {
    Shape::new(sizes.to_vec()).expect("sizes")
}

/// 2 x 3, three yes/no columns, and five mixed columns of which some tables have weights.
fn workloads() -> Vec<Workload> {
    let mixed = [(set(&[0, 1, 2]), 5.0), (set(&[2, 3]), 1.0), (set(&[3, 4]), 0.2), (set(&[1, 4]), 2.0)];
    vec![
        Workload::all(shape(&[2, 3]), 2).expect("pairs"),
        Workload::all(shape(&[2, 2, 2]), 2).expect("pairs"),
        Workload::all(shape(&[2, 2, 2]), 3).expect("triples"),
        Workload::all(shape(&[3, 2, 3]), 1).expect("singles"),
        Workload::of(shape(&[2, 3, 2, 4, 2]), mixed).expect("sets"),
    ]
}

fn records(workload: &Workload) -> Vec<Vec<u32>> {
    let longer = |shorter: Vec<Vec<u32>>, &size: &u32| {
        shorter
            .iter()
            .flat_map(|record| (0..size).map(move |value| [&record[..], &[value]].concat()))
            .collect()
    };
    workload.shape().sizes().iter().fold(vec![vec![]], longer)
}

/// What is released of some records if the noise is zero: the program's own whole numbers.
fn without_noise(plan: &Plan, records: &[Vec<u32>]) -> Released {
    let tables = Tables::of_records(plan.workload(), records).expect("records");
    let nothing = |_: &RBig| Ok::<Sampler<'_>, SourceError>(Box::new(|_| Ok(0)));
    draw(plan, &tables, nothing, &mut SeededBits::new(1)).expect("no noise")
}

/// `sum of (difference)^2 / (2 variance)`: the zero-concentrated divergence of discrete Gaussian noise around two
/// vectors of whole numbers (Canonne, Kamath and Steinke 2020, proposition 5). Infinite without noise.
fn divergence(plan: &Plan, one: &Released, other: &Released) -> Option<RBig> {
    let mut sum = RBig::ZERO;
    for index in 0..plan.workload().sets().len() {
        let pairs = one.residual(index).iter().zip(other.residual(index));
        let squares: i128 = pairs.map(|(a, b)| (i128::from(*a) - i128::from(*b)).pow(2)).sum();
        match plan.noise_variance(index) {
            Some(variance) => sum += RBig::from(IBig::from(squares)) / (variance * RBig::from(2_u8)),
            None if squares == 0 => {}
            None => return None,
        }
    }
    Some(sum)
}

/// If this fails, a release costs more than it says, or the formula of the price is not that of the matrices.
#[test]
fn replacing_any_record_by_any_other_costs_what_the_formula_says() {
    for workload in workloads() {
        let plan = Plan::new(workload, Adjacency::Replace, "1/7".parse().expect("rational")).expect("plan");
        let all = records(plan.workload());
        let released: Vec<Released> =
            all.iter().map(|record| without_noise(&plan, std::slice::from_ref(record))).collect();
        let mut largest = RBig::ZERO;
        for (x, one) in all.iter().zip(&released) {
            for (y, other) in all.iter().zip(&released) {
                let differs: Vec<u16> =
                    (0..x.len() as u16).filter(|&i| x[usize::from(i)] != y[usize::from(i)]).collect();
                let cost = divergence(&plan, one, other).expect("n is the same");
                assert_eq!(cost, plan.rho_between(&differs), "{x:?} {y:?}");
                largest = largest.max(cost);
            }
        }
        assert!(plan.price().is_exact());
        assert_eq!(&largest, plan.price().upper());
        assert_eq!(largest, plan.rho_between(plan.price().worst()));
        assert!(&largest <= plan.rho(), "{largest}");
        let used = (largest / plan.rho()).to_f64().value();
        assert!(used > 1.0 - 1e-5, "a part of the budget is left: {used}");
    }
}

/// If this fails, a release costs more under add-remove than it says.
#[test]
fn adding_any_record_costs_the_price() {
    for workload in workloads() {
        let plan = Plan::new(workload, Adjacency::AddRemove, "1/7".parse().expect("rational")).expect("plan");
        let before = vec![vec![0; plan.workload().shape().columns()]; 3];
        let released = without_noise(&plan, &before);
        for record in records(plan.workload()) {
            let after = [&before[..], &[record]].concat();
            let cost = divergence(&plan, &released, &without_noise(&plan, &after)).expect("n has noise");
            assert_eq!(&cost, plan.price().upper());
        }
        assert!(plan.price().upper() <= plan.rho());
    }
}

/// If this fails, tables do not follow from their residuals.
#[test]
fn without_noise_every_table_is_the_true_one() {
    let mut random = Random::new(5);
    for workload in workloads() {
        let all = records(&workload);
        let some: Vec<Vec<u32>> = (0..50).map(|_| all[random.index(all.len())].clone()).collect();
        let plan = Plan::new(workload, Adjacency::Replace, RBig::ONE).expect("plan");
        let tables = Tables::of_records(plan.workload(), &some).expect("records");
        let released = without_noise(&plan, &some);
        let estimates = Estimates::new(&plan, &released).expect("fits");
        for (index, set) in plan.workload().sets().iter().enumerate() {
            let exact = estimates.exact_table(set).expect("released");
            let true_ones: Vec<RBig> = tables.table(index).iter().map(|&count| RBig::from(count)).collect();
            assert_eq!(exact, true_ones, "{set}");
            let table = estimates.table(set).expect("released");
            let near = |(cell, &count): (&f64, &u64)| (cell - count as f64).abs() < 1e-9;
            assert!(table.cells().iter().zip(tables.table(index)).all(near));
        }
        assert!(estimates.table(&set(&[0, 99])).is_err());
    }
}

/// The estimates of all cells if one draw of noise is one and all others are zero, and the variance of that draw.
fn responses(plan: &Plan, of: &ColumnSet) -> Vec<(f64, Vec<f64>)> {
    let mut found = Vec::new();
    let zero = |index: usize| vec![0_i64; plan.workload().cells(index) as usize];
    for index in 0..plan.workload().sets().len() {
        let Some(variance) = plan.noise_variance(index) else { continue };
        for cell in 0..plan.workload().cells(index) as usize {
            let mut residuals: Vec<Vec<i64>> = (0..plan.workload().sets().len()).map(zero).collect();
            residuals[index][cell] = 1;
            let released = Released::new(plan.workload(), residuals).expect("fits");
            let table = Estimates::new(plan, &released).map(|all| all.table(of).expect("released"));
            found.push((variance.to_f64().value(), table.expect("fits").cells().to_vec()));
        }
    }
    found
}

/// If this fails, intervals have a wrong width: the stated covariance is not that of the estimates. They are linear in
/// the noise, so their covariance is the sum over all draws of their variance times the square of their effect.
#[test]
fn covariances_are_those_of_all_draws() {
    let mut random = Random::new(8);
    for workload in workloads() {
        for adjacency in Adjacency::ALL {
            let plan = Plan::new(workload.clone(), adjacency, RBig::ONE).expect("plan");
            let index = plan.workload().sets().len() - 1;
            let of = plan.workload().sets()[index].clone();
            let effects = responses(&plan, &of);
            let cells = plan.workload().cells(index) as usize;
            let [g, h] = [0, 1].map(|_| -> Vec<f64> {
                (0..cells).map(|_| f64::from(u8::from(random.chance(50)))).collect()
            });
            let dot = |a: &[f64], b: &[f64]| -> f64 { a.iter().zip(b).map(|(x, y)| x * y).sum() };
            let covariance = |g: &[f64], h: &[f64]| -> f64 {
                effects.iter().map(|(variance, effect)| variance * dot(g, effect) * dot(h, effect)).sum()
            };
            let released = without_noise(&plan, &[]);
            let table = Estimates::new(&plan, &released).expect("fits").table(&of).expect("released");
            let near = |found: f64, expected: f64| {
                assert!((found - expected).abs() < 1e-9 * (1.0 + expected.abs()), "{found} {expected}")
            };
            near(table.covariance(&g, &h), covariance(&g, &h));
            near(table.variance(&g), covariance(&g, &g));
            let mut one = vec![0.0; cells];
            one[cells / 2] = 1.0;
            near(plan.cell_variance(index), covariance(&one, &one));
            near(table.components().product_variance(&vec![1; of.len()]), covariance(&one, &one));
            let all = covariance(&vec![1.0; cells], &vec![1.0; cells]);
            near(all, plan.variance(0));
        }
    }
}

/// If this fails, the bound on the price for many different columns is below what a pattern costs, or far above.
#[test]
fn many_different_columns_have_a_bound() {
    let sizes: Vec<u32> = (0..40).map(|column| 2 + column % 23).collect();
    let workload = Workload::all(shape(&sizes), 2).expect("pairs");
    let plan = Plan::new(workload, Adjacency::Replace, "1/50".parse().expect("rational")).expect("plan");
    assert!(!plan.price().is_exact() && plan.price().upper() <= plan.rho());
    assert!(plan.price().gap() < 0.15, "gap {}", plan.price().gap());
    let mut random = Random::new(11);
    for _ in 0..200 {
        let differs: Vec<u16> = (0..40).filter(|_| random.chance(70)).collect();
        assert!(plan.rho_between(&differs) <= *plan.price().upper());
    }
    assert_eq!(plan.price().found(), &plan.rho_between(plan.price().worst()));
}

/// If this fails, the quick price is not the largest over all patterns.
#[test]
fn listed_patterns_hold_the_worst() {
    let workload = Workload::all(shape(&[2, 3, 3, 5, 7, 2, 4, 2, 9, 3]), 3).expect("triples");
    let plan = Plan::new(workload, Adjacency::Replace, RBig::ONE).expect("plan");
    let pattern = |mask: u32| -> Vec<u16> { (0..10).filter(|column| mask >> column & 1 == 1).collect() };
    let worst = (0..1_u32 << 10).map(|mask| plan.rho_between(&pattern(mask))).max();
    assert_eq!(worst.as_ref(), Some(plan.price().upper()));
    assert!(plan.within().is_some_and(|within| within < 1.01), "{:?}", plan.within());
}

/// If this fails, a document's plan is not checked again, or is not the plan that was made.
#[test]
fn stated_plans_are_priced_again() {
    let workload = workloads().pop().expect("the last");
    let plan = Plan::new(workload.clone(), Adjacency::Replace, RBig::ONE).expect("plan");
    let precisions: Vec<_> = (1..workload.sets().len()).filter_map(|index| plan.precision(index)).collect();
    let stated =
        Plan::stated(workload.clone(), Adjacency::Replace, RBig::ONE, &precisions).expect("the same");
    assert_eq!(stated.price(), plan.price());
    let less = "99999/100000".parse().expect("rational");
    assert!(Plan::stated(workload.clone(), Adjacency::Replace, less, &precisions).is_err());
    assert!(Plan::stated(workload, Adjacency::AddRemove, RBig::ONE, &precisions).is_err());
}
