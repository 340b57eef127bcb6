//! Readings and comparisons as lines of text.

use std::fmt;

use super::contrasted::Contrasted;
use super::rows::{ReadingRow, ReadingTable};
use super::statistic::Statistic;
use crate::number::percent;

/// A line for each row: `yes | A: 0.5333 (95 % interval 0.4210 to 0.6434)`.
///
/// ```
/// use posterity::{Data, Publisher};
/// let data = Data::counts([("yes", 480), ("no", 420)])?;
/// let release = Publisher::new("1".parse()?).publish(&data)?;
/// let reading = release.document().reader()?.read(&"category=yes".parse()?)?;
/// assert!(reading.to_string().starts_with("yes: 0.5"), "{reading}");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
impl fmt::Display for ReadingTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, row) in self.rows.iter().enumerate() {
            if index > 0 {
                writeln!(f)?;
            }
            self.line(row, f)?;
        }
        Ok(())
    }
}

impl ReadingTable {
    fn line(&self, row: &ReadingRow, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match row.cell.is_empty() && row.given.is_empty() {
            true => write!(f, "{}: ", self.reading)?,
            false => write!(f, "{}: ", self.words.row(&row.given, &row.cell))?,
        }
        let decimals = if self.statistic == Statistic::Count { 0 } else { 4 };
        match row.number().filter(|number| !number.is_nan()) {
            Some(number) => write!(f, "{number:.decimals$} ")?,
            None => f.write_str("no answer ")?,
        }
        let ([low, high], percent) = (row.interval, percent(self.level));
        write!(f, "({percent} % interval {low:.decimals$} to {high:.decimals$})")
    }
}

/// A line for each number: `difference: 0.1203 (95 % interval -0.0210 to 0.2634)`.
impl fmt::Display for Contrasted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let percent = percent(self.level);
        for (index, measured) in self.measures.iter().enumerate() {
            if index > 0 {
                writeln!(f)?;
            }
            let (words, number, [low, high]) =
                (measured.measure.with_unit(), measured.shown(), measured.interval);
            write!(f, "{words}: {number:.4} ({percent} % interval {low:.4} to {high:.4})")?;
        }
        Ok(())
    }
}
