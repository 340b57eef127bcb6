//! SQLite as the oracle: random filters say the same of random records as SQLite does, where both languages mean the
//! same. The generator leaves out what they mean differently; `docs/data.md` lists that.

use rusqlite::types::Value as Stored;
use rusqlite::{Connection, params_from_iter};

use posterity_formats::Value;

use super::printed::printed;
use super::{Filter, evaluate};
use crate::filter::Record;

/// Random numbers from a seed (Steele, Lea, Flood 2014, SplitMix64).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut bits = self.0;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        bits ^ (bits >> 31)
    }

    /// From 0 to `n - 1`.
    fn below(&mut self, n: u64) -> u64 {
        self.next() % n
    }

    fn range(&mut self, low: i64, high: i64) -> i64 {
        low + self.below((high - low + 1) as u64) as i64
    }

    fn one_in(&mut self, n: u64) -> bool {
        self.below(n) == 0
    }

    fn pick<'a>(&mut self, items: &[&'a str]) -> &'a str {
        items[self.below(items.len() as u64) as usize]
    }
}

/// What SQLite stores, and what the filter sees: the same value in one of the forms that a source may give it.
///
/// - `i`, `k`: whole numbers of a numeric type; `k` is always an integer, and so prints alike in both.
/// - `j`: whole numbers, some of them as text.
/// - `r`: multiples of 1/8, which binary floating-point numbers hold exactly.
/// - `big`: whole numbers that 64-bit floating-point numbers cannot tell apart.
/// - `n`: numbers as text.
/// - `t`, `u`: text, some of it numbers.
/// - `w`, `v`: words.
/// - `b`, `c`: truth values, in `c` some of them as text.
/// - `d`, `e`: days and seconds, which SQLite prints by its own calendar; some of them are text here.
const TABLE: &str = "CREATE TABLE records (id INTEGER PRIMARY KEY, i INTEGER, k INTEGER, j INTEGER, r REAL, \
                     big INTEGER, n TEXT, t TEXT, u TEXT, w TEXT, v TEXT, b INTEGER, c INTEGER, d TEXT, e TEXT)";

const COLUMNS: [&str; 14] = ["i", "k", "j", "r", "big", "n", "t", "u", "w", "v", "b", "c", "d", "e"];

const NUMBERS: [&str; 5] = ["i", "k", "j", "r", "big"];

const INSERT: &str = "INSERT INTO records (i, k, j, r, big, n, t, u, w, v, b, c, d, e) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, \
                      ?, ?, ?, date(?, 'unixepoch'), datetime(?, 'unixepoch'))";

const TEXTS: [&str; 18] = [
    "",
    "a",
    "A",
    "b",
    "ab",
    "aB",
    "ba",
    "abc",
    "a%b",
    "a_b",
    "ä",
    "äb",
    "日本",
    "it's",
    "10",
    "9",
    "09",
    "2020-01-10",
];

/// Those of the texts that are neither numbers nor dates.
const WORDS: usize = 14;

const PATTERNS: [&str; 14] =
    ["%", "_", "a%", "%b", "%a%", "__", "a_b", "_b%", "ä%", "日_", "%''%", "1%", "", "20__-%-1_"];

/// A value of its own, so that a record can lend it.
enum Held {
    Plain(Value<'static>),
    Text(String),
    Literal(String),
}

struct Row(Vec<Held>);

/// A record, with the filter's columns looked up.
struct Bound<'a> {
    row: &'a Row,
    columns: &'a [usize],
}

impl Record for Bound<'_> {
    fn value(&self, column: usize) -> Value<'_> {
        match &self.row.0[self.columns[column]] {
            Held::Plain(value) => *value,
            Held::Text(text) => Value::Text(text.as_bytes()),
            Held::Literal(text) => Value::Literal(text.as_bytes()),
        }
    }
}

fn row(random: &mut Random) -> (Row, Vec<Stored>) {
    let mut held = Vec::new();
    let mut stored = Vec::new();
    for column in COLUMNS {
        let (value, store) = if random.one_in(6) {
            (Held::Plain(Value::Missing), Stored::Null)
        } else {
            value(column, random)
        };
        held.push(value);
        stored.push(store);
    }
    (Row(held), stored)
}

fn value(column: &str, random: &mut Random) -> (Held, Stored) {
    let small = random.range(-4, 12);
    let whole = i128::from(small);
    let eighths = random.range(-40, 90);
    let form = random.below(4);
    match column {
        "i" => {
            let value = match form {
                0 => Held::Plain(Value::Integer(whole)),
                1 => Held::Literal(format!("{small}.0e0")),
                2 => Held::Plain(Value::Decimal { mantissa: whole * 100, scale: 2 }),
                _ => Held::Plain(Value::Double(small as f64)),
            };
            (value, Stored::Integer(small))
        }
        "k" => (Held::Plain(Value::Integer(whole)), Stored::Integer(small)),
        "j" => {
            let value =
                if form < 2 { Held::Plain(Value::Integer(whole)) } else { Held::Text(small.to_string()) };
            (value, Stored::Integer(small))
        }
        "r" => {
            let real = eighths as f64 / 8.0;
            let value = match form {
                0 => Held::Plain(Value::Double(real)),
                1 => Held::Plain(Value::Single(real as f32)),
                2 => Held::Literal(real.to_string()),
                _ => Held::Plain(Value::Decimal { mantissa: i128::from(eighths) * 125, scale: 3 }),
            };
            (value, Stored::Real(real))
        }
        "big" => {
            let big = (1 << 53) + small;
            (Held::Plain(Value::Integer(big.into())), Stored::Integer(big))
        }
        "n" => {
            let text = match form {
                0 => small.to_string(),
                1 => format!("{small}.50"),
                2 => format!("{eighths}e0"),
                _ => (eighths as f64 / 8.0).to_string(),
            };
            (Held::Text(text.clone()), Stored::Text(text))
        }
        "t" | "u" | "w" | "v" => {
            let text = random.pick(if matches!(column, "t" | "u") { &TEXTS } else { &TEXTS[..WORDS] });
            (Held::Plain(Value::Text(text.as_bytes())), Stored::Text(text.into()))
        }
        "b" | "c" => {
            let truth = random.one_in(2);
            let value = match column {
                "c" if form < 2 => Held::Text(truth.to_string()),
                _ => Held::Plain(Value::Boolean(truth)),
            };
            (value, Stored::Integer(truth.into()))
        }
        "d" => {
            let day =
                if form == 0 { random.range(-719_528, 2_932_896) } else { random.range(18_250, 18_300) };
            (perhaps_text(Value::Day(day as i32), random), Stored::Integer(day * 86_400))
        }
        _ => {
            let second = random.range(-62_167_219_200, 253_402_300_799);
            let second = if form < 2 { second } else { random.range(18_250, 18_300) * 86_400 };
            let value = match form {
                0 => Value::Instant { ticks: second, per_second: 1 },
                _ => Value::Instant { ticks: second * 1000, per_second: 1000 },
            };
            (perhaps_text(value, random), Stored::Integer(second))
        }
    }
}

/// The value of a type, or its printed form as text.
fn perhaps_text(value: Value<'static>, random: &mut Random) -> Held {
    match printed(value) {
        Some(text) if random.one_in(2) => Held::Text(String::from_utf8_lossy(&text).into_owned()),
        _ => Held::Plain(value),
    }
}

/// The filter as SQLite reads it: it has days and moments as text, and no `TEXT`.
fn in_sqlite(filter: &str) -> String {
    [("TEXT(k)", "CAST(k AS TEXT)"), ("TEXT(", "("), ("DATE '", "'"), ("TIMESTAMP '", "'")]
        .iter()
        .fold(filter.to_owned(), |text, (here, there)| text.replace(here, there))
}

/// Writes random conditions, by the grammar of both languages.
struct Writer<'a> {
    random: &'a mut Random,
}

impl Writer<'_> {
    fn condition(&mut self, depth: u64) -> String {
        self.joined(depth, " OR ", |writer| writer.joined(depth, " AND ", |writer| writer.negation(depth)))
    }

    fn joined(&mut self, depth: u64, by: &str, mut part: impl FnMut(&mut Self) -> String) -> String {
        let count = if depth > 0 { 1 + self.random.below(3) } else { 1 };
        let by = if self.random.one_in(4) { by.to_lowercase() } else { by.to_owned() };
        (0..count).map(|_| part(self)).collect::<Vec<_>>().join(&by)
    }

    fn negation(&mut self, depth: u64) -> String {
        match self.random.below(8) {
            0 => format!("NOT {}", self.negation(depth)),
            1 | 2 if depth > 0 => format!("({})", self.condition(depth - 1)),
            _ => self.predicate(depth),
        }
    }

    fn predicate(&mut self, depth: u64) -> String {
        let comparison = self.random.pick(&["=", "==", "<>", "!=", "<", "<=", ">", ">="]);
        let not = self.random.pick(&["", "", "NOT "]);
        let kind = self.random.below(7);
        // A day and a moment compare by time here, and as text in SQLite, so they do not meet.
        let time = self.random.pick(&["d", "e"]);
        let (left, right, third) = match kind {
            0 => (self.number(3), self.number(3), self.number(1)),
            1 => (self.printed(), self.text(), self.text()),
            2 => (self.truth(depth), self.truth(depth), self.truth(depth)),
            // Text against a column of a numeric type, which makes it a number in both languages.
            3 => ("n".to_owned(), self.random.pick(&NUMBERS).into(), self.random.pick(&NUMBERS).into()),
            4 => (self.random.pick(&["w", "v", "\"w\""]).into(), self.word(), self.word()),
            5 => (time.to_owned(), self.time(time), self.time(time)),
            _ => return self.equality(not),
        };
        let predicate = match self.random.below(10) {
            0 | 1 => format!("{left} {not}BETWEEN {right} AND {third}"),
            2 if kind != 3 => self.list(&left, not, &right, &third),
            3 | 4 if matches!(kind, 1 | 4) => self.like(&left, not),
            3 | 4 if time == "d" && kind == 5 => self.like(&left, not),
            5 if kind != 2 => format!("{right} {comparison} {left}"),
            6 if kind != 3 => return format!("{left} IS {not}NULL"),
            7 if kind == 2 => return format!("{left} IS {not}{}", self.random.pick(&["TRUE", "false"])),
            8 if kind == 2 => return left,
            _ => format!("{left} {comparison} {right}"),
        };
        match self.random.below(12) {
            0 => format!("{predicate} IS {not}NULL"),
            1 => format!("{predicate} IS {not}{}", self.random.pick(&["TRUE", "FALSE"])),
            _ => predicate,
        }
    }

    fn list(&mut self, left: &str, not: &str, right: &str, third: &str) -> String {
        // Lists of numbers or texts alone are searched in another way.
        let items = match self.random.below(3) {
            0 if NUMBERS.contains(&left) => (0..4).map(|_| self.literal()).collect::<Vec<_>>().join(", "),
            0 if left.starts_with("TEXT") => {
                (0..4).map(|_| self.text_literal()).collect::<Vec<_>>().join(",")
            }
            0 if matches!(left, "w" | "v") => {
                (0..4).map(|_| self.word_literal()).collect::<Vec<_>>().join(",")
            }
            1 => right.to_owned(),
            _ => format!("{right}, {third}, {right}"),
        };
        format!("{left} {not}IN ({items})")
    }

    /// Text in quotes equals a number if it is one, and a text by its bytes.
    fn equality(&mut self, not: &str) -> String {
        let (left, right, third) = match self.random.below(2) {
            0 => (
                self.random.pick(&["i", "k", "j"]),
                format!("'{}'", self.random.range(-4, 12)),
                format!("'{}'", self.random.pick(&["7", "a", "-3"])),
            ),
            _ => (self.random.pick(&["t", "u"]), self.word_literal(), self.word_literal()),
        };
        match self.random.below(4) {
            0 => format!("{left} {not}IN ({right}, {third})"),
            1 => format!("{left} {not}IN ({right}, NULL, {third})"),
            2 => format!("{left} <> {right}"),
            _ => format!("{right} = {left}"),
        }
    }

    fn like(&mut self, text: &str, not: &str) -> String {
        match self.random.below(3) {
            0 => format!("{text} {not}LIKE '%!%%' ESCAPE '!'"),
            1 => format!("{text} {not}LIKE '_!__' ESCAPE '!'"),
            _ => format!("{text} {not}LIKE '{}'", self.random.pick(&PATTERNS)),
        }
    }

    /// A number. SQLite rounds what it computes from large numbers, so these stand alone.
    fn number(&mut self, depth: u64) -> String {
        match self.random.below(8) {
            0 => "big".into(),
            1 => ((1_i64 << 53) + self.random.range(-4, 12)).to_string(),
            _ => self.sum(depth, 2),
        }
    }

    /// Terms of at most this many factors, so that SQLite computes them without rounding.
    fn sum(&mut self, depth: u64, factors: u64) -> String {
        match self.random.below(if depth > 0 { 8 } else { 4 }) {
            4 | 5 => {
                // A minus after a minus would be a comment.
                let operator = self.random.pick(&["+ ", "- ", " + ", " - "]);
                format!("{}{operator}{}", self.sum(depth - 1, factors), self.term(depth - 1, factors))
            }
            6 => "n + 0".into(),
            _ => self.term(depth, factors),
        }
    }

    fn term(&mut self, depth: u64, factors: u64) -> String {
        match self.random.below(if depth > 0 { 8 } else { 4 }) {
            4 if factors > 1 => format!("{} * {}", self.factor(depth - 1, factors - 1), self.factor(0, 1)),
            // Whole numbers divide to whole numbers in SQLite, and to fractions here.
            5 => {
                format!("{} / {}", self.factor(depth - 1, factors), self.random.pick(&["2.0", "0.5", "-4.0"]))
            }
            6 => format!("- {}", self.factor(depth - 1, factors)),
            _ => self.factor(depth, factors),
        }
    }

    fn factor(&mut self, depth: u64, factors: u64) -> String {
        match self.random.below(6) {
            0 | 1 if depth > 0 => format!("({})", self.sum(depth - 1, factors)),
            2 => self.literal(),
            3 if self.random.one_in(3) => "NULL".into(),
            _ => self.random.pick(&["i", "k", "j", "r"]).into(),
        }
    }

    fn literal(&mut self) -> String {
        let small = self.random.range(0, 12);
        match self.random.below(8) {
            0 => format!("{}", self.random.range(0, 90) as f64 / 8.0),
            1 => format!("{small}."),
            2 => format!("{small}5e-1"),
            3 => ".5".into(),
            4 => format!(" -{small}"),
            _ => small.to_string(),
        }
    }

    /// What is written in a column.
    fn printed(&mut self) -> String {
        format!("TEXT({})", self.random.pick(&["t", "u", "k", "d", "e"]))
    }

    fn text(&mut self) -> String {
        match self.random.below(8) {
            0..=2 => self.printed(),
            3 => self.random.pick(&["NULL", "'2020-01-01'", "'2020-01-10 00:00:00'", "'1'"]).into(),
            _ => self.text_literal(),
        }
    }

    fn word(&mut self) -> String {
        match self.random.below(8) {
            0..=2 => self.random.pick(&["w", "v"]).into(),
            3 => "NULL".into(),
            _ => self.word_literal(),
        }
    }

    fn word_literal(&mut self) -> String {
        format!("'{}'", self.random.pick(&TEXTS[..WORDS]).replace('\'', "''"))
    }

    /// A day beside `d`, and a moment beside `e`.
    fn time(&mut self, beside: &str) -> String {
        let day = 1 + self.random.below(31);
        match (self.random.below(8), beside) {
            (0, _) => "NULL".into(),
            (1, _) => beside.to_owned(),
            (_, "d") => format!("DATE '2020-01-{day:02}'"),
            _ => format!("TIMESTAMP '2020-01-{day:02} 00:00:00'"),
        }
    }

    fn text_literal(&mut self) -> String {
        format!("'{}'", self.random.pick(&TEXTS).replace('\'', "''"))
    }

    fn truth(&mut self, depth: u64) -> String {
        match self.random.below(8) {
            0 => self.random.pick(&["TRUE", "False", "NULL"]).into(),
            1..=3 if depth > 0 => format!("({})", self.condition(depth - 1)),
            _ => self.random.pick(&["b", "c"]).into(),
        }
    }
}

/// What SQLite says of each record.
fn asked(database: &Connection, filter: &str) -> Vec<Option<bool>> {
    let statement = format!("SELECT ({}) FROM records ORDER BY id", in_sqlite(filter));
    let mut statement = database.prepare(&statement).expect(filter);
    let rows = statement.query_map([], |row| row.get::<_, Option<i64>>(0));
    rows.and_then(Iterator::collect::<Result<Vec<_>, _>>)
        .expect(filter)
        .into_iter()
        .map(|truth| truth.map(|truth| truth != 0))
        .collect()
}

/// Compares on this many tables, with this many filters each.
fn compare(seed: u64, tables: u64, filters: u64) {
    const ROWS: usize = 250;
    let mut random = Random(seed);
    let mut counts = [0_u64; 3];
    let mut compared = 0_u64;
    for _ in 0..tables {
        let database = Connection::open_in_memory().expect("memory suffices");
        database.execute_batch("PRAGMA case_sensitive_like = ON").expect("SQLite has the pragma");
        database.execute_batch(TABLE).expect("the table is new");
        let (rows, stored): (Vec<Row>, Vec<Vec<Stored>>) = (0..ROWS).map(|_| row(&mut random)).unzip();
        for stored in stored {
            database.execute(INSERT, params_from_iter(stored)).expect("the values fit");
        }
        for _ in 0..filters {
            let depth = random.below(4);
            let text = Writer { random: &mut random }.condition(depth);
            let filter = match Filter::parse(&text) {
                Ok(filter) => filter,
                Err(error) => {
                    // The only limit that the generator may reach.
                    assert!(error.to_string().contains("operators"), "{text}: {error}");
                    continue;
                }
            };
            let position =
                |name: &String| COLUMNS.iter().position(|column| column == name).expect("a column");
            let columns: Vec<usize> = filter.columns().iter().map(position).collect();
            for (id, (row, expected)) in rows.iter().zip(asked(&database, &text)).enumerate() {
                let truth = evaluate::truth(filter.condition(), &Bound { row, columns: &columns });
                assert_eq!(truth, Ok(expected), "seed {seed}, record {id}, filter: {text}");
                counts[expected.map_or(2, usize::from)] += 1;
            }
            compared += 1;
        }
    }
    let pairs: u64 = counts.iter().sum();
    println!(
        "{pairs} pairs of {compared} filters and {ROWS} records, seed {seed}: {} false, {} true, {} unknown",
        counts[0], counts[1], counts[2]
    );
    // Each answer is common enough for the comparison to mean something.
    assert!(counts.iter().all(|count| count * 20 > pairs), "{counts:?}");
}

#[test]
fn filters_agree_with_sqlite() {
    compare(1, 4, 210);
}

#[test]
#[ignore = "takes a minute"]
fn many_filters_agree_with_sqlite() {
    compare(2, 120, 210);
}
