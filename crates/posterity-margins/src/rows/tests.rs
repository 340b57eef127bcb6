//! Laws of fitted rows.

use super::*;

const SIZES: [u16; 3] = [3, 2, 2];

fn go_on(_: Progress) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

fn fit(input: &Input, rows: usize, seed: u64) -> Rows {
    Rows::fit(input, rows, seed, &go_on).expect("nobody stops it")
}

/// The L1 distance between the rows' shares and the true ones.
fn error(rows: &Rows, truth: &[Vec<u16>], columns: &[usize]) -> f64 {
    let found = fixture::shares(&SIZES, rows.columns(), columns);
    found.iter().zip(fixture::shares(&SIZES, truth, columns)).map(|(a, b)| (a - b).abs()).sum()
}

// If this fails, rows stay away from a release that is exact.
#[test]
fn tiny_noise_gives_back_the_tables() {
    let truth = fixture::correlated(3000);
    let rows = fit(&fixture::release(&SIZES, &truth, 3, 1e-6, 1), 3000, 1);
    for columns in [&[0][..], &[0, 1], &[0, 2], &[0, 1, 2]] {
        let error = error(&rows, &truth, columns);
        assert!(error < 0.01, "{columns:?} {error}");
    }
}

// If this fails, rows of another number than the records are fitted to other shares.
#[test]
fn the_number_of_rows_is_free() {
    let truth = fixture::correlated(3000);
    let input = fixture::release(&SIZES, &truth, 2, 9.0, 1);
    for count in [500, 3001, 9000] {
        let rows = fit(&input, count, 2);
        assert_eq!(rows.len(), count);
        assert!(error(&rows, &truth, &[0, 1]) < 0.05, "{count} {}", error(&rows, &truth, &[0, 1]));
    }
}

// If this fails, a row holds a value that nobody declared.
#[test]
fn codes_are_declared() {
    let sizes = [70, 3, 1];
    let codes = fixture::uniform(&sizes, 300, 3);
    let rows = fit(&fixture::release(&sizes, &codes, 3, 1e4, 3), 400, 3);
    for (column, &size) in sizes.iter().enumerate() {
        assert_eq!(rows.column(column).len(), 400);
        assert!(rows.column(column).iter().all(|&code| code < size));
    }
}

// If this fails, somebody else's rows cannot be repeated.
#[test]
fn a_seed_gives_the_same_rows_on_any_number_of_threads() {
    let input = fixture::release(&SIZES, &fixture::correlated(9000), 3, 100.0, 4);
    let on = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
        pool.install(|| fit(&input, 8200, 5))
    };
    assert_eq!(on(1), on(3));
    assert_ne!(fit(&input, 8200, 5).columns(), fit(&input, 8200, 6).columns());
}

// If this fails, rows do not learn what goes together.
#[test]
fn better_than_independent_columns() {
    let truth = fixture::correlated(3000);
    let input = fixture::release(&SIZES, &truth, 2, 900.0, 5);
    let independent = Crowd::independent(&Goal::of(&input), 3000, Chance::new(1, 1)).columns();
    let independent = Rows { columns: independent, distances: Vec::new() };
    let rows = fit(&input, 3000, 1);
    assert!(error(&rows, &truth, &[0, 1]) < 0.3 * error(&independent, &truth, &[0, 1]));
}

// If this fails, rows repeat the noise: a table of many cells, nearly empty, is met worse than without it.
#[test]
fn rows_are_nearer_to_the_truth_than_the_release_is() {
    let sizes = [20_u16, 20, 2];
    let truth: Vec<Vec<u16>> = fixture::uniform(&[20, 2], 2000, 8).into_iter().collect();
    let truth = vec![truth[0].clone(), truth[0].clone(), truth[1].clone()];
    for seed in 0..3 {
        let input = fixture::release(&sizes, &truth, 2, 400.0, seed);
        let rows = fit(&input, 2000, seed);
        let l1 = |shares: &[f64]| -> f64 {
            let truth = fixture::shares(&sizes, &truth, &[0, 1]);
            shares.iter().zip(truth).map(|(a, b)| (a - b).abs()).sum()
        };
        let goal = Goal::of(&input);
        let set = (0..goal.len()).find(|&set| goal.columns(set) == [0, 1]).expect("the pair");
        let released = l1(&goal.shares()[goal.range(set)]);
        let found = l1(&fixture::shares(&sizes, rows.columns(), &[0, 1]));
        assert!(found < 0.5 * released, "{found} {released}");
    }
}

// If this fails, the distances told are not those of the rows.
#[test]
fn distances_are_those_of_the_rows() {
    let truth = fixture::correlated(3000);
    let input = fixture::release(&SIZES, &truth, 2, 25.0, 6);
    let rows = fit(&input, 3000, 1);
    let goal = Goal::of(&input);
    for (set, distance) in rows.distances().iter().enumerate() {
        let table = fixture::shares(&SIZES, rows.columns(), &distance.columns);
        let l1: f64 = table.iter().zip(&goal.shares()[goal.range(set)]).map(|(a, b)| (a - b).abs()).sum();
        assert_eq!(distance.columns, goal.columns(set));
        assert!((distance.l1 - l1).abs() < 1e-9);
        assert!(distance.mean_square < 2.0, "{distance:?}");
    }
}

#[test]
fn rejects_a_number_of_rows() {
    let input = fixture::release(&SIZES, &fixture::correlated(100), 1, 1.0, 1);
    for rows in [0, MOST_ROWS + 1] {
        assert_eq!(Rows::fit(&input, rows, 1, &go_on), Err(FitError::Count { rows }));
    }
}

// If this fails, a caller who wants to stop waits in vain.
#[test]
fn stops_when_told_at_any_stage() {
    let input = fixture::release(&SIZES, &fixture::correlated(3000), 2, 100.0, 1);
    for last in [Stage::Choosing, Stage::Fitting, Stage::Polishing] {
        let until = |told: Progress| {
            assert!((0.0..=1.0).contains(&told.share));
            if told.stage == last { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        assert_eq!(Rows::fit(&input, 3000, 1, &until), Err(FitError::Stopped));
    }
}

#[test]
fn crowds_hold_all_rows() {
    for (rows, expected) in [(1, vec![1]), (4001, vec![2001, 2000]), (8002, vec![2001, 2001, 2000, 2000])] {
        assert_eq!(parts(rows), expected);
    }
}
