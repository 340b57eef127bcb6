//! What stands in the columns of a source, for whoever prepares the data.

use std::cmp::Ordering as Order;
use std::collections::HashMap;
use std::fmt;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use posterity_formats::{
    ColumnHint, Field, Format, Number, Piece, ReadError, Source, Value, Visitor, Wanted, common_fields,
    common_names, read,
};
use serde::Serialize;

use crate::count::{Resources, on_threads};
use crate::decimal_comma::point_for_comma;
use crate::error::DataError;
use crate::filter::{Moment, printed};

/// What a look is about.
#[derive(Clone, Debug, Default)]
pub struct LookedFor {
    /// The columns whose values are listed.
    pub values: Vec<String>,
    /// The column that tells units apart.
    pub unit: Option<String>,
}

/// What stands in the columns of a source. It is private data, without any noise, and quotes values: show it to the owner of
/// the data only.
#[derive(Clone, Default, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Look {
    /// How many records there are.
    pub records: u64,
    /// The character that separates the fields, if it is another one than the source says.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub delimiter: Option<char>,
    /// The columns.
    pub columns: Vec<LookedColumn>,
    /// How many records units have, if there is a unit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub units: Option<UnitSizes>,
}

/// What stands in one column.
#[derive(Clone, Default, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct LookedColumn {
    /// Its name.
    pub name: String,
    /// How many values are missing.
    pub missing: u64,
    /// How many values look like what, the most frequent first.
    pub looks: Vec<(Looks, u64)>,
    /// The least and the greatest number or day.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub range: Option<[String; 2]>,
    /// How many different values there are; nothing if there are too many to tell apart, or nobody asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub different: Option<u64>,
    /// The values and how often they occur, the most frequent first. If there are too many different ones, some may be missing.
    pub values: Vec<(String, u64)>,
}

/// What a value looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Looks {
    /// A whole number.
    Whole,
    /// A number with a fraction, which is written with a point.
    Number,
    /// A number with a decimal comma.
    DecimalComma,
    /// A day, as 2025-12-31, or a moment.
    Day,
    /// A day that is written as 31.12.2025 or 31/12/2025.
    OtherDay,
    /// A truth value.
    Truth,
    /// Text.
    Text,
    /// Blanks only.
    Blank,
    /// What has no exact name: a list, an object, bytes that are no text.
    Strange,
}

/// How many records units have.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct UnitSizes {
    /// How many units there are.
    pub units: u64,
    /// How many of them have more than one record.
    pub several: u64,
    /// The most records that a unit has.
    pub most: u64,
}

/// How many different values of a column, and how many units, are told apart.
const MAX_DIFFERENT: usize = 1 << 16;
const MAX_UNITS: usize = 1 << 24;

/// How many letters of a value are kept.
const MAX_LETTERS: usize = 100;

/// Characters that separate fields in many files.
const DELIMITERS: [char; 4] = [';', '\t', '|', ','];

impl Looks {
    /// What a value looks like, by itself.
    fn of(value: Value<'_>) -> Self {
        let number = |number: &Number| if number.floor_at(0).1 { Self::Whole } else { Self::Number };
        match value {
            Value::Text(text) => Self::of_text(text),
            Value::Boolean(_) => Self::Truth,
            Value::Day(_) | Value::Instant { .. } => Self::Day,
            Value::Missing | Value::Bytes(_) | Value::Strange => Self::Strange,
            Value::Integer(_) => Self::Whole,
            value => Number::of(value).as_ref().map_or(Self::Strange, number),
        }
    }

    fn of_text(text: &[u8]) -> Self {
        let trimmed = text.trim_ascii();
        if trimmed.is_empty() {
            return Self::Blank;
        }
        if let Some(number) = Number::parse(text) {
            // A fraction of zeros is written as a fraction.
            let is_whole = number.floor_at(0).1 && !text.contains(&b'.');
            return if is_whole { Self::Whole } else { Self::Number };
        }
        if point_for_comma(text).is_some() {
            return Self::DecimalComma;
        }
        if Moment::parse(text).is_some() {
            return Self::Day;
        }
        if is_other_day(text) {
            return Self::OtherDay;
        }
        match text {
            b"true" | b"false" => Self::Truth,
            _ => Self::Text,
        }
    }
}

/// Whether a text is a day as 31.12.2025, 31/12/2025 or 12/31/2025.
fn is_other_day(text: &[u8]) -> bool {
    let Ok(text) = std::str::from_utf8(text) else { return false };
    ['.', '/'].into_iter().any(|sign| {
        let parts: Vec<&str> = text.split(sign).collect();
        let number = |part: &str, most: u32| {
            part.bytes().all(|byte| byte.is_ascii_digit())
                && part.parse::<u32>().is_ok_and(|number| (1..=most).contains(&number))
        };
        match parts.as_slice() {
            [day, month, year] => {
                day.len() <= 2
                    && month.len() <= 2
                    && number(day, 31)
                    && number(month, 31)
                    && matches!(year.len(), 2 | 4)
                    && number(year, 9999)
            }
            _ => false,
        }
    })
}

/// Looks at every record of a source, and tells what its columns hold. What it finds depends on all records together, so it is
/// for no release.
///
/// The columns are all those that the source names: the first line of a CSV file, the types of a Parquet or an Arrow file. Of a
/// source that names none beforehand they are those that were asked for.
///
/// ```no_run
/// use std::ops::ControlFlow;
/// use posterity_count::{LookedFor, Resources, Source, look};
/// let progress = |_rows| ControlFlow::Continue(());
/// let asked = LookedFor { values: vec!["ward".to_owned()], ..LookedFor::default() };
/// let found = look(&Source::files("people.csv"), &asked, &Resources::default(), &progress)?;
/// println!("{} records, {} columns", found.records, found.columns.len());
/// # Ok::<(), posterity_count::DataError>(())
/// ```
///
/// # Errors
/// [`DataError`]; it contains no value of a record.
pub fn look(
    source: &Source,
    asked: &LookedFor,
    resources: &Resources,
    progress: &dyn Fn(u64) -> ControlFlow<()>,
) -> Result<Look, DataError> {
    let (source, delimiter) = recognised(source)?;
    let files = source.find_perhaps_empty()?;
    let mut names = match files.format {
        _ if source.is_standard_input() => Vec::new(),
        Format::Csv | Format::Tsv => common_names(&files)?,
        Format::Parquet | Format::Arrow => {
            common_fields(&files)?.into_iter().map(|field| field.name).collect()
        }
        Format::Json | Format::Sqlite | Format::Postgres => Vec::new(),
    };
    for name in asked.values.iter().chain(&asked.unit) {
        if !names.contains(name) {
            names.push(name.clone());
        }
    }
    let looking = Looking::new(names, asked);
    let tell = || {
        if progress(looking.rows.load(Ordering::Relaxed)).is_break() {
            looking.stopped.store(true, Ordering::Relaxed);
        }
    };
    on_threads(resources, &tell, || read(&files, &looking))?;
    let found = looking.found.into_inner().unwrap_or_else(PoisonError::into_inner);
    Ok(found.finish(&looking.wanted, delimiter, asked))
}

/// The source with the character that separates its fields, and that character if the source says another one: the first line
/// has one name, and more of them if that character separates it.
fn recognised(source: &Source) -> Result<(Source, Option<char>), DataError> {
    let is_text = |format| matches!(format, Format::Csv | Format::Tsv);
    if source.delimiter().is_some() || source.is_standard_input() {
        return Ok((source.clone(), None));
    }
    let files = source.find_perhaps_empty()?;
    if !is_text(files.format) || files.paths.is_empty() {
        return Ok((source.clone(), None));
    }
    let [only] = &*common_names(&files)? else { return Ok((source.clone(), None)) };
    let fields = |sign: &char| only.matches(*sign).count();
    let best = DELIMITERS.into_iter().filter(|sign| fields(sign) > 0).max_by_key(fields);
    Ok((best.map_or_else(|| source.clone(), |sign| source.clone().with_delimiter(sign)), best))
}

/// A look by several threads.
struct Looking {
    wanted: AllColumns,
    /// Whether the values of a column are listed.
    listed: Vec<bool>,
    unit: Option<usize>,
    found: Mutex<Found>,
    rows: AtomicU64,
    stopped: AtomicBool,
}

/// All columns, whatever they hold.
struct AllColumns {
    names: Vec<String>,
}

/// What was found, without the names of the columns.
#[derive(Default)]
struct Found {
    records: u64,
    columns: Vec<FoundColumn>,
    units: HashMap<Vec<u8>, u64>,
}

#[derive(Clone, Default)]
struct FoundColumn {
    missing: u64,
    looks: HashMap<Looks, u64>,
    numbers: Option<[(Number, String); 2]>,
    days: Option<[String; 2]>,
    values: HashMap<String, u64>,
    many: bool,
}

impl Looking {
    fn new(names: Vec<String>, asked: &LookedFor) -> Self {
        let listed = names.iter().map(|name| asked.values.contains(name)).collect();
        let unit = asked.unit.as_ref().and_then(|unit| names.iter().position(|name| name == unit));
        let columns = vec![FoundColumn::default(); names.len()];
        Self {
            wanted: AllColumns { names },
            listed,
            unit,
            found: Mutex::new(Found { columns, ..Found::default() }),
            rows: AtomicU64::new(0),
            stopped: AtomicBool::new(false),
        }
    }
}

impl Wanted for AllColumns {
    type Error = DataError;

    fn columns(&self) -> &[String] {
        &self.names
    }

    fn find(&self, names: &[&str], hint: &dyn Fn(&str) -> ColumnHint) -> Result<Vec<usize>, DataError> {
        let place = |column: &String| {
            let mut found = names.iter().enumerate().filter(|(_, name)| *name == column);
            match (found.next(), found.next()) {
                (Some((place, _)), None) => Ok(place),
                (Some(_), Some(_)) => Err(ReadError::DuplicateColumn { column: column.clone() }.into()),
                (None, _) => Err(DataError::UnknownColumn { column: column.clone(), hint: hint(column) }),
            }
        };
        self.names.iter().map(place).collect()
    }

    fn bind(&self, fields: &[Field]) -> Result<Vec<usize>, DataError> {
        let names: Vec<&str> = fields.iter().map(|field| field.name.as_str()).collect();
        self.find(&names, &|_| ColumnHint::Columns(names.iter().map(ToString::to_string).collect()))
    }

    fn absent(&self, _: usize) -> Result<(), DataError> {
        Ok(())
    }

    fn strict(&self) -> bool {
        false
    }

    /// Nothing is released, so a view may be looked at.
    fn has_unit(&self) -> bool {
        true
    }
}

impl Visitor for Looking {
    type Error = DataError;
    type Wanted = AllColumns;
    type Part = ();

    fn wanted(&self) -> &AllColumns {
        &self.wanted
    }

    fn part(&self, _file: u32, _part: u32) {}

    fn piece<P: Piece + ?Sized>(&self, (): &mut (), piece: &P) -> Result<(), DataError> {
        if self.stopped.load(Ordering::Relaxed) {
            return Err(DataError::Stopped);
        }
        let mut found = Found { records: piece.rows() as u64, ..Found::default() };
        for (place, is_listed) in self.listed.iter().enumerate() {
            let mut column = FoundColumn::default();
            (0..piece.rows()).for_each(|row| column.take(piece.value(place, row), *is_listed));
            found.columns.push(column);
        }
        for row in self.unit.iter().flat_map(|_| 0..piece.rows()) {
            if let Some(unit) = self.unit.and_then(|unit| printed(piece.value(unit, row))) {
                add(&mut found.units, unit.into_owned(), 1, MAX_UNITS);
            }
        }
        self.found.lock().unwrap_or_else(PoisonError::into_inner).absorb(found);
        self.rows.fetch_add(piece.rows() as u64, Ordering::Relaxed);
        Ok(())
    }
}

impl FoundColumn {
    /// Takes one value.
    fn take(&mut self, value: Value<'_>, is_listed: bool) {
        if value == Value::Missing {
            self.missing += 1;
            return;
        }
        let looks = Looks::of(value);
        *self.looks.entry(looks).or_default() += 1;
        let text = printed(value)
            .map(|text| String::from_utf8_lossy(&text).chars().take(MAX_LETTERS).collect::<String>());
        let Some(text) = text else { return };
        match looks {
            Looks::Whole | Looks::Number => self.number(Number::of(value), &text),
            Looks::DecimalComma => {
                let number = point_for_comma(text.as_bytes()).and_then(|text| Number::parse(text.as_bytes()));
                self.number(number, &text);
            }
            Looks::Day => self.days([text.clone(), text.clone()]),
            _ => {}
        }
        if is_listed {
            self.many |= !add(&mut self.values, text, 1, MAX_DIFFERENT);
        }
    }

    fn number(&mut self, number: Option<Number>, text: &str) {
        if let Some(number) = number {
            let one = (number, text.to_owned());
            self.numbers([one.clone(), one]);
        }
    }

    fn numbers(&mut self, [low, high]: [(Number, String); 2]) {
        match &mut self.numbers {
            None => self.numbers = Some([low, high]),
            Some([least, greatest]) => {
                if low.0.partial_cmp(&least.0) == Some(Order::Less) {
                    *least = low;
                }
                if high.0.partial_cmp(&greatest.0) == Some(Order::Greater) {
                    *greatest = high;
                }
            }
        }
    }

    fn days(&mut self, [low, high]: [String; 2]) {
        match &mut self.days {
            None => self.days = Some([low, high]),
            Some([first, last]) => {
                if low < *first {
                    *first = low;
                }
                if high > *last {
                    *last = high;
                }
            }
        }
    }

    fn absorb(&mut self, other: Self) {
        self.missing += other.missing;
        self.many |= other.many;
        other.looks.into_iter().for_each(|(looks, times)| *self.looks.entry(looks).or_default() += times);
        other.numbers.into_iter().for_each(|both| self.numbers(both));
        other.days.into_iter().for_each(|both| self.days(both));
        for (value, times) in other.values {
            self.many |= !add(&mut self.values, value, times, MAX_DIFFERENT);
        }
    }

    fn finish(self, name: &str, is_listed: bool) -> LookedColumn {
        let mut looks: Vec<(Looks, u64)> = self.looks.into_iter().collect();
        looks.sort_unstable_by_key(|&(looks, times)| (std::cmp::Reverse(times), looks));
        let mut values: Vec<(String, u64)> = self.values.into_iter().collect();
        values.sort_unstable_by(|(a, m), (b, n)| n.cmp(m).then_with(|| a.cmp(b)));
        let numbers = self.numbers.map(|both| both.map(|(_, text)| text));
        LookedColumn {
            name: name.to_owned(),
            missing: self.missing,
            looks,
            range: numbers.or(self.days),
            different: (is_listed && !self.many).then_some(values.len() as u64),
            values,
        }
    }
}

impl Found {
    fn absorb(&mut self, other: Self) {
        self.records += other.records;
        self.columns.iter_mut().zip(other.columns).for_each(|(column, other)| column.absorb(other));
        for (unit, records) in other.units {
            add(&mut self.units, unit, records, MAX_UNITS);
        }
    }

    fn finish(self, wanted: &AllColumns, delimiter: Option<char>, asked: &LookedFor) -> Look {
        let columns = wanted.names.iter().zip(self.columns);
        let sizes = self.units.values();
        let units = asked.unit.as_ref().map(|_| UnitSizes {
            units: self.units.len() as u64,
            several: sizes.clone().filter(|records| **records > 1).count() as u64,
            most: sizes.copied().max().unwrap_or_default(),
        });
        Look {
            records: self.records,
            delimiter,
            columns: columns.map(|(name, one)| one.finish(name, asked.values.contains(name))).collect(),
            units,
        }
    }
}

/// Counts something, unless it is one too many.
fn add<T: std::hash::Hash + Eq>(found: &mut HashMap<T, u64>, one: T, times: u64, most: usize) -> bool {
    if let Some(sum) = found.get_mut(&one) {
        *sum += times;
    } else if found.len() < most {
        found.insert(one, times);
    } else {
        return false;
    }
    true
}

/// Hides the data.
impl fmt::Debug for Look {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Look").finish_non_exhaustive()
    }
}

/// Hides the data.
impl fmt::Debug for LookedColumn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LookedColumn").field("name", &self.name).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn looked(text: &str, asked: &LookedFor) -> Look {
        let file = tempfile::Builder::new().suffix(".csv").tempfile().expect("a file");
        std::fs::write(file.path(), text).expect("written");
        let source = Source::files(file.path().to_str().expect("UTF-8"));
        look(&source, asked, &Resources::default(), &|_| ControlFlow::Continue(())).expect("looked at")
    }

    /// If this fails, a steward is told that a column holds something else than it does.
    #[test]
    fn values_look_like_what_they_are() {
        let table = [
            ("12", Looks::Whole),
            ("-3", Looks::Whole),
            ("12.5", Looks::Number),
            ("12.0", Looks::Number),
            ("12,5", Looks::DecimalComma),
            ("1.234,5", Looks::DecimalComma),
            ("1,2,3", Looks::Text),
            ("2025-12-31", Looks::Day),
            ("2025-12-31 08:30:00", Looks::Day),
            ("31.12.2025", Looks::OtherDay),
            ("12/31/25", Looks::OtherDay),
            ("45.67.89", Looks::Text),
            ("true", Looks::Truth),
            ("yes", Looks::Text),
            (" 7", Looks::Text),
            ("  ", Looks::Blank),
        ];
        for (text, expected) in table {
            assert_eq!(Looks::of(Value::Text(text.as_bytes())), expected, "{text:?}");
        }
        assert_eq!(Looks::of(Value::Double(2.0)), Looks::Whole);
        assert_eq!(Looks::of(Value::Double(f64::NAN)), Looks::Strange);
    }

    /// If this fails, a file of a German spreadsheet looks like one column, or its numbers like text.
    #[test]
    fn a_german_file_is_recognised() {
        let asked = LookedFor { values: vec!["ward".to_owned()], unit: Some("who".to_owned()) };
        let found = looked(
            "who;ward;temp;day\n1;A;36,5;2025-01-02\n1;A ;37,25;2025-03-04\n2;A;;2024-12-31\n3;B;40;2025-01-01\n",
            &asked,
        );
        assert_eq!((found.records, found.delimiter), (4, Some(';')));
        let of = |name: &str| found.columns.iter().find(|column| column.name == name).expect("a column");
        assert_eq!(of("ward").values, [("A".to_owned(), 2), ("A ".to_owned(), 1), ("B".to_owned(), 1)]);
        assert_eq!(of("ward").different, Some(3));
        assert!(of("who").values.is_empty(), "nobody asked for these values");
        assert_eq!(of("temp").looks, [(Looks::DecimalComma, 2), (Looks::Whole, 1)]);
        assert_eq!((of("temp").missing, of("temp").range.clone()), (1, Some(["36,5".into(), "40".into()])));
        assert_eq!(of("day").range, Some(["2024-12-31".into(), "2025-03-04".into()]));
        assert_eq!(found.units, Some(UnitSizes { units: 3, several: 1, most: 2 }));
        assert!(!format!("{found:?}").contains("36"));
    }
}
