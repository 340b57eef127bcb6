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
    least: Least,
}

/// For each edge the least number of a type that is not below it, so that values of that type are compared as they are.
#[derive(Clone, Debug, PartialEq)]
struct Least {
    doubles: Vec<f64>,
    singles: Vec<f32>,
    /// Nothing for an edge above all of them.
    integers: Vec<Option<i128>>,
}

/// No edge is NaN.
impl Eq for Least {}

impl Least {
    fn new(edges: &[Number]) -> Self {
        Self {
            doubles: edges.iter().map(|edge| edge.least_f64().max(f64::MIN)).collect(),
            singles: edges.iter().map(Number::least_f32).collect(),
            integers: edges.iter().map(Number::least_integer).collect(),
        }
    }
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
        let least = Least::new(&edges);
        Ok(Self { texts, edges, least })
    }

    /// The edges as they were written.
    #[must_use]
    pub fn edges(&self) -> &[String] {
        &self.texts
    }

    /// The edges.
    pub(crate) fn numbers(&self) -> &[Number] {
        &self.edges
    }

    /// The names of the bins: `[18,40)` holds 18 and everything up to, but not, 40.
    #[must_use]
    pub fn names(&self) -> Vec<String> {
        self.texts.windows(2).map(|pair| format!("[{},{})", pair[0], pair[1])).collect()
    }

    /// The first and the last whole number of each bin, in words, behind its name: `18 to 39` for `[18,40)`. Bins with an
    /// edge that is not whole, or longer than anybody reads, are left out.
    pub(crate) fn labels_of_whole_numbers(&self) -> impl Iterator<Item = (String, String)> + '_ {
        const DIGITS: usize = 15;
        let whole = |edge: &Number| {
            let (_, is_whole) = edge.floor_at(0);
            is_whole && edge.to_string().len() <= DIGITS
        };
        self.names().into_iter().zip(self.edges.windows(2)).filter_map(move |(name, pair)| {
            let (low, high) = (&pair[0], &pair[1]);
            if !whole(low) || !whole(high) {
                return None;
            }
            let last = high - &Number::from_i128(1);
            let label = if *low == last { low.to_string() } else { format!("{low} to {last}") };
            Some((name, label))
        })
    }

    /// The bin that holds a value; none for what is outside, or no number. A floating-point number is the shortest decimal
    /// that it prints as.
    #[inline]
    pub(crate) fn find(&self, value: Value<'_>) -> Option<usize> {
        let below = match value {
            Value::Double(number) => return self.find_double(number),
            Value::Single(number) if number.is_finite() => below(&self.least.singles, |edge| *edge <= number),
            Value::Integer(number) => {
                below(&self.least.integers, |edge| edge.is_some_and(|edge| edge <= number))
            }
            value => {
                let number = Number::of(value)?;
                below(&self.edges, |edge| *edge <= number)
            }
        };
        self.bin(below)
    }

    /// The bin that holds a floating-point number. No edge is at or below NaN and minus infinity, because each is at least the
    /// least number that is finite; and all are at or below infinity, so none of the three has a bin.
    #[inline]
    pub(crate) fn find_double(&self, number: f64) -> Option<usize> {
        self.bin(below(&self.least.doubles, |edge| *edge <= number))
    }

    /// Finds the bins of many numbers as `find_double` finds each, and adds what stands for them.
    pub(crate) fn extend_with_doubles<T: Copy>(
        &self,
        numbers: &[f64],
        of_bin: impl Fn(Option<usize>) -> T,
        found: &mut Vec<T>,
    ) {
        let edges = &self.least.doubles;
        if edges.len() > FEW {
            found.extend(numbers.iter().map(|number| of_bin(self.find_double(*number))));
            return;
        }
        let of_below: Vec<T> = (0..=edges.len()).map(|below| of_bin(self.bin(below))).collect();
        let mut below = [0_u8; TOGETHER];
        for numbers in numbers.chunks(TOGETHER) {
            let below = &mut below[..numbers.len()];
            below.fill(0);
            // Edge by edge, so that several numbers are compared by one instruction.
            for edge in edges {
                for (below, number) in below.iter_mut().zip(numbers) {
                    *below += u8::from(edge <= number);
                }
            }
            found.extend(below.iter().map(|&below| of_below[usize::from(below)]));
        }
    }

    /// The bin with so many edges at or below its values.
    #[inline]
    fn bin(&self, below: usize) -> Option<usize> {
        below.checked_sub(1).filter(|bin| bin + 1 < self.edges.len())
    }

    /// The edges themselves.
    #[cfg(feature = "datafusion")]
    pub(crate) fn numbers(&self) -> &[Number] {
        &self.edges
    }
}

/// So few edges are counted one after the other, which takes less time than jumps that nobody can foresee.
const FEW: usize = 32;

/// So many numbers are compared with one edge after the other.
const TOGETHER: usize = 512;

/// How many edges, which increase, are at or below something.
#[inline]
fn below<T>(edges: &[T], is_below: impl Fn(&T) -> bool) -> usize {
    if edges.len() <= FEW {
        edges.iter().map(|edge| usize::from(is_below(edge))).sum()
    } else {
        edges.partition_point(is_below)
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

    /// If this fails, a number is sorted into another bin where it is stored in another type.
    #[test]
    fn types_agree_with_the_decimal_that_they_print_as() {
        let written =
            ["-1e300", "-7.5", "-0.1", "0", "0.1", "0.3", "1", "16777217", "9007199254740993", "1e300"];
        let many: Vec<String> = (0..200).map(|edge| format!("{}.{}", edge / 7, edge % 7 + 1)).collect();
        let many: Vec<&str> = many.iter().map(String::as_str).collect();
        // These are no shortest decimals of a double, and lie between two of them.
        let between =
            ["0.1000000000000000055", "0.29999999999999996", "0.30000000000000002", "1e308", "1e309"];
        // Nothing finite is below the first edge or at the last one.
        let beyond = ["-1e400", "-1e309", "-0.0000000001", "1e309", "1e310"];
        let mut seed = 0x9e37_79b9_7f4a_7c15_u64;
        for edges in [&written[..], &many, &between, &beyond] {
            let bins = Bins::new(edges).expect("growing");
            let exactly = |text: String| {
                let number = Number::parse(text.as_bytes()).expect("a number");
                bins.bin(bins.edges.partition_point(|edge| *edge <= number))
            };
            let (mut all, mut by_itself) = (Vec::new(), Vec::new());
            let mut doubles = vec![f64::MAX, f64::MIN, -0.0, 0.0, 5e-324, -5e-324];
            for edge in edges {
                let near: f64 = edge.parse().expect("a number");
                let around = [
                    near.next_down().next_down(),
                    near.next_down(),
                    near,
                    near.next_up(),
                    near.next_up().next_up(),
                ];
                doubles.extend(around.iter().filter(|near| near.is_finite()));
            }
            for _ in 0..20_000 {
                seed ^= seed << 13;
                seed ^= seed >> 7;
                seed ^= seed << 17;
                doubles.extend([(seed % 3_000) as f64 / 100.0, f64::from_bits(seed)]);
            }
            for double in doubles.into_iter().filter(|double| double.is_finite()) {
                assert_eq!(
                    bins.find(Value::Double(double)),
                    exactly(format!("{double}")),
                    "{double:e} in {edges:?}"
                );
                all.push(double);
                by_itself.push(bins.find(Value::Double(double)));
                assert_eq!(
                    bins.find(Value::Text(format!("{double:e}").as_bytes())),
                    exactly(format!("{double}"))
                );
                let single = double as f32;
                if single.is_finite() {
                    assert_eq!(bins.find(Value::Single(single)), exactly(format!("{single}")), "{single:e}");
                }
                let whole = double as i128;
                assert_eq!(bins.find(Value::Integer(whole)), exactly(whole.to_string()), "{whole}");
            }
            for strange in [f64::NAN, -f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
                all.push(strange);
                by_itself.push(None);
                assert_eq!(bins.find(Value::Double(strange)), None);
                assert_eq!(bins.find(Value::Single(strange as f32)), None);
            }
            // All at once, and as many as do not fill the last block.
            for length in [0, 1, TOGETHER, TOGETHER + 1, all.len()] {
                let (last, mut found) = (all.len() - length, vec![Some(usize::MAX)]);
                bins.extend_with_doubles(&all[last..], |bin| bin, &mut found);
                assert_eq!(found[1..], by_itself[last..], "{edges:?}");
            }
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
