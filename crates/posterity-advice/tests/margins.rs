//! Forecasts of tables of many columns, beside releases.

use std::fmt::Write as _;
use std::ops::ControlFlow;

use posterity::data::{Column, Question, Resources, Source};
use posterity::margins::{MarginsDocument, MarginsError, MarginsPublisher, MarginsTerms, Which};
use posterity::table::{SpaceColumn, Subject, Ways};
use posterity::{Adjacency, Randomness, Reading};
use posterity_advice::margins::{MarginsAdvice, MarginsAdviceError, MarginsLevel, advise_margins};

const NAMES: [&str; 3] = ["a", "b", "c"];

/// The values of every column. Those of one record are the same in all columns, so that the cells of the first two have
/// the shares 50 % and 10 % in every table.
const VALUES: [&str; 3] = ["x", "y", "z"];

fn terms(epsilon: &str, adjacency: Adjacency) -> MarginsTerms {
    let epsilon = epsilon.parse().expect("positive");
    MarginsTerms {
        adjacency,
        ..MarginsTerms::new(Which::all(3), epsilon, "1e-9".parse().expect("an amount"))
    }
}

fn columns() -> Vec<SpaceColumn> {
    NAMES.map(|name| SpaceColumn::new(name, VALUES)).to_vec()
}

/// A file of n records.
fn file(folder: &tempfile::TempDir, n: u64) -> Source {
    let mut text = "a,b,c\n".to_owned();
    for id in 0..n {
        let value = VALUES[if id % 10 < 5 { 0 } else { usize::from(id % 10 > 5) + 1 }];
        writeln!(text, "{value},{value},{value}").expect("text");
    }
    let path = folder.path().join("records.csv");
    std::fs::write(&path, text).expect("written");
    Source::files(path.to_string_lossy())
}

fn released(source: &Source, terms: &MarginsTerms, seed: u64) -> MarginsDocument {
    let question = Question::new(NAMES.map(|name| Column::new(name, VALUES)).into());
    let planned = MarginsPublisher::new(terms.clone()).plan(question).expect("valid");
    let go_on = |_| ControlFlow::Continue(());
    let counted = planned.count(source, None, Randomness::Seed(seed), &Resources::default(), &go_on);
    counted.expect("counted").experiment(seed).expect("drawn")
}

/// `a=x, b=x` for the first cell of the tables of two columns.
fn cell(columns: usize, share: f64) -> Reading {
    let value = VALUES[usize::from(share < 0.3)];
    let terms: Vec<String> = NAMES[..columns].iter().map(|name| format!("{name}={value}")).collect();
    terms.join(", ").parse().expect("a reading")
}

/// The half-width of a cell.
fn half_width(document: &MarginsDocument, about: Subject, reading: &Reading) -> f64 {
    let ways = Ways { about, ..Ways::new(0.95).expect("a level") };
    let read = document.with_readings(ways, vec![reading.clone()], vec![]).expect("read");
    let [low, high] = read.answer().readings()[0].rows[0].interval;
    0.5 * (high - low)
}

fn asked(advice: &MarginsAdvice) -> &[MarginsLevel] {
    &advice.plans[0].levels
}

/// If this fails, a steward chooses by widths that releases do not have. The numbers are compared within 2 % and four
/// standard errors of the mean over the releases: the chance that one of 48 fails although all is well is about 0.01.
#[test]
fn releases_are_as_they_were_forecast() {
    const RELEASES: u64 = 25;
    // Little noise; and so much that intervals are cut at 0 and 1.
    for (n, epsilon) in [(4000, "1"), (400, "0.3")] {
        let folder = tempfile::tempdir().expect("a folder");
        let source = file(&folder, n);
        for adjacency in Adjacency::ALL {
            let terms = terms(epsilon, adjacency);
            let advice = advise_margins(&columns(), n, &terms).expect("a forecast");
            let documents: Vec<_> = (0..RELEASES).map(|seed| released(&source, &terms, seed)).collect();
            for level in asked(&advice) {
                for width in &level.half_widths {
                    let reading = cell(level.columns, width.share);
                    let found = documents.iter().map(|document| half_width(document, width.about, &reading));
                    let found: Vec<f64> = found.collect();
                    let mean = found.iter().sum::<f64>() / RELEASES as f64;
                    let square = found.iter().map(|one| (one - mean).powi(2)).sum::<f64>();
                    let error = (square / (RELEASES * (RELEASES - 1)) as f64).sqrt();
                    assert!(
                        (mean - width.half_width).abs() < 0.02 * mean + 4.0 * error,
                        "{n} {adjacency:?} {reading} {:?}: {mean} ± {error}, forecast {}; seeds 0 to {RELEASES}",
                        width.about,
                        width.half_width
                    );
                }
            }
        }
    }
}

/// If this fails, a document and its forecast disagree.
#[test]
fn errors_are_those_that_documents_state() {
    let folder = tempfile::tempdir().expect("a folder");
    let terms = terms("1", Adjacency::Replace);
    let stated = released(&file(&folder, 1000), &terms, 1).answer().tables();
    let advice = advise_margins(&columns(), 1000, &terms).expect("a forecast");
    let forecast = asked(&advice).iter().map(|level| (level.columns, level.tables, Some(level.expected_l1)));
    let stated = stated.iter().map(|size| (size.columns, size.tables, size.expected_l1));
    assert_eq!(forecast.collect::<Vec<_>>(), stated.collect::<Vec<_>>());
    assert!(advice.plans[0].price.exact && advice.plans[0].price.rho <= advice.rho);
}

#[test]
fn neighbours_stand_beside_what_is_asked() {
    let beside = |which: &str, columns: &[SpaceColumn]| {
        let asked = MarginsTerms { which: which.parse().expect("tables"), ..terms("1", Adjacency::Replace) };
        let advice = advise_margins(columns, 1000, &asked).expect("a forecast");
        let names: Vec<String> = advice.plans.iter().map(|plan| plan.margins.clone()).collect();
        (names.join(" | "), advice.reasons.len(), advice.left_out)
    };
    assert_eq!(beside("2", &columns()), ("2 | 1 | 3".to_owned(), 2, vec![]));
    assert_eq!(beside("a, b; c", &columns()), ("a, b; c | 1 | 2 | 3".to_owned(), 3, vec![]));
    assert_eq!(beside("2; b,a=5", &columns()[..2]), ("2; b, a=5 | 1 | 2".to_owned(), 2, vec![]));
    let many: Vec<SpaceColumn> = (0..60).map(|index| SpaceColumn::new(format!("c{index}"), VALUES)).collect();
    let (names, _, left_out) = beside("1", &many);
    assert_eq!(names, "1 | 2");
    assert_eq!(left_out, ["--sets 3: 36,050 tables take long to plan; ask for them by themselves"]);
}

#[test]
fn rejects() {
    let with = |which: &str, n: u64| {
        let asked = MarginsTerms { which: which.parse().expect("tables"), ..terms("1", Adjacency::Replace) };
        advise_margins(&columns(), n, &asked).expect_err("refused")
    };
    assert_eq!(with("2", 0), MarginsAdviceError::Records { n: 0 });
    assert!(matches!(with("2", u64::MAX), MarginsAdviceError::Records { .. }));
    assert!(matches!(with("4", 9), MarginsAdviceError::Margins(MarginsError::Workload(_))));
    assert!(matches!(with("a,d", 9), MarginsAdviceError::Margins(MarginsError::UnknownColumn { .. })));
}
