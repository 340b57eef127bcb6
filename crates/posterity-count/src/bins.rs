//! Numbers sorted into declared bins.

use posterity_formats::{Number, Value};
use thiserror::Error;

/// Intervals between increasing edges. Each includes its lower edge and excludes its upper one.
///
/// ```
/// use posterity_count::Bins;
/// let ages = Bins::new(["0", "18", "65", "120"])?;
/// assert_eq!(ages.names(), ["[0,18)", "[18,65)", "[65,120)"]);
/// # Ok::<(), posterity_count::BinsError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bins {
    /// The edges as they were written, blanks aside.
    texts: Vec<String>,
    edges: Vec<Number>,
}

/// Why edges make no bins.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum BinsError {
    /// Fewer than two edges.
    #[error("there are {found} edges; bins need at least two, such as 0, 18 and 65")]
    TooFew {
        /// How many were given.
        found: usize,
    },
    /// An edge that is not a number.
    #[error("edge {position}, {text:?}, is no number; write edges as decimals, such as 0, 18 or 65.5", position = index + 1)]
    NotANumber {
        /// Position of the edge, from zero.
        index: usize,
        /// What was given.
        text: String,
    },
    /// Edges that do not increase.
    #[error("edge {position}, {text:?}, is not larger than the one before; list the edges from small to large", position = index + 1)]
    NotGrowing {
        /// Position of the edge, from zero.
        index: usize,
        /// What was given.
        text: String,
    },
}

impl Bins {
    /// The bins between these edges.
    ///
    /// # Errors
    /// [`BinsError`] says which edge is wrong.
    pub fn new<T: AsRef<str>>(edges: impl IntoIterator<Item = T>) -> Result<Self, BinsError> {
        let texts: Vec<String> = edges.into_iter().map(|edge| edge.as_ref().trim().to_owned()).collect();
        let mut edges: Vec<Number> = Vec::with_capacity(texts.len());
        for (index, text) in texts.iter().enumerate() {
            let edge = Number::parse(text.as_bytes())
                .ok_or_else(|| BinsError::NotANumber { index, text: text.clone() })?;
            if edges.last().is_some_and(|last| *last >= edge) {
                return Err(BinsError::NotGrowing { index, text: text.clone() });
            }
            edges.push(edge);
        }
        if edges.len() < 2 {
            return Err(BinsError::TooFew { found: edges.len() });
        }
        Ok(Self { texts, edges })
    }

    /// The edges as they were written.
    #[must_use]
    pub fn edges(&self) -> &[String] {
        &self.texts
    }

    /// The names of the bins: `[18,40)` holds 18 and everything up to, but not, 40.
    #[must_use]
    pub fn names(&self) -> Vec<String> {
        self.texts.windows(2).map(|pair| format!("[{},{})", pair[0], pair[1])).collect()
    }

    /// The bin that holds a value; none for what is outside, or no number.
    pub(crate) fn find(&self, value: Value<'_>) -> Option<usize> {
        let number = Number::of(value)?;
        let below = self.edges.partition_point(|edge| *edge <= number);
        below.checked_sub(1).filter(|bin| bin + 1 < self.edges.len())
    }

    /// The edges themselves.
    #[cfg(feature = "datafusion")]
    pub(crate) fn numbers(&self) -> &[Number] {
        &self.edges
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edges_belong_to_the_bin_above() {
        let bins = Bins::new(["-1.5", " 0", "18", "40.5"]).expect("valid");
        assert_eq!(bins.names(), ["[-1.5,0)", "[0,18)", "[18,40.5)"]);
        let table: [(Value<'_>, Option<usize>); 14] = [
            (Value::Integer(-2), None),
            (Value::Integer(-1), Some(0)),
            (Value::Integer(0), Some(1)),
            (Value::Integer(17), Some(1)),
            (Value::Integer(18), Some(2)),
            (Value::Integer(40), Some(2)),
            (Value::Integer(41), None),
            (Value::Text(b"-1.5"), Some(0)),
            (Value::Text(b"17.999999999999999999999999"), Some(1)),
            (Value::Literal(b"1.8e1"), Some(2)),
            (Value::Double(40.5), None),
            (Value::Double(f64::NAN), None),
            (Value::Text(b"old"), None),
            (Value::Boolean(true), None),
        ];
        for (value, bin) in table {
            assert_eq!(bins.find(value), bin, "{value:?}");
        }
    }

    #[test]
    fn rejects() {
        let not = |index, text: &str| BinsError::NotANumber { index, text: text.into() };
        let table: [(&[&str], BinsError); 6] = [
            (&[], BinsError::TooFew { found: 0 }),
            (&["1"], BinsError::TooFew { found: 1 }),
            (&["1", "x"], not(1, "x")),
            (&["", "1"], not(0, "")),
            (&["NaN", "1"], not(0, "NaN")),
            (&["1", "2", "2.0"], BinsError::NotGrowing { index: 2, text: "2.0".into() }),
        ];
        for (edges, error) in table {
            assert_eq!(Bins::new(edges), Err(error));
        }
    }
}
