//! A condition, as a tree.

use std::cmp::Ordering;

use posterity_formats::Number;

use super::like::Pattern;
use super::moment::Moment;
use super::quoted::Quoted;

/// A part of a condition.
///
/// The parser makes no others than these: conditions consist of conditions and comparisons; both sides of a comparison
/// are of one [`OperandKind`], unless one is a column or missing; arithmetic has numbers, columns and missing values.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Expression {
    /// The value in the column of this position among the filter's columns.
    Column(usize),
    /// A number.
    Number(Number),
    /// Text in single quotes.
    Text(Quoted),
    /// `DATE 'day'` or `TIMESTAMP 'moment'`.
    Moment(Moment),
    /// `TEXT(column)`: the printed form of the value.
    TextOf(usize),
    /// `TRUE` or `FALSE`.
    Truth(bool),
    /// `NULL`.
    Null,
    /// `-number` or `+number`.
    Sign {
        /// Whether it is a minus.
        minus: bool,
        /// The number.
        operand: Box<Expression>,
    },
    /// Operators of one rank, applied from left to right: `a + b - c`, or `a * b / c`.
    Chain {
        /// The first operand.
        first: Box<Expression>,
        /// Each operator with its right operand.
        rest: Vec<(Arithmetic, Expression)>,
    },
    /// `left = right` and the like.
    Comparison {
        /// Which comparison.
        comparison: Comparator,
        /// What stands on the left.
        left: Box<Expression>,
        /// What stands on the right.
        right: Box<Expression>,
    },
    /// `operand [NOT] BETWEEN low AND high`: `operand >= low AND operand <= high`.
    Between {
        /// What is compared.
        operand: Box<Expression>,
        /// The least.
        low: Box<Expression>,
        /// The greatest.
        high: Box<Expression>,
        /// Whether there is a `NOT`.
        negated: bool,
    },
    /// `operand [NOT] IN (list)`: equal to one of them.
    In {
        /// What is compared.
        operand: Box<Expression>,
        /// With what.
        list: List,
        /// Whether there is a `NOT`.
        negated: bool,
    },
    /// `operand [NOT] LIKE pattern`.
    Like {
        /// What is compared.
        operand: Box<Expression>,
        /// The pattern.
        pattern: Pattern,
        /// Whether there is a `NOT`.
        negated: bool,
    },
    /// `operand IS [NOT] NULL`.
    IsNull {
        /// What is asked about.
        operand: Box<Expression>,
        /// Whether there is a `NOT`.
        negated: bool,
    },
    /// `operand IS [NOT] TRUE` or `FALSE`.
    IsTruth {
        /// What is asked about.
        operand: Box<Expression>,
        /// Which of both.
        truth: bool,
        /// Whether there is a `NOT`.
        negated: bool,
    },
    /// `NOT condition`.
    Not(Box<Expression>),
    /// Conditions joined by `AND`.
    And(Vec<Expression>),
    /// Conditions joined by `OR`.
    Or(Vec<Expression>),
}

/// What `IN` lists.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum List {
    /// Texts only.
    Texts(Texts),
    /// Numbers only, sorted.
    Numbers(Vec<Number>),
    /// Anything else, in the order of the filter.
    Mixed(Vec<Expression>),
}

/// Texts in single quotes, so that one is found without trying each.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Texts {
    /// All of them, sorted by their bytes.
    texts: Vec<String>,
    /// The numbers among them, sorted.
    numbers: Vec<Number>,
}

/// An operator on numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Arithmetic {
    /// `+`
    Plus,
    /// `-`
    Minus,
    /// `*`
    Times,
    /// `/`
    Over,
}

/// A comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Comparator {
    /// `=`
    Equal,
    /// `<>`
    Unequal,
    /// `<`
    Less,
    /// `<=`
    AtMost,
    /// `>`
    Greater,
    /// `>=`
    AtLeast,
}

/// What a part gives, as far as that does not depend on a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OperandKind {
    /// A number.
    Number,
    /// Text.
    Text,
    /// A day or a moment.
    Moment,
    /// True, false or unknown.
    Condition,
    /// The value of a column, or a missing one.
    Any,
}

impl Expression {
    /// What it gives.
    pub(crate) fn kind(&self) -> OperandKind {
        match self {
            Self::Column(_) | Self::Null => OperandKind::Any,
            Self::Number(_) | Self::Sign { .. } | Self::Chain { .. } => OperandKind::Number,
            Self::Text(_) | Self::TextOf(_) => OperandKind::Text,
            Self::Moment(_) => OperandKind::Moment,
            Self::Truth(_)
            | Self::Comparison { .. }
            | Self::Between { .. }
            | Self::In { .. }
            | Self::Like { .. }
            | Self::IsNull { .. }
            | Self::IsTruth { .. }
            | Self::Not(_)
            | Self::And(_)
            | Self::Or(_) => OperandKind::Condition,
        }
    }
}

impl List {
    /// Sorts texts and numbers, so that a value is found without trying each.
    pub(crate) fn new(items: Vec<Expression>) -> Self {
        let text = |item: &Expression| match item {
            Expression::Text(text) => Some(text.clone()),
            _ => None,
        };
        let number = |item: &Expression| match item {
            Expression::Number(number) => Some(number.clone()),
            _ => None,
        };
        if let Some(texts) = items.iter().map(text).collect::<Option<Vec<_>>>() {
            Self::Texts(Texts::new(&texts))
        } else if let Some(mut numbers) = items.iter().map(number).collect::<Option<Vec<_>>>() {
            numbers.sort_unstable();
            Self::Numbers(numbers)
        } else {
            Self::Mixed(items)
        }
    }
}

impl Texts {
    fn new(quoted: &[Quoted]) -> Self {
        let mut texts: Vec<String> = quoted.iter().map(|quoted| quoted.text().to_owned()).collect();
        let mut numbers: Vec<Number> = quoted.iter().filter_map(|quoted| quoted.number().cloned()).collect();
        texts.sort_unstable();
        numbers.sort_unstable();
        Self { texts, numbers }
    }

    /// All of them.
    pub(crate) fn texts(&self) -> &[String] {
        &self.texts
    }

    /// Those that are numbers, sorted.
    pub(crate) fn numbers(&self) -> &[Number] {
        &self.numbers
    }

    /// Whether one of them has these bytes.
    pub(super) fn has(&self, text: &[u8]) -> bool {
        self.texts.binary_search_by(|item| item.as_bytes().cmp(text)).is_ok()
    }
}

impl Comparator {
    /// Whether it is by order, rather than by equality.
    pub(crate) fn is_by_order(self) -> bool {
        !matches!(self, Self::Equal | Self::Unequal)
    }

    /// Whether it holds for sides in this order.
    pub(crate) fn holds(self, order: Ordering) -> bool {
        match self {
            Self::Equal => order.is_eq(),
            Self::Unequal => order.is_ne(),
            Self::Less => order.is_lt(),
            Self::AtMost => order.is_le(),
            Self::Greater => order.is_gt(),
            Self::AtLeast => order.is_ge(),
        }
    }

    /// The operator of SQL.
    pub(crate) fn symbol(self) -> &'static str {
        match self {
            Self::Equal => "=",
            Self::Unequal => "<>",
            Self::Less => "<",
            Self::AtMost => "<=",
            Self::Greater => ">",
            Self::AtLeast => ">=",
        }
    }
}

impl Arithmetic {
    /// The operator of SQL.
    pub(crate) fn symbol(self) -> &'static str {
        match self {
            Self::Plus => "+",
            Self::Minus => "-",
            Self::Times => "*",
            Self::Over => "/",
        }
    }
}

impl OperandKind {
    /// How a message calls it.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Number => "a number",
            Self::Text => "text",
            Self::Moment => "a date",
            Self::Condition => "a condition",
            Self::Any => "a column",
        }
    }
}
