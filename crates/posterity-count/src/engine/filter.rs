//! The public condition on records, as an expression of the engine.
//!
//! The engine has types and rules of its own, evaluates parts of a condition in any order, and leaves out groups of
//! rows by their statistics. So every comparison is between values of one exact type; and a condition that can fail on
//! a record is not made of AND and OR, which the engine may rearrange, but of branches, of which it evaluates those
//! that apply.

use datafusion::arrow::datatypes::{DataType, Schema};
use datafusion::common::ScalarValue;
use datafusion::error::DataFusionError;
use datafusion::logical_expr::expr::{Case, Like};
use datafusion::logical_expr::{Expr, binary_expr, lit, when};
use posterity_formats::{ValueKind, kind};

use super::columns::{name, plain_text, unkeyed};
use super::complaint::Complaint;
use super::numbers::{Exact, operator, read};
use crate::filter::{Comparator, Constant, EvaluationError, Expression, Filter, FilterError, List, Pattern};

/// The most comparisons that can fail, counted as often as they occur in the expression. Branches repeat them: a part
/// of `AND` or `OR` twice for each pair of parentheses around it.
const MAX_RISKY: usize = 1_000;

/// Why there is no expression.
pub(crate) enum Refused {
    /// The filter asks for something that the engine cannot be asked for.
    Filter(FilterError),
    /// The engine refuses to build it.
    Engine(DataFusionError),
}

impl From<FilterError> for Refused {
    fn from(error: FilterError) -> Self {
        Self::Filter(error)
    }
}

impl From<DataFusionError> for Refused {
    fn from(error: DataFusionError) -> Self {
        Self::Engine(error)
    }
}

/// An expression that is true of the records for which the filter is.
pub(crate) struct Condition {
    pub(crate) expression: Expr,
    /// Whether it can fail on a record.
    pub(crate) can_fail: bool,
}

/// The expression for a filter.
pub(crate) fn translate(filter: &Filter, schema: &Schema) -> Result<Condition, Refused> {
    Ok(match (Translation { filter, schema }).truth(filter.condition())? {
        Part::Safe(expression) => Condition { expression, can_fail: false },
        // Not an equality, which the engine would carry into the branches.
        Part::Risky { code, .. } => Condition { expression: code.gt(lit(UNKNOWN)), can_fail: true },
    })
}

const FALSE: i64 = 0;
const UNKNOWN: i64 = 1;
const TRUE: i64 = 2;

/// A condition as the engine sees it.
enum Part {
    /// An expression that cannot fail on a record.
    Safe(Expr),
    /// One that can, as the number of its truth value.
    Risky {
        code: Expr,
        /// How many comparisons that can fail it is made of.
        size: usize,
    },
}

impl Part {
    fn unknown() -> Self {
        Self::Safe(lit(ScalarValue::Boolean(None)))
    }

    fn risky(condition: Expr) -> Self {
        Self::Risky { code: numbered(condition), size: 1 }
    }

    fn is_risky(&self) -> bool {
        matches!(self, Self::Risky { .. })
    }

    fn code(self) -> Expr {
        match self {
            Self::Safe(condition) => numbered(condition),
            Self::Risky { code, .. } => code,
        }
    }

    fn size(&self) -> usize {
        match self {
            Self::Safe(_) => 0,
            Self::Risky { size, .. } => *size,
        }
    }

    fn negated(self, negated: bool) -> Self {
        match self {
            part if !negated => part,
            Self::Safe(condition) => Self::Safe(Expr::Not(Box::new(condition))),
            Self::Risky { code, size } => Self::Risky {
                code: choose(code, &[(FALSE, lit(TRUE)), (TRUE, lit(FALSE))], lit(UNKNOWN)),
                size,
            },
        }
    }

    /// `AND`, for which false decides, or `OR`, for which true does. Stops from left to right at the first part that
    /// decides.
    fn joined(parts: Vec<Self>, decides: bool) -> Result<Self, Refused> {
        let size: usize = parts.iter().map(|part| 2 * part.size()).sum();
        if size > MAX_RISKY {
            let what = "parentheses too deep within each other".into();
            return Err(FilterError::Forbidden { what, remedy: SIMPLER }.into());
        }
        let risky = parts.iter().any(Self::is_risky);
        let (decided, open) = if decides { (TRUE, FALSE) } else { (FALSE, TRUE) };
        let mut joined: Option<Self> = None;
        for part in parts {
            joined = Some(match joined {
                None if !risky => part,
                None => Self::Risky { code: part.code(), size },
                Some(Self::Safe(left)) => {
                    let Self::Safe(right) = part else {
                        return Err(FilterError::NotBoolean { kind: "a part" }.into());
                    };
                    Self::Safe(if decides { left.or(right) } else { left.and(right) })
                }
                Some(Self::Risky { code: left, size }) => {
                    let right = part.code();
                    let after_unknown = choose(right.clone(), &[(decided, lit(decided))], lit(UNKNOWN));
                    let code = choose(left, &[(decided, lit(decided)), (open, right)], after_unknown);
                    Self::Risky { code, size }
                }
            });
        }
        Ok(joined.unwrap_or_else(|| Self::Safe(lit(!decides))))
    }
}

/// The number of a truth value.
fn numbered(condition: Expr) -> Expr {
    let branches =
        [(true, TRUE), (false, FALSE)].map(|(truth, code)| (Box::new(lit(truth)), Box::new(lit(code))));
    Expr::Case(Case::new(Some(Box::new(condition)), branches.into(), Some(Box::new(lit(UNKNOWN)))))
}

/// What belongs to a number; only that is evaluated.
fn choose(code: Expr, branches: &[(i64, Expr)], otherwise: Expr) -> Expr {
    let branches =
        branches.iter().map(|(code, then)| (Box::new(lit(*code)), Box::new(then.clone()))).collect();
    Expr::Case(Case::new(Some(Box::new(code)), branches, Some(Box::new(otherwise))))
}

const SIMPLER: &str = "a cluster compares a column of text, integers, decimals or truth values with a constant: do so, store the \
                       result in a column of its own, or count without the cluster";

const WRITTEN: &str = "on a cluster write TEXT(column) to compare what is written there, or numbers without quotes, or count without the \
                       cluster";

fn forbidden(what: impl Into<String>) -> Refused {
    FilterError::Forbidden { what: what.into(), remedy: SIMPLER }.into()
}

struct Translation<'a> {
    filter: &'a Filter,
    schema: &'a Schema,
}

/// A column of the filter.
struct Column<'a> {
    position: usize,
    name: &'a str,
    expression: Expr,
    /// The type of its values.
    stored: &'a DataType,
}

impl<'a> Translation<'a> {
    fn truth(&self, condition: &Expression) -> Result<Part, Refused> {
        if let Some(constant) = constant(condition)? {
            return Ok(match constant {
                Constant::Truth(truth) => Part::Safe(lit(truth)),
                _ => Part::unknown(),
            });
        }
        match condition {
            Expression::Comparison { comparison, left, right } => self.compare(*comparison, left, right),
            Expression::And(parts) => Part::joined(self.all(parts)?, false),
            Expression::Or(parts) => Part::joined(self.all(parts)?, true),
            Expression::Not(part) => Ok(self.truth(part)?.negated(true)),
            Expression::Between { operand, low, high, negated } => {
                let above = self.compare(Comparator::AtLeast, operand, low)?;
                let below = self.compare(Comparator::AtMost, operand, high)?;
                Ok(Part::joined(vec![above, below], false)?.negated(*negated))
            }
            Expression::In { operand, list, negated } => Ok(self.listed(operand, list)?.negated(*negated)),
            Expression::Like { operand, pattern, negated } => {
                Ok(self.like(operand, pattern)?.negated(*negated))
            }
            Expression::IsNull { operand, negated } => Ok(self.missing(operand)?.negated(*negated)),
            Expression::IsTruth { operand, truth, negated } => {
                let part = match (self.truth(operand)?, truth) {
                    (Part::Safe(condition), true) => Part::Safe(condition.is_true()),
                    (Part::Safe(condition), false) => Part::Safe(condition.is_false()),
                    (Part::Risky { code, size }, truth) => {
                        let asked = if *truth { TRUE } else { FALSE };
                        Part::Risky { code: choose(code, &[(asked, lit(TRUE))], lit(FALSE)), size }
                    }
                };
                Ok(part.negated(*negated))
            }
            Expression::Column(position) => self.equals(&self.column(*position)?, Comparator::Equal, true),
            // The parser lets no number or text stand for a condition.
            Expression::Number(_)
            | Expression::Text(_)
            | Expression::TextOf(_)
            | Expression::Moment(_)
            | Expression::Truth(_)
            | Expression::Null
            | Expression::Sign { .. }
            | Expression::Chain { .. } => Err(forbidden("a value as a condition")),
        }
    }

    fn all(&self, parts: &[Expression]) -> Result<Vec<Part>, Refused> {
        parts.iter().map(|part| self.truth(part)).collect()
    }

    fn column(&self, position: usize) -> Result<Column<'a>, Refused> {
        let name_of = &self.filter.columns()[position];
        let field = self.schema.field_with_name(name_of).map_err(DataFusionError::from)?;
        Ok(Column {
            position,
            name: name_of,
            expression: plain_text(name(name_of), field.data_type()),
            stored: unkeyed(field.data_type()),
        })
    }

    fn compare(
        &self,
        comparison: Comparator,
        left: &Expression,
        right: &Expression,
    ) -> Result<Part, Refused> {
        match (left, right) {
            (Expression::Column(column), other) => self.against(*column, comparison, other),
            (other, Expression::Column(column)) => self.against(*column, mirrored(comparison), other),
            (Expression::TextOf(column), other) => self.written(*column, comparison, other),
            (other, Expression::TextOf(column)) => self.written(*column, mirrored(comparison), other),
            _ => Err(computed()),
        }
    }

    /// A comparison of `TEXT(column)` with a constant: of bytes, which cannot fail.
    fn written(&self, column: usize, comparison: Comparator, other: &Expression) -> Result<Part, Refused> {
        let Some(constant) = constant(other)? else { return Err(forbidden("a comparison of two columns")) };
        let column = self.column(column)?;
        match (kind(column.stored), &constant) {
            (_, Constant::Missing) | (ValueKind::Missing, _) => Ok(Part::unknown()),
            (ValueKind::Text, Constant::Text(text)) => Ok(column.compared(comparison, text.text())),
            _ => Err(column.forbidden("text")),
        }
    }

    fn against(&self, column: usize, comparison: Comparator, other: &Expression) -> Result<Part, Refused> {
        let Some(constant) = constant(other)? else {
            return Err(match other {
                Expression::Column(_) => forbidden("a comparison of two columns"),
                _ => computed(),
            });
        };
        let column = self.column(column)?;
        match (kind(column.stored), &constant) {
            (_, Constant::Missing) | (ValueKind::Missing, _) => Ok(Part::unknown()),
            // Text that is not a number equals no number and no date, so that its bytes decide. By order, and with a
            // number in quotes, what a value is decides, and the engine cannot be asked that.
            (ValueKind::Text, Constant::Text(text))
                if text.number().is_none() && !comparison.is_by_order() =>
            {
                Ok(column.compared(comparison, text.text()))
            }
            (ValueKind::Text, Constant::Text(_)) => Err(column.ambiguous()),
            (_, Constant::Number(number)) => {
                let (exact, risky) = column.numbers()?;
                let condition = exact.compare(comparison, number);
                Ok(if risky { Part::risky(condition) } else { Part::Safe(condition) })
            }
            (_, Constant::Truth(truth)) => self.equals(&column, comparison, *truth),
            (_, Constant::Text(_)) => Err(column.forbidden("text")),
            (_, Constant::Moment) => Err(column.forbidden("a date")),
        }
    }

    /// A comparison with true or false. False comes before true.
    fn equals(&self, column: &Column<'_>, comparison: Comparator, truth: bool) -> Result<Part, Refused> {
        let value = column.expression.clone();
        match kind(column.stored) {
            ValueKind::Missing => Ok(Part::unknown()),
            ValueKind::Boolean => Ok(Part::Safe(binary_expr(value, operator(comparison), lit(truth)))),
            ValueKind::Text => {
                let code =
                    |stored: bool| lit(if comparison.holds(stored.cmp(&truth)) { TRUE } else { FALSE });
                let wrong = Complaint::Filter(EvaluationError::NotATruth { column: column.position });
                let code = when(value.clone().eq(column.literal("true")), code(true))
                    .when(value.clone().eq(column.literal("false")), code(false))
                    .when(value.clone().is_null(), lit(UNKNOWN))
                    .otherwise(wrong.raised_by(value))?;
                Ok(Part::Risky { code, size: 1 })
            }
            _ => Err(column.forbidden("a condition")),
        }
    }

    fn listed(&self, operand: &Expression, list: &List) -> Result<Part, Refused> {
        let (position, written) = match operand {
            Expression::Column(position) => (position, false),
            Expression::TextOf(position) => (position, true),
            _ => return Err(computed()),
        };
        let column = self.column(*position)?;
        match (kind(column.stored), list) {
            (ValueKind::Missing, _) => Ok(Part::unknown()),
            (ValueKind::Text, List::Texts(texts)) if written || texts.numbers().is_empty() => {
                let texts = texts.texts().iter().map(|text| column.literal(text)).collect();
                Ok(Part::Safe(column.expression.in_list(texts, false)))
            }
            (ValueKind::Text, List::Texts(_)) => Err(column.ambiguous()),
            (_, List::Texts(_)) => Err(column.forbidden("text")),
            (_, List::Numbers(numbers)) => {
                let (exact, risky) = column.numbers()?;
                let condition = exact.among(numbers);
                Ok(if risky { Part::risky(condition) } else { Part::Safe(condition) })
            }
            (_, List::Mixed(items)) => {
                let equal = |item| self.compare(Comparator::Equal, operand, item);
                Part::joined(items.iter().map(equal).collect::<Result<_, _>>()?, true)
            }
        }
    }

    fn like(&self, operand: &Expression, pattern: &Pattern) -> Result<Part, Refused> {
        let (position, written) = match operand {
            Expression::Column(position) => (position, false),
            Expression::TextOf(position) => (position, true),
            _ => return Err(computed()),
        };
        let column = self.column(*position)?;
        match kind(column.stored) {
            ValueKind::Missing => Ok(Part::unknown()),
            ValueKind::Text if !written => Err(column.ambiguous()),
            ValueKind::Text => {
                let pattern = column.literal(&pattern.with_backslashes());
                let value = Box::new(column.expression);
                Ok(Part::Safe(Expr::Like(Like::new(false, value, Box::new(pattern), None, false))))
            }
            _ => Err(column.forbidden("a pattern")),
        }
    }

    fn missing(&self, operand: &Expression) -> Result<Part, Refused> {
        match operand {
            Expression::Column(position) => Ok(Part::Safe(name(&self.filter.columns()[*position]).is_null())),
            Expression::TextOf(position) => {
                let column = self.column(*position)?;
                match kind(column.stored) {
                    ValueKind::Text | ValueKind::Missing => Ok(Part::Safe(name(column.name).is_null())),
                    _ => Err(column.forbidden("text")),
                }
            }
            Expression::Sign { .. } | Expression::Chain { .. } => Err(computed()),
            condition => Ok(match self.truth(condition)? {
                Part::Safe(condition) => Part::Safe(condition.is_null()),
                Part::Risky { code, size } => {
                    Part::Risky { code: choose(code, &[(UNKNOWN, lit(TRUE))], lit(FALSE)), size }
                }
            }),
        }
    }
}

impl Column<'_> {
    /// A comparison of text, byte by byte.
    fn compared(self, comparison: Comparator, text: &str) -> Part {
        let text = self.literal(text);
        Part::Safe(binary_expr(self.expression, operator(comparison), text))
    }

    /// What the engine cannot compare as this machine does, because it would have to tell what each value is.
    fn ambiguous(&self) -> Refused {
        let what = format!(
            "a comparison of column {:?} with text in quotes by order, by LIKE or with a number",
            self.name
        );
        FilterError::Forbidden { what, remedy: WRITTEN }.into()
    }

    /// Text of the column's own type.
    fn literal(&self, text: &str) -> Expr {
        let text = Some(text.to_owned());
        lit(match self.stored {
            DataType::LargeUtf8 => ScalarValue::LargeUtf8(text),
            DataType::Utf8View => ScalarValue::Utf8View(text),
            _ => ScalarValue::Utf8(text),
        })
    }

    /// The numbers that the column holds, and whether finding them can fail.
    fn numbers(&self) -> Result<(Exact, bool), Refused> {
        let value = self.expression.clone();
        if kind(self.stored) == ValueKind::Text {
            let wrong = Complaint::Filter(EvaluationError::NotANumber { column: self.position });
            return Ok((
                Exact::of_read(read(value, Complaint::FilterNumber(self.position), Some(wrong))?),
                true,
            ));
        }
        match Exact::of_column(value, self.stored) {
            Some(exact) => Ok((exact, false)),
            None => Err(self.forbidden("a number")),
        }
    }

    fn forbidden(&self, what: &str) -> Refused {
        forbidden(format!(
            "a comparison of column {:?}, which is of type {}, with {what}",
            self.name, self.stored
        ))
    }
}

fn computed() -> Refused {
    forbidden("arithmetic on a column, or a comparison of conditions")
}

/// The value of a part that is the same for every record.
fn constant(part: &Expression) -> Result<Option<Constant>, Refused> {
    Constant::of(part).transpose().map_err(|_| forbidden("a division by zero"))
}

/// The comparison with its sides exchanged.
fn mirrored(comparison: Comparator) -> Comparator {
    match comparison {
        Comparator::Less => Comparator::Greater,
        Comparator::AtMost => Comparator::AtLeast,
        Comparator::Greater => Comparator::Less,
        Comparator::AtLeast => Comparator::AtMost,
        comparison => comparison,
    }
}
