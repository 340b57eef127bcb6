//! Tables of many columns: what is charged, recalled, read and promised.

use std::fmt::Write as _;
use std::ops::ControlFlow;

use posterity::data::{Column, PerUnit, Question, Resources, Source};
use posterity::document::Promise;
use posterity::ledger::{NewAccount, now_utc};
use posterity::table::{IntervalKind, Subject, Ways};
use posterity::{
    Adjacency, Amount, Contrast, Kind, Ledger, MarginsData, MarginsDocument, MarginsError, MarginsPublisher,
    MarginsTerms, Payer, Payment, Publication, PublishError, Randomness, Reading, ReadingError,
    VerificationError, Which, verify_document,
};
use posterity_testkit::{Random, critical_interval};

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
    const TRIALS: u64 = 120;
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
    for trial in 0..TRIALS {
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
    let least = critical_interval(TRIALS, 0.95, 1e-7).low;
    assert!(held.iter().all(|&held| held >= least), "{held:?} of {TRIALS}, at least {least}; seed 77");
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

/// If this fails, a credible interval has another probability than it says.
#[test]
fn credible_intervals_are_those_of_every_table() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("few.csv");
    let few: String =
        (0..26).map(|id| format!("{},{}\n", ["A", "B"][id % 2], ["yes", "no"][id % 3 / 2])).collect();
    std::fs::write(&path, format!("ward,cured\n{few}")).expect("written");
    let source = Source::files(path.to_string_lossy());
    let columns = vec![Column::new("ward", ["A", "B"]), Column::new("cured", ["yes", "no"])];
    let mut terms =
        MarginsTerms::new(Which::all(2), "4".parse().expect("positive"), "1e-9".parse().expect("small"));
    terms.ways.interval = IntervalKind::Credible;
    terms.readings =
        vec![reading("cured | ward"), reading("ward in {A, B}, cured=yes"), reading("ward=A, cured=no")];
    let planned = MarginsPublisher::new(terms).plan(Question::new(columns)).expect("valid");
    let go_on = |_| ControlFlow::Continue(());
    let data =
        planned.count(&source, None, Randomness::System, &Resources::default(), &go_on).expect("counted");
    let document = data.experiment(5).expect("drawn");
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
    assert!(text.contains(r#""interval":"credible""#), "{text}");
    verify_document(&text).expect("verified");
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
        (IntervalKind::Credible, "cured", "cured=yes | ward: A - B"),
        (IntervalKind::Shortest, "cured", ""),
    ] {
        let terms = kind(interval, read, compare);
        assert_eq!(refused(terms, question()), margins(ReadingError::NoCredible.into()), "{read}");
    }
    assert!(MarginsPublisher::new(kind(IntervalKind::Credible, "cured", "")).plan(question()).is_ok());
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
        (6000, vec!["ward", "sex", "smokes", "cured"])
    );
    let women = (0..rows.len()).filter(|&row| rows.row(row).nth(1) == Some("f")).count();
    assert!(women.abs_diff(2400) < 120, "{women}");
    assert!(rows.distances().all(|(_, l1, _)| l1 < 0.1) && rows.distances().count() == 10);
    assert_eq!(document.rows(Some(10), 1, &go_on).expect("fitted").len(), 10);
    assert!(document.rows(Some(0), 1, &go_on).is_err());
}
