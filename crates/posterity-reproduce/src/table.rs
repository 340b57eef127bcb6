//! The numbers of an experiment.

use posterity::number::digits;
use posterity_present::{Column, Sheet, Value, csv};

/// One number, and what it is. Every experiment has the same columns.
#[derive(Clone, Debug, PartialEq)]
pub struct ResultRow {
    /// The panel of the figure.
    pub panel: String,
    /// The mechanism or curve.
    pub series: String,
    /// What was measured.
    pub quantity: String,
    /// The data size, distance or other x that it belongs to. None if it is about the whole series.
    pub x: Option<f64>,
    /// The number.
    pub value: f64,
    /// Its standard error, if it was sampled.
    pub error: Option<f64>,
}

/// All numbers of an experiment, in a fixed order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ResultTable {
    rows: Vec<ResultRow>,
}

impl ResultTable {
    /// The rows.
    #[must_use]
    pub fn rows(&self) -> &[ResultRow] {
        &self.rows
    }

    /// Adds an exact number.
    pub(crate) fn push(&mut self, panel: &str, series: &str, quantity: &str, x: Option<f64>, value: f64) {
        self.push_sampled(panel, series, quantity, x, (value, None));
    }

    /// Adds a number with its standard error.
    pub(crate) fn push_sampled(
        &mut self,
        panel: &str,
        series: &str,
        quantity: &str,
        x: Option<f64>,
        (value, error): (f64, Option<f64>),
    ) {
        let (panel, series, quantity) = (panel.to_owned(), series.to_owned(), quantity.to_owned());
        self.rows.push(ResultRow { panel, series, quantity, x, value, error });
    }

    /// The points of one curve.
    pub(crate) fn curve(&self, panel: &str, series: &str, quantity: &str) -> Vec<(f64, f64)> {
        let mine = |row: &&ResultRow| row.panel == panel && row.series == series && row.quantity == quantity;
        self.rows.iter().filter(mine).filter_map(|row| row.x.map(|x| (x, row.value))).collect()
    }

    /// Comma-separated values with a header (RFC 4180), numbers to twelve digits.
    #[must_use]
    pub fn to_csv(&self) -> String {
        let columns = ["panel", "series", "quantity", "x", "value", "standard_error"].map(Column::text);
        let number = |value: f64| Value::text(digits(value));
        let rows = self.rows.iter().map(|row| {
            vec![
                Value::text(&row.panel),
                Value::text(&row.series),
                Value::text(&row.quantity),
                row.x.map_or(Value::Missing, number),
                number(row.value),
                row.error.map_or(Value::Missing, number),
            ]
        });
        csv::text(Sheet::new(columns.into(), rows))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn csv_quotes_what_needs_it() {
        let mut table = ResultTable::default();
        table.push("k = 2, n = 3", "a\"b", "mean", Some(0.5), 1.0 / 3.0);
        table.push_sampled("p", "s", "q", None, (2.0, Some(0.25)));
        assert_eq!(
            table.to_csv(),
            "panel,series,quantity,x,value,standard_error\n\
             \"k = 2, n = 3\",\"a\"\"b\",mean,0.5,0.333333333333,\np,s,q,,2,0.25\n"
        );
    }
}
