//! A query answers as this machine does: random questions about random records.

use std::fmt::Debug;
use std::fs::File;
use std::sync::Arc;

use cluster_tests::{Scratch, here, margins_here, margins_within, within};
use posterity_count::datafusion::arrow::array::{
    ArrayRef, BooleanArray, Decimal128Array, Int8Array, Int64Array, RecordBatch, StringArray, UInt64Array,
};
use posterity_count::datafusion::parquet::arrow::ArrowWriter;
use posterity_count::datafusion::parquet::file::properties::WriterProperties;
use posterity_count::datafusion::prelude::{SessionConfig, SessionContext};
use posterity_count::{Adjacency, Bins, Column, DataError, FilterError, PerUnit, Question, Source};
use posterity_testkit::Random;

const SEED: u64 = 7;
const CASES: usize = 600;

/// How many cases ended in which way.
#[derive(Debug, Default)]
struct Outcomes {
    /// The same counts.
    counts: usize,
    /// The same error about the data.
    errors: usize,
    /// Nothing left to count, in both.
    nothing: usize,
    /// The query cannot be asked this, or nobody can.
    refused: usize,
}

impl Outcomes {
    /// Compares what this machine and a query say.
    fn compare<T: PartialEq + Debug>(
        &mut self,
        local: Result<T, DataError>,
        queried: Result<T, DataError>,
        told: &str,
    ) {
        match (local, queried) {
            (
                _,
                Err(
                    DataError::Filter { error: FilterError::Forbidden { .. }, .. }
                    | DataError::Within { error: FilterError::Forbidden { .. }, .. }
                    | DataError::ClusterNumber { .. }
                    | DataError::ClusterAdjacency { .. }
                    | DataError::ClusterWithin { .. },
                ),
            ) => self.refused += 1,
            // Which of several records at fault is told depends on the order in which they are looked at.
            (Err(DataError::Filter { error: left, .. }), Err(DataError::Filter { error: right, .. }))
                if left.is_about_a_record() && right.is_about_a_record() =>
            {
                self.errors += 1;
            }
            (local, queried) => {
                assert_eq!(queried, local, "{told}");
                match local {
                    Ok(_) => self.counts += 1,
                    Err(DataError::NoRecords) => self.nothing += 1,
                    Err(DataError::Filter { error, .. } | DataError::Within { error, .. })
                        if !error.is_about_a_record() =>
                    {
                        self.refused += 1;
                    }
                    Err(_) => self.errors += 1,
                }
            }
        }
    }
}

#[test]
fn a_query_answers_as_this_machine_does() {
    let outcomes = answered(Adjacency::Replace);
    // Otherwise little was compared.
    assert!(outcomes.counts > CASES / 4, "{outcomes:?}");
    assert!(outcomes.errors > CASES / 10, "{outcomes:?}");
    assert!(outcomes.refused < CASES / 3, "{outcomes:?}");
}

/// The same where n is private: no record makes a query fail.
#[test]
fn a_query_leaves_out_the_same_records() {
    let outcomes = answered(Adjacency::AddRemove);
    assert!(outcomes.counts > CASES / 4, "{outcomes:?}");
    assert_eq!(outcomes.errors, 0, "{outcomes:?}");
}

/// Asks this machine and a query the same random questions.
fn answered(adjacency: Adjacency) -> Outcomes {
    let mut random = Random::new(SEED);
    let scratch = Scratch::new();
    let sessions = sessions();
    let mut outcomes = Outcomes::default();
    for case in 0..CASES {
        let records = Records::draw(&mut random);
        let csv = adjacency.is_replace() && case % 2 == 0;
        let source = if csv { records.csv(&scratch) } else { records.parquet(&scratch) };
        let question = Question { adjacency, ..question(&mut random) };
        let told = format!("seed {SEED}, case {case}: {question:?} of {records:?}");
        let queried = within(&sessions[case % 3], &source, &question);
        outcomes.compare(here(&source, &question), queried, &told);
    }
    println!("{outcomes:?}");
    outcomes
}

/// Tables over sets of columns, with a public and a private n, with and without units.
#[test]
fn a_query_counts_the_same_tables() {
    let mut random = Random::new(SEED);
    let scratch = Scratch::new();
    let sessions = sessions();
    let mut outcomes = Outcomes::default();
    for case in 0..CASES / 2 {
        let records = Records::draw(&mut random);
        let private = random.below(2) == 0;
        let source = if private || case % 2 == 0 { records.parquet(&scratch) } else { records.csv(&scratch) };
        let (question, sets) = wide_question(&mut random, private);
        let told = format!("seed {SEED}, case {case}: {sets:?} of {question:?} of {records:?}");
        let queried = margins_within(&sessions[case % 3], &source, &question, &sets)
            .map(|counted| (counted.tables, counted.n));
        let local = margins_here(&source, &question, &sets).map(|counted| (counted.tables, counted.n));
        outcomes.compare(local, queried, &told);
    }
    println!("{outcomes:?}");
    assert!(outcomes.counts > CASES / 4, "{outcomes:?}");
    assert!(outcomes.errors > CASES / 40, "{outcomes:?}");
}

/// Sessions that plan differently.
fn sessions() -> [SessionContext; 3] {
    [SessionConfig::new(), pushing(false), pushing(true)].map(SessionContext::new_with_config)
}

/// Settings by which the engine filters early and in an order of its own.
fn pushing(reorder: bool) -> SessionConfig {
    let mut config = SessionConfig::new().with_target_partitions(2).with_batch_size(4);
    config.options_mut().execution.parquet.pushdown_filters = true;
    config.options_mut().execution.parquet.reorder_filters = reorder;
    config
}

/// The records of a table; the text of a missing value is empty.
#[derive(Debug)]
struct Records {
    kind: Vec<&'static str>,
    who: Vec<&'static str>,
    text: Vec<&'static str>,
    number: Vec<&'static str>,
    tiny: Vec<Option<i8>>,
    whole: Vec<Option<i64>>,
    large: Vec<Option<u64>>,
    money: Vec<Option<i128>>,
    flag: Vec<Option<bool>>,
}

const WORDS: &[&str] = &["a", "b", "ab", "Ab", "ä", "50%", "a_b", "a\\b", "true", "5", "x y"];
const NUMBERS: &[&str] =
    &["5", "-3.50", "007", "+5.", ".5", "-.25", "0", "30.5", "1000000", "99999999999999999999.125"];
const TRUTHS: &[&str] = &["true", "false"];

impl Records {
    fn draw(random: &mut Random) -> Self {
        let rows = 1 + random.below(12) as usize;
        let mixed: Vec<&'static str> = [WORDS, NUMBERS, TRUTHS, &["1e2", "1e500"]].concat();
        let pool: &[&'static str] = match random.below(5) {
            0 => WORDS,
            1 => TRUTHS,
            2 => &mixed,
            _ => NUMBERS,
        };
        let missing = random.below(3);
        let there = |random: &mut Random| missing == 0 || random.below(5) > 0;
        let pick = |from: &[&'static str], random: &mut Random| {
            if there(random) { from[random.below(from.len() as u64) as usize] } else { "" }
        };
        let column = |random: &mut Random, pick: &mut dyn FnMut(&mut Random) -> &'static str| {
            (0..rows).map(|_| pick(random)).collect::<Vec<_>>()
        };
        let kind = column(random, &mut |random| ["yes", "no"][random.below(2) as usize]);
        let who = column(random, &mut |random| ["p", "q", "r"][random.below(3) as usize]);
        let text = column(random, &mut |random| pick(pool, random));
        let number = column(random, &mut |random| pick(NUMBERS, random));
        let mut optional = |draw: &mut dyn FnMut(&mut Random) -> i128| -> Vec<Option<i128>> {
            (0..rows).map(|_| there(random).then(|| draw(random))).collect()
        };
        let tiny = optional(&mut |random| i128::from(random.below(256) as u8 as i8));
        let mut whole = optional(&mut |random| random.below(60) as i128 - 10);
        // Groups of rows without a match can be left out.
        whole.sort();
        let large = optional(&mut |random| {
            [0, 5, i128::from(i64::MAX), i128::from(u64::MAX)][random.below(4) as usize]
        });
        let money = optional(&mut |random| random.below(10_000) as i128 - 2_000);
        let flag = optional(&mut |random| random.below(2) as i128);
        Self {
            kind,
            who,
            text,
            number,
            tiny: tiny.into_iter().map(|value| value.map(|value| value as i8)).collect(),
            whole: whole.into_iter().map(|value| value.map(|value| value as i64)).collect(),
            large: large.into_iter().map(|value| value.map(|value| value as u64)).collect(),
            money,
            flag: flag.into_iter().map(|value| value.map(|value| value == 1)).collect(),
        }
    }

    fn csv(&self, scratch: &Scratch) -> Source {
        fn shown<T: ToString>(value: &Option<T>) -> String {
            value.as_ref().map(ToString::to_string).unwrap_or_default()
        }
        let mut text = String::from("kind,who,text,number,tiny,whole,large,money,flag\n");
        for row in 0..self.kind.len() {
            let money = self.money[row].map(|cents| {
                format!("{}{}.{:02}", if cents < 0 { "-" } else { "" }, cents.abs() / 100, cents.abs() % 100)
            });
            let fields = [
                self.kind[row].to_owned(),
                self.who[row].to_owned(),
                self.text[row].to_owned(),
                self.number[row].to_owned(),
                shown(&self.tiny[row]),
                shown(&self.whole[row]),
                shown(&self.large[row]),
                shown(&money),
                shown(&self.flag[row]),
            ];
            text.push_str(&fields.join(","));
            text.push('\n');
        }
        scratch.write("a.csv", text)
    }

    /// In groups of three rows.
    fn parquet(&self, scratch: &Scratch) -> Source {
        let texts = |values: &[&'static str]| -> ArrayRef {
            Arc::new(StringArray::from_iter(values.iter().map(|value| (!value.is_empty()).then_some(*value))))
        };
        let money = Decimal128Array::from(self.money.clone()).with_precision_and_scale(9, 2).expect("fits");
        let columns: Vec<(&str, ArrayRef)> = vec![
            ("kind", texts(&self.kind)),
            ("who", texts(&self.who)),
            ("text", texts(&self.text)),
            ("number", texts(&self.number)),
            ("tiny", Arc::new(Int8Array::from(self.tiny.clone()))),
            ("whole", Arc::new(Int64Array::from(self.whole.clone()))),
            ("large", Arc::new(UInt64Array::from(self.large.clone()))),
            ("money", Arc::new(money)),
            ("flag", Arc::new(BooleanArray::from(self.flag.clone()))),
        ];
        let columns = columns.into_iter().map(|(name, array)| (name, array, true));
        let batch = RecordBatch::try_from_iter_with_nullable(columns).expect("a batch");
        let properties = WriterProperties::builder().set_max_row_group_row_count(Some(3)).build();
        let file = File::create(scratch.path("a.parquet")).expect("a file");
        let mut writer = ArrowWriter::try_new(file, batch.schema(), Some(properties)).expect("a writer");
        writer.write(&batch).expect("written");
        writer.close().expect("written");
        scratch.source("a.parquet")
    }
}

/// Several columns, and some sets of them.
fn wide_question(random: &mut Random, private: bool) -> (Question, Vec<Vec<usize>>) {
    let bins = |edges: &[&str]| Bins::new(edges).expect("valid");
    let number = if random.below(2) == 0 { "whole" } else { "tiny" };
    let mut columns = vec![
        Column::new("kind", ["yes", "no"]),
        Column::new("who", ["r", "p", "q"]),
        Column::binned(number, bins(&["-128", "0", "20.5", "200"])),
        Column::new("flag", ["false", "true"]),
        Column::new("large", ["0", "5"]),
    ];
    columns.truncate(2 + random.below(4) as usize);
    let forgiving = random.below(3) > 0;
    let extra =
        |random: &mut Random, name: &str| (forgiving || random.below(3) == 0).then(|| name.to_owned());
    for column in &mut columns {
        (column.other, column.missing) = (extra(random, "rest"), extra(random, "none"));
    }
    let all = columns.len();
    let mut sets: Vec<Vec<usize>> = (0..1_usize << all)
        .map(|chosen| (0..all).filter(|column| chosen >> column & 1 == 1).collect())
        .filter(|set: &Vec<usize>| set.len() <= 3)
        .collect();
    sets.retain(|_| random.below(2) == 0);
    let question = Question {
        filter: (random.below(3) == 0).then(|| condition(random, 1)),
        unit: (random.below(2) == 0).then(|| "who".to_owned()),
        per_unit: PerUnit::First,
        adjacency: if private { Adjacency::AddRemove } else { Adjacency::Replace },
        ..Question::new(columns)
    };
    (question, sets)
}

fn question(random: &mut Random) -> Question {
    let bins = |edges: &[&str]| Bins::new(edges).expect("valid");
    let column = match random.below(8) {
        0 => Column::binned("number", bins(&["-1000", "0", "5.0", "30.5", "1e30"])),
        1 => Column::binned("text", bins(&["0", "0.5", "100"])),
        2 => Column::binned("money", bins(&["-20.005", "0", "9.99", "80"])),
        3 => Column::binned("whole", bins(&["-10", "0.5", "20", "50"])),
        4 => Column::binned("large", bins(&["0", "6", "1e300"])),
        _ => Column::new("kind", ["yes", "no"]),
    };
    let some = |random: &mut Random, name: &str| (random.below(2) == 0).then(|| name.to_owned());
    let column = Column { other: some(random, "rest"), missing: some(random, "none"), ..column };
    Question {
        filter: (random.below(8) > 0).then(|| condition(random, 2)),
        within: (random.below(4) == 0).then(|| condition(random, 1)),
        unit: some(random, "who"),
        per_unit: PerUnit::First,
        ..Question::new(vec![column])
    }
}

fn one<'a>(random: &mut Random, of: &[&'a str]) -> &'a str {
    of[random.below(of.len() as u64) as usize]
}

fn condition(random: &mut Random, depth: usize) -> String {
    let deeper = |random: &mut Random| condition(random, depth - 1);
    if depth > 0 && random.below(3) > 0 {
        return match random.below(6) {
            0 | 1 => format!("({} AND {})", deeper(random), deeper(random)),
            2 | 3 => format!("({} OR {})", deeper(random), deeper(random)),
            4 => format!("(NOT {})", deeper(random)),
            _ => {
                format!("({} IS {})", deeper(random), one(random, &["NULL", "TRUE", "NOT FALSE", "NOT NULL"]))
            }
        };
    }
    let compared = ["=", "<>", "<", "<=", ">", ">="];
    let numbers =
        ["0", "5", "30.5", "-3.5", "0.005", "1e30", "-1e80", "127", "200", "18446744073709551615", "2 * 15"];
    let texts = ["'a'", "'ab'", "'5'", "'true'", "'ä'", "''"];
    let numeric = ["number", "tiny", "whole", "large", "money", "number", "whole", "text"];
    let not = one(random, &["", "NOT "]);
    match random.below(16) {
        0..=3 => format!("{} {} {}", one(random, &numeric), one(random, &compared), one(random, &numbers)),
        4 => format!("{} {} {}", one(random, &numbers), one(random, &compared), one(random, &numeric)),
        5 => format!("TEXT(text) {} {}", one(random, &compared), one(random, &texts)),
        6 => {
            let (low, high) = (one(random, &numbers), one(random, &[&numbers[..], &["NULL"]].concat()));
            format!("{} {not}BETWEEN {low} AND {high}", one(random, &numeric))
        }
        7 => {
            let items = [one(random, &numbers), one(random, &numbers), one(random, &["1", "NULL"])];
            format!("{} {not}IN ({})", one(random, &numeric), items.join(", "))
        }
        8 => {
            let column = one(random, &["text", "TEXT(text)", "TEXT(number)"]);
            format!("{column} {not}IN ({}, {})", one(random, &texts), one(random, &texts))
        }
        9 => {
            let pattern = one(
                random,
                &[
                    "'a%'",
                    "'%b'",
                    "'_'",
                    "'%'",
                    "'50!%' ESCAPE '!'",
                    "'a\\b'",
                    "'a\\_b'",
                    "'%\\%'",
                    "'a!_b' ESCAPE '!'",
                    "''",
                ],
            );
            format!("TEXT(text) {not}LIKE {pattern}")
        }
        10 => format!("{} IS {not}NULL", one(random, &["text", "whole", "money", "flag", "who"])),
        11 => one(random, &["flag", "text"]).to_owned(),
        12 => {
            let truth = one(random, &["TRUE", "FALSE"]);
            format!("{} {} {truth}", one(random, &["flag", "flag", "text"]), one(random, &compared))
        }
        13 => {
            let compared = one(random, &compared);
            let column = if matches!(compared, "=" | "<>") { "who" } else { "TEXT(who)" };
            format!("{column} {compared} {}", one(random, &["'p'", "'q'", "'z'"]))
        }
        14 => one(random, &["TRUE", "FALSE", "NULL = 1", "1 < 2", "kind = 'yes'"]).to_owned(),
        _ => {
            let refused = [
                "whole + 1 > 3",
                "whole < tiny",
                "flag = 'true'",
                "money > number",
                "text < 'b'",
                "text = '5'",
            ];
            one(random, &refused).to_owned()
        }
    }
}
