//! Tables of many columns: what is charged, recalled, read and promised.

use std::fmt::Write as _;
use std::ops::ControlFlow;

use posterity::data::{Column, PerUnit, Question, Resources, Source};
use posterity::document::Kind;
use posterity::document::Promise;
use posterity::ledger::{NewAccount, now_utc};
use posterity::margins::{MarginsData, MarginsDocument, MarginsError, MarginsPublisher, MarginsTerms, Which};
use posterity::paying::Payer;
use posterity::table::{IntervalKind, Subject, Ways};
use posterity::verification::{VerificationError, verify_document};
use posterity::{
    Adjacency, Amount, Contrast, Ledger, Payment, Publication, PublishError, Randomness, Reading,
    ReadingError,
};
use posterity_testkit::{Random, critical_interval, trials};

fn amount(text: &str) -> Amount {
    text.parse().expect("an amount")
}

fn terms(which: &str, adjacency: Adjacency) -> MarginsTerms {
    let which: Which = which.parse().expect("tables");
    MarginsTerms { adjacency, ..MarginsTerms::new(which, "1".parse().expect("positive"), amount("1e-9")) }
}

fn question() -> Question {
    Question::new(vec![
        Column::new("ward", ["A", "B", "C"]),
        Column::new("sex", ["f", "m"]),
        Column::new("smokes", ["yes", "no"]),
        Column::new("cured", ["yes", "no"]),
    ])
}

const RECORDS: usize = 6000;

/// A file of people; `change` makes another record of the first one.
fn file(folder: &tempfile::TempDir, change: bool) -> Source {
    let mut text = "ward,sex,smokes,cured\n".to_owned();
    for id in 0..RECORDS {
        let record = if change && id == 0 { RECORDS - 1 } else { id };
        let (ward, smokes) = (["A", "B", "C"][record % 3], record % 7 < 2);
        let cured = (record / 3 + usize::from(smokes)) % 4 > 0;
        let word = |yes: bool| if yes { "yes" } else { "no" };
        let sex = if record % 5 < 2 { "f" } else { "m" };
        writeln!(text, "{ward},{sex},{},{}", word(smokes), word(cured)).expect("text");
    }
    let path = folder.path().join(if change { "other.csv" } else { "people.csv" });
    std::fs::write(&path, text).expect("written");
    Source::files(path.to_string_lossy())
}

fn count(terms: MarginsTerms, source: &Source) -> MarginsData {
    let planned = MarginsPublisher::new(terms).plan(question()).expect("valid");
    planned.check().expect("valid");
    let go_on = |_| ControlFlow::Continue(());
    planned.count(source, None, Randomness::System, &Resources::default(), &go_on).expect("counted")
}

fn experiment(terms: MarginsTerms, seed: u64) -> MarginsDocument {
    let folder = tempfile::tempdir().expect("a folder");
    count(terms, &file(&folder, false)).experiment(seed).expect("drawn")
}

fn contrast(text: &str) -> Contrast {
    text.parse().expect("a comparison")
}

fn reading(text: &str) -> Reading {
    text.parse().expect("a reading")
}

/// If this fails, a release is charged less than it costs, or twice.
#[test]
fn a_release_is_charged_once() {
    let folder = tempfile::tempdir().expect("a folder");
    let source = file(&folder, false);
    let mut ledger = Ledger::create(folder.path().join("a.ledger")).expect("new");
    for (name, delta) in [("own", "1e-6"), ("pure", "0")] {
        let account = NewAccount::new(name, amount("9"), amount(delta));
        ledger.open_account(&account, &now_utc()).expect("new");
    }
    let own = |terms: MarginsTerms, ledger: &mut Ledger| {
        count(terms, &source).charge(Payer::new(ledger, "own")).expect("charged or recalled")
    };
    let asked = terms("2; ward, sex = 5", Adjacency::Replace);
    let (first, paid) = own(asked.clone(), &mut ledger);
    let Payment::ChargedRho { rho, .. } = &paid else { unreachable!("{paid:?}") };
    assert_eq!(Some(rho), first.promise().rho());
    assert!(*rho >= amount("0.01497") && *rho <= amount("0.01498"), "{rho}");
    // The same question in other words, and read in another way.
    let ways = Ways { about: Subject::Records, ..asked.ways };
    let other = MarginsTerms {
        ways,
        readings: vec![reading("cured | ward")],
        ..terms("sex,ward=5;2", Adjacency::Replace)
    };
    let (again, paid) = own(other, &mut ledger);
    assert!(matches!(paid, Payment::Recalled { .. }), "{paid:?}");
    assert_eq!(again.answer().plan(), first.answer().plan());
    assert_eq!((again.answer().readings().len(), first.answer().readings().len()), (1, 4));
    let (_, paid) = own(terms("2", Adjacency::Replace), &mut ledger);
    assert!(matches!(paid, Payment::ChargedRho { .. }), "{paid:?}");
    let refused = count(asked, &source).charge(Payer::new(&mut ledger, "pure"));
    assert!(matches!(refused, Err(PublishError::Ledger(_))), "{refused:?}");
    let protects = count(terms("2", Adjacency::AddRemove), &source).charge(Payer::new(&mut ledger, "own"));
    let (private, paid) = protects.expect("charged");
    let Payment::ChargedRho { rho, .. } = &paid else { unreachable!("{paid:?}") };
    // Replacing a record is removing one and adding another.
    assert_eq!(*rho, private.promise().rho().expect("there").times(4));
    ledger.verify().expect("sound");
    let text = serde_json::to_string(&first).expect("serialises");
    let verdict = verify_document(&text).expect("sound").by_ledger(&ledger).expect("charged");
    assert_eq!((verdict.account.as_str(), verdict.rho.as_ref()), ("own", first.promise().rho()));
    let head = first.provenance().expect("charged").head.clone();
    let entry: u64 = head.split(':').next().and_then(|entry| entry.parse().ok()).expect("a number");
    let stored = ledger.release_at(entry).expect("sound").expect("there");
    let usual = first.with_readings(Ways::new(0.95).expect("level"), vec![], vec![]).expect("read");
    assert_eq!(Publication::recorded(&stored).expect("readable"), [Publication::Margins(Box::new(usual))]);
}

/// If this fails, a document that someone changed is taken for sound, or a sound one is not.
#[test]
fn documents_are_verified() {
    for adjacency in Adjacency::ALL {
        let asked = MarginsTerms {
            readings: vec![reading("cured=yes | ward"), reading("count")],
            ..terms("2", adjacency)
        };
        let folder = tempfile::tempdir().expect("a folder");
        let document = count(asked, &file(&folder, false)).publish().expect("drawn");
        assert_eq!(document.guarantee().kind, Promise::Concentrated);
        let text = serde_json::to_string(&document).expect("serialises");
        let verified = verify_document(&text).expect("sound");
        assert_eq!(*verified.document(), Publication::Margins(Box::new(document.clone())));
        assert_eq!(text.contains("\"n\":6000"), adjacency == Adjacency::Replace);
        let precision = document.answer().plan().precision(3).expect("noise");
        let [mantissa, shift] = [precision.mantissa(), precision.shift()];
        let noise = format!("\"{mantissa}/2^{shift}\"");
        // Less noise than rho pays for.
        let louder = text.replace(&noise, &format!("\"{mantissa}/2^{}\"", shift - 1));
        assert!(matches!(verify_document(&louder), Err(VerificationError::Unreadable { .. })), "{noise}");
        let first = document.drawn_numbers();
        let forged = text.replacen(&first, &format!("1{first}"), 1);
        assert_ne!(forged, text);
        assert!(matches!(verify_document(&forged), Err(VerificationError::Differs { .. })));
        let promised = text.replacen("\"epsilon\":\"1\"", "\"epsilon\":\"1/2\"", 1);
        assert_ne!(promised, text);
        assert!(verify_document(&promised).is_err());
        let private = text.replace("\"private\":true", "\"private\":false");
        assert!(matches!(verify_document(&private), Err(VerificationError::Differs { .. })));
    }
}

/// The numbers of the first single column as a document has them.
trait Numbers {
    fn drawn_numbers(&self) -> String;
}

impl Numbers for MarginsDocument {
    fn drawn_numbers(&self) -> String {
        let value = serde_json::to_value(self).expect("serialises");
        let lines = value["drawn"]["residuals"].as_array().expect("lines");
        let line = lines.iter().filter_map(|line| line.as_str()).find(|line| !line.starts_with('-'));
        format!("\"{}\"", line.expect("a positive number")).replace('"', "")
    }
}

/// If this fails, the draw of two neighbours differs by more than one record, or a private n is told.
#[test]
fn neighbours_with_the_same_seed() {
    for adjacency in Adjacency::ALL {
        let folder = tempfile::tempdir().expect("a folder");
        let draw =
            |change| count(terms("2", adjacency), &file(&folder, change)).experiment(7).expect("drawn");
        let (one, other) = (draw(false), draw(true));
        let plan = one.answer().plan();
        assert_eq!(plan, other.answer().plan());
        let drawn = |document: &MarginsDocument| -> Vec<Vec<i64>> {
            serde_json::to_value(document).expect("serialises")["drawn"]["residuals"]
                .as_array()
                .expect("lines")
                .iter()
                .map(|line| {
                    let numbers = line.as_str().expect("text").split(' ');
                    numbers.map(|number| number.parse().expect("a number")).collect()
                })
                .collect()
        };
        let quiet = usize::from(adjacency == Adjacency::Replace);
        let mut price = 0.0;
        for (line, (a, b)) in drawn(&one).iter().zip(&drawn(&other)).enumerate() {
            let variance = plan.noise_variance(line + quiet).expect("noise").to_f64().value();
            price += a.iter().zip(b).map(|(a, b)| ((a - b) as f64).powi(2)).sum::<f64>() / (2.0 * variance);
        }
        // The same noise cancels, so what is left is what one record changes.
        let most = if quiet == 1 { 1.0 } else { 4.0 };
        assert!(price > 0.0 && price <= most * plan.rho().to_f64().value() * (1.0 + 1e-9), "{price}");
        assert!(!one.is_private() && one.guarantee().statement.contains("seed 7"));
    }
}

/// If this fails, a number is read from the wrong cells.
#[test]
fn readings_are_near_to_the_truth() {
    let cells = |text: &str, adjacency| {
        let document = experiment(terms("3", adjacency), 3);
        document.answer().read(&reading(text)).expect("read").rows
    };
    for adjacency in Adjacency::ALL {
        let near = |text: &str, expected: &[f64], by: f64| {
            let rows = cells(text, adjacency);
            assert_eq!(rows.len(), expected.len(), "{text}");
            for (row, expected) in rows.iter().zip(expected) {
                let estimate = row.estimate.expect("there");
                assert!((estimate - expected).abs() < by, "{text}: {estimate} for {expected}");
                assert!(row.interval[0] <= row.shown() && row.shown() <= row.interval[1]);
            }
        };
        near("ward", &[1.0 / 3.0; 3], 0.02);
        near("sex=f", &[0.4], 0.02);
        near("smokes=yes | sex", &[2.0 / 7.0; 2], 0.05);
        near("ward in {A, B} | smokes, sex", &[2.0 / 3.0; 4], 0.15);
        near("ward=A | ward in {A, B}", &[0.5], 0.02);
        near("count | ward", &[2000.0; 3], 100.0);
        near("count", &[6000.0], 100.0);
    }
    let n = cells("count", Adjacency::Replace);
    assert_eq!(n[0].interval, [6000.0, 6000.0]);
}

/// If this fails, comparisons are of the wrong cells, or are not what both shares say.
#[test]
fn comparisons_are_near_to_the_truth() {
    for adjacency in Adjacency::ALL {
        let document = experiment(terms("2", adjacency), 3);
        let near = |text: &str, expected: f64, by: f64| {
            let found = document.answer().contrast(&contrast(text)).expect("compared");
            let [measured] = &found.measures[..] else { unreachable!("{text}") };
            let estimate = measured.estimate.expect("there");
            assert!((estimate - expected).abs() < by, "{text}: {estimate} for {expected}");
            let [low, high] = measured.interval;
            assert!(low <= estimate && estimate <= high && high - low < 6.0 * by, "{text}: {low} {high}");
            let shares = [found.first, found.second].map(|share| share.expect("there").shown());
            assert!(
                found.probability_larger.is_none() && shares.iter().all(|share| *share > 0.2),
                "{shares:?}"
            );
        };
        near("cured=yes | ward: A - B", 0.0, 0.05);
        near("ward: A / {B, C}", 0.5, 0.05);
        near("sex: m - f", 0.2, 0.04);
        near("smokes=no | sex: odds f / m", 1.0, 0.3);
    }
}

/// Two groups and a score, drawn from a population.
fn population(random: &mut Random, size: usize) -> (String, [[f64; 2]; 2]) {
    let mut text = "group,score\n".to_owned();
    let mut sums = [[0.0; 2]; 2];
    for _ in 0..size {
        let group = usize::from(random.uniform(0.0, 1.0) < 0.3);
        let at = random.uniform(0.0, 1.0);
        let score =
            SCORES.iter().zip(&SUMS[group]).find(|(_, sum)| at < **sum).map_or(9, |(score, _)| *score);
        writeln!(text, "{},{score}", ["a", "b"][group]).expect("text");
        sums[group][0] += score as f64;
        sums[group][1] += 1.0;
    }
    (text, sums)
}

const SCORES: [usize; 4] = [1, 2, 5, 9];

/// The distribution of the score in both groups.
const SUMS: [[f64; 4]; 2] = [[0.1, 0.5, 0.9, 1.0], [0.02, 0.3, 0.6, 1.0]];

/// If this fails, intervals of means or comparisons miss the truth too often. The chance that it fails although all is
/// well is 1e-6.
#[test]
fn means_and_comparisons_hold() {
    let trials = trials(60_u64);
    let mut random = Random::new(77);
    let shares: Vec<[f64; 4]> =
        SUMS.iter().map(|sums| [sums[0], sums[1] - sums[0], sums[2] - sums[1], sums[3] - sums[2]]).collect();
    let [a, b] = [0, 1].map(|group: usize| -> f64 {
        SCORES.iter().zip(&shares[group]).map(|(score, share)| *score as f64 * share).sum()
    });
    let (p, q) = (shares[0][3], shares[1][3]);
    let compared = [("-", p - q), ("/", p / q), ("odds", p / (1.0 - p) / (q / (1.0 - q)))];
    let mut held = [0; 7];
    let planned = MarginsPublisher::new(terms("2", Adjacency::Replace))
        .plan(Question::new(vec![
            Column::new("group", ["a", "b"]),
            Column::new("score", ["1", "2", "5", "9"]),
        ]))
        .expect("valid");
    let folder = tempfile::tempdir().expect("a folder");
    for trial in 0..trials {
        let (text, sums) = population(&mut random, 1500);
        let path = folder.path().join("people.csv");
        std::fs::write(&path, text).expect("written");
        let source = Source::files(path.to_string_lossy());
        let go_on = |_| ControlFlow::Continue(());
        let data = planned.clone().count(&source, None, Randomness::System, &Resources::default(), &go_on);
        let document = data.expect("counted").experiment(trial).expect("drawn");
        let mut note = |place: usize, [low, high]: [f64; 2], truth: f64| {
            held[place] += u64::from(low <= truth && truth <= high);
        };
        for (place, about) in [(0, Subject::Population), (2, Subject::Records)] {
            let ways = Ways { about, ..Ways::new(0.95).expect("level") };
            let read =
                document.with_readings(ways, vec![reading("mean(score) | group")], vec![]).expect("read");
            let rows = &read.answer().readings()[0].rows;
            let own = sums.map(|[sum, count]| sum / count);
            let truths = if about == Subject::Records { own } else { [a, b] };
            (0..2).for_each(|group| note(place + group, rows[group].interval, truths[group]));
        }
        for (place, (sign, truth)) in compared.iter().enumerate() {
            let text = if *sign == "odds" { "odds a / b".to_owned() } else { format!("a {sign} b") };
            let found = document.answer().contrast(&contrast(&format!("score=9 | group: {text}")));
            note(4 + place, found.expect("compared").measures[0].interval, *truth);
        }
    }
    let least = critical_interval(trials, 0.95, 1e-7).low;
    assert!(held.iter().all(|&held| held >= least), "{held:?} of {trials}, at least {least}; seed 77");
}

/// The noise of two columns of two values each: for every number that is drawn, its parameter and what it adds to each
/// cell of the table, row by row.
fn noise_of_two(document: &MarginsDocument) -> Vec<(f64, [f64; 4])> {
    let mut all = Vec::new();
    for (set, precision) in document.answer().drawn().precisions().iter().enumerate() {
        let cells = if set < 2 { 2 } else { 4 };
        let parameter =
            cells as f64 / (f64::from(precision.mantissa()) / f64::from(precision.shift()).exp2());
        for entry in 0..cells {
            let effect = std::array::from_fn(|cell| effect(set, entry, cell));
            all.push((parameter, effect));
        }
    }
    all
}

/// What one drawn number adds to a cell: theorem 1 of docs/proofs/residuals.md, by hand.
fn effect(set: usize, entry: usize, cell: usize) -> f64 {
    let centred = |a: usize, b: usize| if a == b { 0.5 } else { -0.5 };
    let (row, column) = (cell / 2, cell % 2);
    match set {
        0 => centred(row, entry) / 2.0 / 2.0,
        1 => centred(column, entry) / 2.0 / 2.0,
        _ => centred(row, entry / 2) * centred(column, entry % 2) / 4.0,
    }
}

/// The probability that the share of a group within a condition is at most x, and its mean, from every table that there
/// can be.
fn from_every_table(document: &MarginsDocument, group: [bool; 4], condition: [bool; 4], x: f64) -> [f64; 2] {
    let n = document.n().expect("public");
    let noise = noise_of_two(document);
    let numbers = document.answer().drawn().residuals().iter().flatten().map(|&number| number as f64);
    let cells: [f64; 4] = std::array::from_fn(|cell| {
        n as f64 / 4.0
            + noise.iter().zip(numbers.clone()).map(|((_, effect), drawn)| effect[cell] * drawn).sum::<f64>()
    });
    let sum = |of: &[f64; 4], within: [bool; 4]| -> f64 {
        (0..4).filter(|&cell| within[cell]).map(|cell| of[cell]).sum()
    };
    let covariance = |a, b| noise.iter().map(|(v, effect)| v * sum(effect, a) * sum(effect, b)).sum::<f64>();
    let [v, w, c] =
        [covariance(group, group), covariance(condition, condition), covariance(group, condition)];
    let (mut whole, mut below, mut mean) = (0.0, 0.0, 0.0);
    for a in 0..=n {
        for b in 0..=n - a {
            for d in 0..=n - a - b {
                // Under the uniform prior every table of n records is as likely as any other.
                let table = [a, b, d, n - a - b - d].map(|count| count as f64);
                let (in_group, inside) = (sum(&table, group), sum(&table, condition));
                let [e, f] = [sum(&cells, group) - in_group, sum(&cells, condition) - inside];
                let square = if w > 1e-9 {
                    (w * e * e - 2.0 * c * e * f + v * f * f) / (v * w - c * c)
                } else {
                    e * e / v
                };
                let weight = (-0.5 * square).exp();
                let count = |within: [bool; 4]| within.iter().filter(|&&one| one).count() as f64;
                let alpha = count(group) + in_group;
                let beta = count(condition) - count(group) + inside - in_group;
                whole += weight;
                below += weight * posterity_core::special::beta::cdf(x, alpha, beta);
                mean += weight * alpha / (alpha + beta);
            }
        }
    }
    [below / whole, mean / whole]
}

/// A release of a few records with credible intervals.
fn credible_of_few(
    columns: Vec<Column>,
    records: usize,
    record: impl Fn(usize) -> String,
    ask: impl Fn(&mut MarginsTerms),
) -> MarginsDocument {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("few.csv");
    let names: Vec<&str> = columns.iter().map(|column| column.name.as_str()).collect();
    let lines: Vec<String> = [names.join(",")].into_iter().chain((0..records).map(record)).collect();
    std::fs::write(&path, lines.join("\n") + "\n").expect("written");
    let mut terms =
        MarginsTerms::new(Which::all(2), "4".parse().expect("positive"), "1e-9".parse().expect("small"));
    terms.ways.interval = IntervalKind::Credible;
    ask(&mut terms);
    let planned = MarginsPublisher::new(terms).plan(Question::new(columns)).expect("valid");
    let go_on = |_| ControlFlow::Continue(());
    let source = Source::files(path.to_string_lossy());
    let data =
        planned.count(&source, None, Randomness::System, &Resources::default(), &go_on).expect("counted");
    data.experiment(5).expect("drawn")
}

/// If this fails, a credible interval has another probability than it says.
#[test]
fn credible_intervals_are_those_of_every_table() {
    let few = |id: usize| format!("{},{}", ["A", "B"][id % 2], ["yes", "no"][id % 3 / 2]);
    let columns = vec![Column::new("ward", ["A", "B"]), Column::new("cured", ["yes", "no"])];
    let document = credible_of_few(columns, 26, few, |terms| {
        terms.readings =
            vec![reading("cured | ward"), reading("ward in {A, B}, cured=yes"), reading("ward=A, cured=no")];
    });
    let tables = document.answer().readings();
    let [first, second, everything] = [[true, true, false, false], [false, false, true, true], [true; 4]];
    let cell = |one: usize| std::array::from_fn(|cell| cell == one);
    let cases = [
        (0, 0, cell(0), first),
        (0, 1, cell(1), first),
        (0, 3, cell(3), second),
        // A group of two cells, because the reading names both columns.
        (1, 0, [true, false, true, false], everything),
        (2, 0, cell(1), everything),
    ];
    for (table, row, group, condition) in cases {
        let row = &tables[table].rows[row];
        assert_eq!((tables[table].interval, row.interval), (IntervalKind::Credible, row.credible));
        for (end, p) in row.interval.into_iter().zip([0.025, 0.975]) {
            let [below, mean] = from_every_table(&document, group, condition, end);
            assert!((below - p).abs() < 1e-9, "{table} {end}: {below}");
            assert!((row.mean - mean).abs() < 1e-9, "{table}: {mean} {}", row.mean);
        }
    }
    // It is written, read and verified as any document.
    let text = serde_json::to_string(&document).expect("written");
    assert!(text.contains(r#""interval_kind":"credible""#), "{text}");
    verify_document(&text).expect("verified");
}

/// Every way to divide some records into this many cells.
fn tables_of(records: u64, cells: usize) -> Vec<Vec<u64>> {
    if cells == 1 {
        return vec![vec![records]];
    }
    let with = |first: u64| {
        let others = tables_of(records - first, cells - 1).into_iter();
        others.map(move |others| [first].into_iter().chain(others).collect())
    };
    (0..=records).flat_map(with).collect()
}

/// The estimates of the cells of two columns, and the covariances of their noise: theorem 1 of docs/proofs/residuals.md,
/// by hand.
fn cells_of_two(document: &MarginsDocument, sizes: [usize; 2]) -> (Vec<f64>, Vec<Vec<f64>>) {
    let (n, cells) = (document.n().expect("public") as f64, sizes[0] * sizes[1]);
    let (mut estimates, mut covariance) = (vec![n / cells as f64; cells], vec![vec![0.0; cells]; cells]);
    let drawn = document.answer().drawn();
    let sets: [&[usize]; 3] = [&[0], &[1], &[0, 1]];
    for ((set, precision), residual) in sets.iter().zip(drawn.precisions()).zip(drawn.residuals()) {
        let entries: usize = set.iter().map(|&axis| sizes[axis]).product();
        let variance =
            entries as f64 / (f64::from(precision.mantissa()) / f64::from(precision.shift()).exp2());
        for (entry, &number) in residual.iter().enumerate() {
            let effect = |cell: usize| -> f64 {
                let places = [cell / sizes[1], cell % sizes[1]];
                let own = if set.len() == 2 { [entry / sizes[1], entry % sizes[1]] } else { [entry; 2] };
                let of_axis = |axis: usize| {
                    let size = sizes[axis] as f64;
                    let same = f64::from(u8::from(places[axis] == own[axis]));
                    if set.contains(&axis) { (same - 1.0 / size) / size } else { 1.0 / size }
                };
                of_axis(0) * of_axis(1)
            };
            for cell in 0..cells {
                estimates[cell] += effect(cell) * number as f64;
                (0..cells)
                    .for_each(|other| covariance[cell][other] += variance * effect(cell) * effect(other));
            }
        }
    }
    (estimates, covariance)
}

/// `x` with `matrix x = right`, by Gauss.
fn solved(mut matrix: Vec<Vec<f64>>, mut right: Vec<f64>) -> Vec<f64> {
    let size = right.len();
    for pivot in 0..size {
        for row in (0..size).filter(|&row| row != pivot) {
            let factor = matrix[row][pivot] / matrix[pivot][pivot];
            (0..size).for_each(|column| matrix[row][column] -= factor * matrix[pivot][column]);
            right[row] -= factor * right[pivot];
        }
    }
    (0..size).map(|row| right[row] / matrix[row][row]).collect()
}

/// The mean of a function of a Beta variable.
fn over_beta(alpha: f64, beta: f64, of: impl Fn(f64) -> f64) -> f64 {
    const NODES: u32 = 400;
    let node = |place: u32| (f64::from(place) + 0.5) / f64::from(NODES);
    let weight = |x: f64| posterity_core::special::beta::ln_density(x, alpha, beta).exp();
    let sums = (0..NODES).map(node).map(|x| (weight(x), weight(x) * of(x)));
    let (whole, part) = sums.fold((0.0, 0.0), |(a, b), (c, d)| (a + c, b + d));
    part / whole
}

/// The probability that something of some cells is at most a number, from every table that there can be: `given` has it
/// from the counts of these cells. What is known is their estimates.
fn of_every_table(
    document: &MarginsDocument,
    sizes: [usize; 2],
    known: &[usize],
    given: impl Fn(&[f64]) -> f64,
) -> f64 {
    let (estimates, covariance) = cells_of_two(document, sizes);
    let covariance: Vec<Vec<f64>> =
        known.iter().map(|&a| known.iter().map(|&b| covariance[a][b]).collect()).collect();
    let mut weights: std::collections::BTreeMap<Vec<u64>, f64> = std::collections::BTreeMap::new();
    for table in tables_of(document.n().expect("public"), sizes[0] * sizes[1]) {
        let counts: Vec<u64> = known.iter().map(|&cell| table[cell]).collect();
        // Under the uniform prior every table is as likely as any other.
        *weights.entry(counts).or_default() += 1.0;
    }
    let (mut whole, mut below) = (0.0, 0.0);
    for (counts, tables) in weights {
        let counts: Vec<f64> = counts.into_iter().map(|count| count as f64).collect();
        let away: Vec<f64> =
            known.iter().zip(&counts).map(|(&cell, count)| estimates[cell] - count).collect();
        let pull = solved(covariance.clone(), away.clone());
        let square: f64 = away.iter().zip(pull).map(|(a, b)| a * b).sum();
        let weight = tables * (-0.5 * square).exp();
        // What weighs nothing need not be known.
        if weight > 1e-9 {
            below += weight * given(&counts);
        }
        whole += weight;
    }
    below / whole
}

/// Both ends are where they should be, up to five of their standard errors.
fn ends_are_quantiles(ends: [f64; 2], error: f64, below: impl Fn(f64) -> f64) {
    assert!(error > 0.0 && error < 0.03 * (ends[1] - ends[0]), "{error} {ends:?}");
    for (end, p) in ends.into_iter().zip([0.025, 0.975]) {
        let [low, high] = [end - 5.0 * error, end + 5.0 * error].map(&below);
        assert!(low <= p && p <= high, "{end} +- {error}: {low} {high} around {p}");
    }
}

/// If this fails, the credible interval of a comparison has another probability than it says.
#[test]
fn credible_comparisons_are_those_of_every_table() {
    let few = |id: usize| format!("{},{}", ["A", "B"][id % 2], ["yes", "no"][id % 3 / 2]);
    let columns = vec![Column::new("ward", ["A", "B"]), Column::new("cured", ["yes", "no"])];
    let document = credible_of_few(columns, 16, few, |terms| {
        terms.comparisons =
            vec![contrast("cured=yes | ward: A - B"), contrast("cured=yes | ward: odds A / B")];
    });
    let [difference, odds] = document.answer().comparisons().try_into().expect("two");
    // The share of B is at most x less than that of A.
    let below = |least: &dyn Fn(f64) -> f64| {
        of_every_table(&document, [2, 2], &[0, 1, 2], |counts| {
            let last = 16.0 - counts.iter().sum::<f64>();
            over_beta(1.0 + counts[2], 1.0 + last, |b| {
                posterity_core::special::beta::cdf(least(b).clamp(0.0, 1.0), 1.0 + counts[0], 1.0 + counts[1])
            })
        })
    };
    let measured = &difference.measures[0];
    assert_eq!(measured.interval, measured.credible);
    assert!(measured.confidence.is_some() && difference.probability_larger.is_some());
    ends_are_quantiles(measured.interval, measured.error, |x| below(&|b| x + b));
    let larger = 1.0 - below(&|b| b);
    assert!(
        (difference.probability_larger.expect("drawn") - larger).abs() < 5.0 * difference.error,
        "{larger}"
    );
    let measured = &odds.measures[0];
    let [low, high] = measured.interval.map(|end| below(&|b| end * b / (1.0 - b + end * b)));
    assert!((low - 0.025).abs() < 0.004 && (high - 0.975).abs() < 0.004, "{low} {high}");
    // The sides are those of readings.
    let read = document.answer().read(&reading("cured=yes | ward=A")).expect("read");
    assert_eq!(difference.first.expect("a side").credible, read.rows[0].credible);
    let text = serde_json::to_string(&document).expect("written");
    verify_document(&text).expect("verified");
}

/// If this fails, the credible interval of a mean has another probability than it says.
#[test]
fn credible_means_are_those_of_every_table() {
    let few = |id: usize| format!("{},{}", ["A", "B"][id % 2], [0, 1, 3][id % 5 % 3]);
    let columns = || vec![Column::new("ward", ["A", "B"]), Column::new("score", ["0", "1", "3"])];
    let document = credible_of_few(columns(), 16, few, |terms| {
        terms.readings = vec![reading("mean(score) | ward"), reading("mean(score)")];
    });
    let [within, _] = document.answer().readings().try_into().expect("two");
    assert!(within.draws.is_some() && within.seed.is_some());
    for (row, known) in within.rows.iter().zip([[0, 1, 2], [3, 4, 5]]) {
        assert_eq!(row.interval, row.credible);
        // The mean is at most x: of the shares b of 3 and (1 - b) q of 1, `3 b + (1 - b) q <= x`.
        ends_are_quantiles(row.interval, within.error, |x| {
            of_every_table(&document, [2, 3], &known, |counts| {
                over_beta(1.0 + counts[2], 2.0 + counts[0] + counts[1], |b| {
                    let most = ((x - 3.0 * b) / (1.0 - b)).clamp(0.0, 1.0);
                    posterity_core::special::beta::cdf(most, 1.0 + counts[1], 1.0 + counts[0])
                })
            })
        });
    }
    // The shortest interval is no longer.
    let ways = Ways { interval: IntervalKind::Shortest, ..document.answer().asked().terms().ways };
    let shortest =
        document.with_readings(ways, vec![reading("mean(score) | ward")], Vec::new()).expect("read");
    for (a, b) in shortest.answer().readings()[0].rows.iter().zip(&within.rows) {
        assert!(a.interval[1] - a.interval[0] <= b.interval[1] - b.interval[0]);
    }
}

/// If this fails, the distribution of a number is not that of which its credible interval is, or its density, distribution
/// function, mean and variance belong to different laws.
#[test]
fn posteriors_are_those_of_credible_intervals() {
    let usual = terms("2", Adjacency::Replace);
    let ways = Ways { interval: IntervalKind::Credible, level: 0.9, ..usual.ways };
    for adjacency in [Adjacency::Replace, Adjacency::AddRemove] {
        let document = experiment(MarginsTerms { ways, ..terms("2", adjacency) }, 5);
        for text in ["cured | ward", "ward", "cured=yes | ward=B", "ward in {A, B, C}"] {
            let (table, laws) = (
                document.answer().read(&reading(text)).expect(text),
                document.answer().posteriors(&reading(text)),
            );
            let laws = laws.expect(text);
            assert_eq!(table.rows.len(), laws.len(), "{text}");
            for (row, law) in table.rows.iter().zip(&laws) {
                assert_eq!((&row.given, &row.cell), (law.given(), law.cell()));
                assert!((law.mean() - row.mean).abs() < 1e-9, "{text}");
                for (end, p) in row.interval.iter().zip([0.05, 0.95]) {
                    assert!((law.quantile(p) - end).abs() < 1e-9, "{text} {p}: {} {end}", law.quantile(p));
                }
            }
        }
        let law = &document.answer().posteriors(&reading("cured=yes | ward=B")).expect("one")[0];
        let steps = 2_000;
        let (mut mass, mut mean, mut square) = (0.0, 0.0, 0.0);
        for step in 0..steps {
            let x = (f64::from(step) + 0.5) / f64::from(steps);
            let weight = law.density(x).expect("exact") / f64::from(steps);
            mass += weight;
            mean += x * weight;
            square += x * x * weight;
            if step % 97 == 0 {
                // The middle of a step holds half of its weight.
                assert!((law.cdf(x) - (mass - 0.5 * weight)).abs() < 2e-4, "{x}");
            }
        }
        assert!((mass - 1.0).abs() < 1e-6 && (mean - law.mean()).abs() < 1e-6, "{mass} {mean}");
        assert!((square - mean * mean - law.variance()).abs() < 1e-6);
        let whole = document.answer().posteriors(&reading("ward in {A, B, C}")).expect("all");
        assert_eq!((whole[0].mean(), whole[0].variance(), whole[0].density(0.5)), (1.0, 0.0, None));
        let refused = document.answer().posteriors(&reading("count"));
        assert!(matches!(refused, Err(ReadingError::CountSample)), "{refused:?}");
        let apart = document.answer().posteriors(&reading("cured | ward, sex"));
        assert!(matches!(apart, Err(ReadingError::NotTogether { .. })), "{apart:?}");
    }
}

/// If this fails, a mean of two numbers differs from the share that it is.
#[test]
fn a_credible_mean_of_two_numbers_is_a_share() {
    let few = |id: usize| format!("{},{}", ["A", "B"][id % 2], [2, 7][id % 3 / 2]);
    let columns = vec![Column::new("ward", ["A", "B"]), Column::new("score", ["7", "2"])];
    let document = credible_of_few(columns, 26, few, |terms| {
        terms.readings = vec![reading("mean(score) | ward"), reading("score=7 | ward")];
    });
    let [mean, share] = document.answer().readings().try_into().expect("two");
    assert_eq!((mean.draws, mean.error), (None, 0.0));
    for (mean, share) in mean.rows.iter().zip(&share.rows) {
        for (end, of_share) in mean.interval.into_iter().zip(share.interval) {
            assert!((end - (2.0 + 5.0 * of_share)).abs() < 1e-12);
        }
        assert_eq!(mean.mostly_prior, share.mostly_prior);
    }
    let laws = document.answer().posteriors(&mean.reading).expect("shares");
    let tail = 0.5 * (1.0 - mean.level);
    for (row, law) in mean.rows.iter().zip(&laws) {
        assert!((law.quantile(tail) - row.interval[0]).abs() < 1e-9 && !law.is_drawn());
        assert!((law.quantile(1.0 - tail) - row.interval[1]).abs() < 1e-9);
    }
}

#[test]
fn rejects() {
    let refused = |terms: MarginsTerms, question: Question| {
        MarginsPublisher::new(terms).plan(question).expect_err("refused")
    };
    let asked = || terms("2", Adjacency::Replace);
    let margins = |error| PublishError::Margins(error);
    let none = MarginsTerms { delta: Amount::ZERO, ..asked() };
    assert_eq!(refused(none, question()), margins(MarginsError::Delta));
    let within = Question { within: Some("sex = 'f'".into()), ..question() };
    assert_eq!(refused(asked(), within), margins(MarginsError::Unused { what: "a private filter" }));
    let several =
        Question { unit: Some("id".into()), per_unit: "all 3".parse().expect("a rule"), ..question() };
    assert_eq!(refused(terms("2", Adjacency::AddRemove), several), margins(MarginsError::SeveralRecords));
    let kind = |interval: IntervalKind, read: &str, compare: &str| {
        let ways = Ways { interval, ..asked().ways };
        let readings = [read].iter().filter(|text| !text.is_empty()).map(|text| reading(text)).collect();
        let comparisons =
            [compare].iter().filter(|text| !text.is_empty()).map(|text| contrast(text)).collect();
        MarginsTerms { ways, readings, comparisons, ..asked() }
    };
    for (interval, read, compare) in [
        (IntervalKind::Credible, "count | ward", ""),
        (IntervalKind::Shortest, "count", "cured=yes | ward: A - B"),
    ] {
        let terms = kind(interval, read, compare);
        assert_eq!(refused(terms, question()), margins(ReadingError::NoCredible.into()), "{read}");
    }
    for interval in [IntervalKind::Credible, IntervalKind::Shortest] {
        let terms = kind(interval, "cured", "cured=yes | ward: A - B");
        assert!(MarginsPublisher::new(terms).plan(question()).is_ok());
    }
    let ways = Ways { about: Subject::Records, ..asked().ways };
    let random = Question { unit: Some("id".into()), per_unit: PerUnit::Random, ..question() };
    assert_eq!(
        refused(MarginsTerms { ways, ..asked() }, random),
        margins(ReadingError::RandomRecords.into())
    );
    let read = |text: &str| MarginsTerms {
        readings: vec![reading(text)],
        ..terms("ward,sex; smokes,cured", Adjacency::Replace)
    };
    let together = refused(read("sex | ward, cured"), question());
    assert_eq!(
        together.to_string(),
        "no released table has ward, sex, cured together; those nearest to it are of ward, sex / smokes, cured. Read within one of \
         them, or name the set in a new release"
    );
    assert!(matches!(
        refused(read("mean(sex)"), question()),
        PublishError::Margins(MarginsError::Reading(ReadingError::NotNumeric { .. }))
    ));
    let compare =
        |text: &str| MarginsTerms { comparisons: vec![contrast(text)], ..terms("2", Adjacency::Replace) };
    assert_eq!(
        refused(compare("independence(sex, ward)"), question()),
        margins(ReadingError::NoIndependence.into())
    );
    assert!(matches!(
        refused(compare("cured=yes | ward, sex: (A, f) - (A, m)"), question()),
        PublishError::Margins(MarginsError::Reading(ReadingError::NotTogether { .. }))
    ));
    assert!(matches!(
        refused(read("age"), question()),
        PublishError::Margins(MarginsError::Reading(ReadingError::UnknownColumn { .. }))
    ));
    assert!(matches!(
        refused(read("sex=x"), question()),
        PublishError::Margins(MarginsError::Reading(ReadingError::UnknownValue { .. }))
    ));
}

/// If this fails, rows have undeclared values, or their tables are far from the release.
#[test]
fn rows_follow_from_the_document() {
    let document = experiment(terms("2", Adjacency::Replace), 5);
    let go_on = |_| ControlFlow::Continue(());
    let rows = document.rows(None, 1, &go_on).expect("fitted");
    assert_eq!(
        (rows.len(), rows.names().collect::<Vec<_>>()),
        (6000, vec!["ward", "sex", "smokes", "cured", "private"])
    );
    // It is an experiment, and rows are read without the release.
    assert!((0..rows.len()).all(|row| rows.row(row).last() == Some("false")));
    let women = (0..rows.len()).filter(|&row| rows.row(row).nth(1) == Some("f")).count();
    assert!(women.abs_diff(2400) < 120, "{women}");
    assert!(rows.distances().all(|(_, l1, _)| l1 < 0.1) && rows.distances().count() == 10);
    assert_eq!(document.rows(Some(10), 1, &go_on).expect("fitted").len(), 10);
    assert!(document.rows(Some(0), 1, &go_on).is_err());
}
