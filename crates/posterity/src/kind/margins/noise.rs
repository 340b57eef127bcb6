//! Whether tables are nearly nothing but noise.

use posterity_margins::Plan;

use super::request::MarginsTerms;
use crate::number::{brief, count};

/// From this expected L1 error of its shares on, a table says hardly anything: the noise of its cells is expected to add up
/// to as many records as there are in it. The error does not depend on the data. For comparison, no two tables of shares
/// differ by more than 2, and one that says the same of every cell, without any data, is often off by less than 1.
const MOSTLY_NOISE: f64 = 1.0;

/// Whose noise it is, and what can be done about it.
#[derive(Clone, Copy)]
pub(super) enum Told {
    /// Before anything is charged.
    Before,
    /// In a document.
    After,
}

impl MarginsTerms {
    /// A warning about the tables whose noise is expected to add up to at least as many records as there are; none if
    /// there are none. Nothing is read: n is public, or a guess of it.
    ///
    /// ```
    /// use posterity::document::AboutColumn;
    /// use posterity::margins::{MarginsTerms, Which};
    /// let column = |name: &str| AboutColumn {
    ///     name: name.into(),
    ///     values: (0..20).map(|value| value.to_string()).collect(),
    ///     ..AboutColumn::default()
    /// };
    /// let terms = MarginsTerms::new(Which::all(2), "0.1".parse()?, "1e-6".parse()?);
    /// let plan = terms.plan(&["a", "b", "c"].map(column))?;
    /// assert!(MarginsTerms::mostly_noise(&plan, 1_000.0).is_some());
    /// assert_eq!(MarginsTerms::mostly_noise(&plan, 1e9), None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn mostly_noise(plan: &Plan, n: f64) -> Option<String> {
        warning(plan, n, Told::Before)
    }
}

/// The warning for a number of records, which is public, a guess, or known with noise.
pub(super) fn warning(plan: &Plan, n: f64, told: Told) -> Option<String> {
    // What is known with noise can be zero or less.
    let n = n.max(1.0);
    let workload = plan.workload();
    let of_size = |columns: usize| {
        let sets = workload.sets().iter().enumerate().filter(|(_, set)| set.len() == columns);
        let errors: Vec<f64> = sets.map(|(index, _)| plan.expected_l1(index, n)).collect();
        let noisy = errors.iter().filter(|error| **error >= MOSTLY_NOISE).count();
        let middle = errors.iter().sum::<f64>() / errors.len().max(1) as f64;
        (noisy > 0).then(|| {
            let tables = match (noisy, errors.len()) {
                (1, 1) => format!("the table of {}", of_columns(columns)),
                (noisy, all) if noisy == all => format!("all {all} tables of {}", of_columns(columns)),
                (noisy, all) => format!("{noisy} of the {all} tables of {}", of_columns(columns)),
            };
            format!("{tables} (L1 error {} on average)", brief(middle))
        })
    };
    let found: Vec<String> = (1..=workload.order()).filter_map(of_size).collect();
    if found.is_empty() {
        return None;
    }
    let tables = found.join("; ");
    let records = count(n.round());
    Some(match told {
        Told::Before => format!(
            "nearly all that these tables will say is noise: {tables}. Their noise is expected to add up to more records than \
             there are ({records}). Release fewer or smaller tables, take a larger epsilon, or leave it"
        ),
        Told::After => format!(
            "Warning: nearly all that these tables say is noise: {tables}. Their noise is expected to add up to more records than \
             there are ({records}). Read larger groups, or tables of fewer columns."
        ),
    })
}

fn of_columns(columns: usize) -> String {
    if columns == 1 { "1 column".to_owned() } else { format!("{columns} columns") }
}
