//! Tables and questions drawn at random, for every engine.

use std::collections::BTreeMap;

use posterity_count::{Adjacency, Bins, Column, PerUnit, Question, SqlSource, Stored};
use rusqlite::types::Value as Cell;

/// A stream of small numbers (Marsaglia 2003, "Xorshift RNGs").
pub(crate) struct Draws(u64);

impl Draws {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub(crate) fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        ((self.0 >> 16) % bound as u64) as usize
    }

    fn one_of<T: Clone>(&mut self, of: &[T]) -> T {
        of[self.below(of.len())].clone()
    }
}

/// A table: text, whole numbers, numbers, a unit and an order, each with missing values.
pub(crate) struct Table {
    pub(crate) columns: Vec<&'static str>,
    pub(crate) rows: Vec<Vec<Cell>>,
}

const WORDS: [&str; 9] = ["a", "b", "A", "a ", "ä", "a\u{308}", "", "x'y", "\\"];
const WHOLE: [i64; 8] = [0, 1, -1, 7, 18, 9_007_199_254_740_993, i64::MAX, i64::MIN];
const NUMBERS: [f64; 10] =
    [0.0, -0.0, 0.1, 0.100_000_000_000_000_02, 0.3, 1.0, 18.0, -7.5, 1e300, 9_007_199_254_740_994.0];

pub(crate) fn table(draws: &mut Draws, sqlite: bool) -> Table {
    // A column of SQLite may hold values of several types. None here is text that is a number.
    let mixed = sqlite && draws.below(3) == 0;
    let rows = 1 + draws.below(14);
    let clean = draws.below(2) == 0;
    let cell = |draws: &mut Draws, column: usize| {
        if draws.below(if clean { 400 } else { 12 }) == 0 {
            return Cell::Null;
        }
        if mixed && column < 3 && draws.below(10) == 0 {
            return [
                Cell::Text("b".into()),
                Cell::Integer(7),
                Cell::Real(0.5),
                Cell::Real(7.0),
                Cell::Blob(vec![65]),
            ][draws.below(5)]
            .clone();
        }
        match column {
            0 => Cell::Text(draws.one_of(if clean { &WORDS[..2] } else { &WORDS }).to_owned()),
            1 => Cell::Integer(draws.one_of(if clean { &WHOLE[..5] } else { &WHOLE })),
            2 => Cell::Real(draws.one_of(if clean { &NUMBERS[..7] } else { &NUMBERS })),
            3 => Cell::Text(format!("u{}", draws.below(4))),
            4 => Cell::Integer(draws.below(3) as i64),
            5 => Cell::Text(draws.one_of(&["true", "false"]).to_owned()),
            _ => Cell::Text(draws.one_of(&["1969-12-31", "2000-02-29", "2024-01-31"]).to_owned()),
        }
    };
    // SQLite stores neither truth values nor days; for others they are written as they print.
    let mut columns = vec!["word", "whole", "number", "unit", "day", "flag", "born"];
    if sqlite {
        columns.truncate(5);
    }
    let rows = (0..rows).map(|_| (0..columns.len()).map(|column| cell(draws, column)).collect()).collect();
    Table { columns, rows }
}

/// A question with how its columns are stored.
#[derive(Debug)]
pub(crate) struct Case {
    pub(crate) question: Question,
    pub(crate) source: SqlSource,
}

pub(crate) fn case(draws: &mut Draws, sqlite: bool) -> Case {
    let mut stored: BTreeMap<String, Stored> = [
        ("word", Stored::Text),
        ("whole", Stored::Integer),
        ("number", Stored::Number),
        ("unit", Stored::Text),
        ("day", Stored::Integer),
        ("flag", Stored::Boolean),
        ("born", Stored::Day),
    ]
    .into_iter()
    .map(|(name, stored)| (name.to_owned(), stored))
    .collect();
    if draws.below(4) == 0 {
        stored.remove("word");
        stored.remove("unit");
    }
    let word = |draws: &mut Draws| {
        let column = Column::new(
            "word",
            [vec!["a", "b"], vec!["a", "b", "A", "a ", "ä", "x'y", "\\"]][draws.below(2)].clone(),
        );
        if draws.below(3) == 0 { column.with_alias("a", "a\u{308}") } else { column }
    };
    let whole = |draws: &mut Draws| match draws.below(3) {
        0 => Column::new("whole", ["0", "1", "-1", "7", "18"]),
        1 => Column::binned("whole", Bins::new(["-1.5", "0.5", "7", "1e30"]).expect("valid")),
        _ => Column::binned(
            "whole",
            Bins::new(["-9223372036854775809", "1", "9007199254740993", "1e19"]).expect("valid"),
        ),
    };
    let number = |draws: &mut Draws| match draws.below(3) {
        0 => Column::new("number", ["0", "1", "18"]),
        1 => Column::binned("number", Bins::new(["-10", "0", "0.1", "0.3", "20"]).expect("valid")),
        _ => Column::binned(
            "number",
            Bins::new(["-1e400", "0.10000000000000001", "18", "1e400"]).expect("valid"),
        ),
    };
    let typed = |draws: &mut Draws| match draws.below(2) {
        0 => Column::new("flag", ["true", "false"]),
        _ => Column::new("born", ["2000-02-29", "2024-01-31", "1969-12-31"]),
    };
    let mut columns = match draws.below(if sqlite { 5 } else { 7 }) {
        0 => vec![word(draws)],
        1 => vec![whole(draws)],
        2 => vec![number(draws)],
        3 => vec![word(draws), whole(draws)],
        5 => vec![typed(draws)],
        6 => vec![whole(draws), typed(draws)],
        _ => vec![word(draws), number(draws), whole(draws)],
    };
    for column in &mut columns {
        column.other = (draws.below(2) == 0).then(|| "rest".into());
        column.missing = (draws.below(2) == 0).then(|| draws.one_of(&["none", "rest"]).to_owned());
    }
    let simple = [
        "whole > 0.5",
        "whole <= 9007199254740992.5",
        "whole = 7",
        "whole <> 1.5",
        "7 < whole",
        "number < 0.1",
        "number >= 0.1",
        "number = 0.3",
        "number > 0.10000000000000001",
        "number <> 0",
        "word = 'a'",
        "word <> 'a '",
        "word IN ('a', 'b', 'x''y')",
        "word IS NULL",
        "whole IS NOT NULL",
        "number BETWEEN 0 AND 18",
        "whole NOT BETWEEN -1 AND 7.5",
        "whole IN (0, 1, 2.5)",
        "whole NOT IN (1, 18)",
        "(whole > 1) IS NOT TRUE",
        "(number > 0.3) IS FALSE",
        "TRUE",
        "born < DATE '2000-02-29'",
        "born BETWEEN DATE '1970-01-01' AND DATE '2024-01-31'",
        "DATE '1969-12-31' <> born",
        "flag",
        "flag = FALSE",
        "(NOT flag) IS NOT TRUE",
    ];
    let simple = if sqlite { &simple[..22] } else { &simple };
    let condition = |draws: &mut Draws| {
        let (one, other) = (draws.one_of(simple), draws.one_of(simple));
        match draws.below(5) {
            0 | 1 => one.to_owned(),
            2 => format!("{one} AND {other}"),
            3 => format!("{one} OR NOT ({other})"),
            _ => format!("NOT ({one} AND {other}) OR whole IS NULL"),
        }
    };
    let filter = (draws.below(2) == 0).then(|| condition(draws));
    let within = (draws.below(4) == 0).then(|| condition(draws));
    let unit = (draws.below(2) == 0).then(|| "unit".to_owned());
    let rules = [PerUnit::First, PerUnit::Mode, PerUnit::Latest("day".into()), PerUnit::Random];
    let per_unit = draws.one_of(if sqlite { &rules[..3] } else { &rules });
    let adjacency = draws.one_of(&[Adjacency::Replace, Adjacency::AddRemove]);
    let question = Question { columns, filter, within, unit, per_unit, adjacency };
    Case { question, source: SqlSource { table: vec!["t".into()], stored } }
}
