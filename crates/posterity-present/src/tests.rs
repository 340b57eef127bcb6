//! Tests for a reader.

use posterity::table::{ReadingMethod, TestResult};

use crate::sheet::{Column, Sheet, Value};

/// What each test found.
#[must_use]
pub fn tests(all: &[TestResult]) -> Sheet<'_> {
    let columns = vec![
        Column::text("test"),
        Column::number("statistic"),
        Column::number("p-value"),
        Column::number("error"),
    ];
    let rows = all.iter().map(|one| {
        let statistic = one.statistic.map_or_else(String::new, |found| format!("{found:.4}"));
        let error = if one.error > 0.0 { format!("{:.4}", one.error) } else { String::new() };
        vec![
            Value::text(one.test.to_string()),
            Value::text(statistic),
            Value::text(format!("{:.4}", one.p_value)),
            Value::text(error),
        ]
    });
    Sheet::new(columns, rows)
}

/// What is known of the p-values.
#[must_use]
pub fn about_tests(all: &[TestResult], holm: bool) -> Vec<String> {
    let mut said = Vec::new();
    if all.iter().any(|one| one.error > 0.0) {
        said.push(
            "P-values with an error are simulated: 9,999 tables with the very noise for each of several margins, and the largest \
             counts. Their size is not proven; it was measured on tables that are hard (docs/benchmarks.md). They follow from the \
             release alone, so everybody gets the same."
                .to_owned(),
        );
    }
    if all.iter().any(|one| one.method == ReadingMethod::Proven) {
        said.push(
            "That a stated share has at least its p-value is proven (docs/proofs/ordered.md).".to_owned(),
        );
    }
    if all.len() > 1 {
        said.push(if holm {
            "These are Holm's p-values: whoever rejects all below a size rejects a true hypothesis at most that often.".to_owned()
        } else {
            "Each p-value is of its test alone; --holm shows those that hold for all at once.".to_owned()
        });
    }
    said
}
