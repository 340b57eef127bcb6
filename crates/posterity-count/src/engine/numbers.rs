//! Exact comparisons of a column with a number.

use dashu_int::IBig;
use datafusion::arrow::datatypes::{DECIMAL256_MAX_PRECISION, DataType, i256};
use datafusion::common::ScalarValue;
use datafusion::error::DataFusionError;
use datafusion::logical_expr::{Expr, Operator, binary_expr, cast, lit, when};
use posterity_formats::Number;

use super::complaint::Complaint;
use crate::filter::Comparator;

/// Text is compared as a decimal with this many digits before the point.
const WHOLE: u32 = 37;

/// Text is compared as a decimal with this many digits behind the point.
const FRACTION: u32 = 38;

/// A plain decimal of at most this many digits, as a regular expression.
fn plain() -> String {
    format!("^[+-]?([0-9]{{1,{WHOLE}}}([.][0-9]{{0,{FRACTION}}})?|[.][0-9]{{1,{FRACTION}}})$")
}

/// Everything that is written as a number.
const NUMBER: &str = "^[+-]?([0-9]+([.][0-9]*)?|[.][0-9]+)([eE][+-]?[0-9]+)?$";

/// The type that text is read as. Its values have one digit less than the type allows, so that there are bounds outside
/// them.
const READ: DataType = DataType::Decimal256(DECIMAL256_MAX_PRECISION, FRACTION as i8);

/// An expression whose values are whole multiples of a power of ten.
#[derive(Clone, Debug)]
pub(crate) struct Exact {
    expression: Expr,
    kind: DataType,
    scale: u32,
}

/// What is known of a comparison before any value is seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Decided {
    /// True of every value that is there.
    Always,
    /// False of every value that is there.
    Never,
}

impl Exact {
    /// A column of integers or decimals; nothing for other types.
    pub(crate) fn of_column(column: Expr, kind: &DataType) -> Option<Self> {
        let scale = match kind {
            DataType::Decimal128(_, scale) => u32::try_from(*scale).ok()?,
            kind if kind.is_integer() => 0,
            _ => return None,
        };
        Some(Self { expression: column, kind: kind.clone(), scale })
    }

    /// Numbers that [`read`] has made of text.
    pub(crate) fn of_read(expression: Expr) -> Self {
        Self { expression, kind: READ, scale: FRACTION }
    }

    /// A comparison with a number: true, false, or unknown where the value is missing.
    pub(crate) fn compare(&self, comparison: Comparator, number: &Number) -> Expr {
        let (floor, exact) = number.floor_at(self.scale);
        // Of whole numbers, those below a fraction are those not above its floor.
        let comparison = match comparison {
            comparison if exact => comparison,
            Comparator::Equal => return self.decided(Decided::Never),
            Comparator::Unequal => return self.decided(Decided::Always),
            Comparator::Less | Comparator::AtMost => Comparator::AtMost,
            Comparator::Greater | Comparator::AtLeast => Comparator::Greater,
        };
        match self.literal(&floor) {
            Some(literal) => binary_expr(self.expression.clone(), operator(comparison), lit(literal)),
            None => {
                let above = floor > IBig::ZERO;
                let holds = match comparison {
                    Comparator::Equal => false,
                    Comparator::Unequal => true,
                    Comparator::Less | Comparator::AtMost => above,
                    Comparator::Greater | Comparator::AtLeast => !above,
                };
                self.decided(if holds { Decided::Always } else { Decided::Never })
            }
        }
    }

    /// Whether the value is among these numbers.
    pub(crate) fn among(&self, numbers: &[Number]) -> Expr {
        let exact = numbers.iter().map(|number| number.floor_at(self.scale)).filter(|(_, exact)| *exact);
        let list: Vec<Expr> = exact.filter_map(|(number, _)| self.literal(&number)).map(lit).collect();
        if list.is_empty() {
            self.decided(Decided::Never)
        } else {
            self.expression.clone().in_list(list, false)
        }
    }

    /// A comparison whose outcome is known, unless the value is missing. It looks at the value all the same: making a
    /// number of text may fail.
    fn decided(&self, decided: Decided) -> Expr {
        let value = self.expression.clone();
        let unknown = || lit(ScalarValue::Boolean(None));
        match (self.literal(&IBig::from(10_u8).pow((WHOLE + FRACTION) as usize)), decided) {
            (Some(bound), Decided::Always) if self.kind == READ => value.lt(lit(bound)),
            (Some(bound), Decided::Never) if self.kind == READ => value.gt(lit(bound)),
            (_, Decided::Always) => value.is_not_null().or(unknown()),
            (_, Decided::Never) => value.is_null().and(unknown()),
        }
    }

    /// The value with this multiple of the power of ten; nothing if the type has none.
    fn literal(&self, multiple: &IBig) -> Option<ScalarValue> {
        let digits = |precision: u8| {
            -IBig::from(10_u8).pow(precision.into()) < *multiple
                && *multiple < IBig::from(10_u8).pow(precision.into())
        };
        match self.kind {
            DataType::Int8 => i8::try_from(multiple).ok().map(ScalarValue::from),
            DataType::Int16 => i16::try_from(multiple).ok().map(ScalarValue::from),
            DataType::Int32 => i32::try_from(multiple).ok().map(ScalarValue::from),
            DataType::Int64 => i64::try_from(multiple).ok().map(ScalarValue::from),
            DataType::UInt8 => u8::try_from(multiple).ok().map(ScalarValue::from),
            DataType::UInt16 => u16::try_from(multiple).ok().map(ScalarValue::from),
            DataType::UInt32 => u32::try_from(multiple).ok().map(ScalarValue::from),
            DataType::UInt64 => u64::try_from(multiple).ok().map(ScalarValue::from),
            DataType::Decimal128(precision, scale) if digits(precision) => {
                let value = i128::try_from(multiple).ok()?;
                Some(ScalarValue::Decimal128(Some(value), precision, scale))
            }
            DataType::Decimal256(precision, scale) if digits(precision) => {
                let value = i256::from_string(&multiple.to_string())?;
                Some(ScalarValue::Decimal256(Some(value), precision, scale))
            }
            _ => None,
        }
    }
}

/// The number that text is, missing where the text is. What is written as a number and not read here raises `unread`;
/// what is no number raises `wrong`, or is missing if there is no such complaint.
pub(crate) fn read(text: Expr, unread: Complaint, wrong: Option<Complaint>) -> Result<Expr, DataFusionError> {
    let matches = |pattern: String| binary_expr(text.clone(), Operator::RegexMatch, lit(pattern));
    let mut number = when(matches(plain()), cast(text.clone(), READ));
    let raised = cast(unread.raised_by(text.clone()), READ);
    let mut number = number.when(matches(NUMBER.into()), raised);
    match wrong {
        Some(wrong) => number.otherwise(cast(wrong.raised_by(text.clone()), READ)),
        None => number.end(),
    }
}

pub(crate) fn operator(comparison: Comparator) -> Operator {
    match comparison {
        Comparator::Equal => Operator::Eq,
        Comparator::Unequal => Operator::NotEq,
        Comparator::Less => Operator::Lt,
        Comparator::AtMost => Operator::LtEq,
        Comparator::Greater => Operator::Gt,
        Comparator::AtLeast => Operator::GtEq,
    }
}
