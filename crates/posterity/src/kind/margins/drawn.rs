//! What was drawn.

#[cfg(feature = "data")]
use posterity_margins::Plan;
use posterity_margins::Precision;
use serde::{Deserialize, Serialize};

/// What was drawn, in the order of the tables: smaller sets of columns first, then in the order of the columns. Where n
/// is private, the first is the number of records with noise; else n is not part of it.
///
/// Each line of residuals is the table centred along every axis, times the number of its cells, with noise. The
/// precisions say with how much; they follow from the request up to rounding, and are stated so that every reader has
/// the same.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Form", into = "Form")]
pub struct DrawnMargins {
    pub(super) precisions: Vec<Precision>,
    pub(super) residuals: Vec<Vec<i64>>,
}

impl DrawnMargins {
    /// What was drawn by a plan, of every table and of the number of records. That number is left out if it is public.
    #[cfg(feature = "data")]
    pub(super) fn new(plan: &Plan, mut residuals: Vec<Vec<i64>>, public: bool) -> Self {
        residuals.drain(..usize::from(public));
        let sets = plan.workload().sets().len();
        Self { precisions: (0..sets).filter_map(|index| plan.precision(index)).collect(), residuals }
    }

    /// With how much noise each line was drawn.
    #[must_use]
    pub fn precisions(&self) -> &[Precision] {
        &self.precisions
    }

    /// The numbers.
    #[must_use]
    pub fn residuals(&self) -> &[Vec<i64>] {
        &self.residuals
    }
}

/// One text for each table, so that a document is short.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Form {
    /// `mantissa/2^shift`.
    precisions: Vec<String>,
    /// Numbers with a space between them.
    residuals: Vec<String>,
}

impl From<DrawnMargins> for Form {
    fn from(drawn: DrawnMargins) -> Self {
        Self {
            precisions: drawn.precisions.iter().map(|&precision| precision_text(precision)).collect(),
            residuals: drawn.residuals.iter().map(|numbers| numbers_text(numbers)).collect(),
        }
    }
}

fn precision_text(precision: Precision) -> String {
    format!("{}/2^{}", precision.mantissa(), precision.shift())
}

fn numbers_text(numbers: &[i64]) -> String {
    numbers.iter().map(i64::to_string).collect::<Vec<_>>().join(" ")
}

impl TryFrom<Form> for DrawnMargins {
    type Error = String;

    fn try_from(form: Form) -> Result<Self, String> {
        let precisions = form.precisions.iter().map(|text| precision(text)).collect::<Option<_>>();
        let residuals = form.residuals.iter().map(|text| numbers(text)).collect::<Option<_>>();
        let parts = precisions.zip(residuals);
        let (precisions, residuals) = parts.ok_or("what was drawn is not written as numbers")?;
        Ok(Self { precisions, residuals })
    }
}

fn precision(text: &str) -> Option<Precision> {
    let (mantissa, shift) = text.split_once("/2^")?;
    let precision = Precision::new(mantissa.parse().ok()?, shift.parse().ok()?).ok()?;
    (precision_text(precision) == text).then_some(precision)
}

fn numbers(text: &str) -> Option<Vec<i64>> {
    let numbers: Vec<i64> = text.split(' ').map(|number| number.parse().ok()).collect::<Option<_>>()?;
    (numbers_text(&numbers) == text).then_some(numbers)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_read_as_it_is_written() {
        let drawn = DrawnMargins {
            precisions: vec![Precision::new(699_051, 24).expect("in range")],
            residuals: vec![vec![3, -3], vec![0]],
        };
        let text = serde_json::to_string(&drawn).expect("serialises");
        assert_eq!(text, r#"{"precisions":["699051/2^24"],"residuals":["3 -3","0"]}"#);
        assert_eq!(serde_json::from_str::<DrawnMargins>(&text).expect("reads"), drawn);
        for (from, to) in
            [("3 -3", "+3 -3"), ("3 -3", "3  -3"), ("3 -3", ""), ("2^24", "2^024"), ("2^24", "2^924")]
        {
            assert!(serde_json::from_str::<DrawnMargins>(&text.replace(from, to)).is_err(), "{to}");
        }
    }
}
