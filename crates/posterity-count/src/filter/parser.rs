//! Building the tree of a filter from its words and signs.

use std::collections::HashMap;

use super::error::FilterError;
use super::expression::{Arithmetic, Expression, List, OperandKind};
use super::lexer::{self, Keyword, NO_CAST, Token, brief, tokens};
use super::like::Pattern;
use super::moment::Moment;
use super::quoted::{Quoted, looks_like_date};

/// The longest filter, in bytes.
pub(super) const MAX_LENGTH: usize = 64 << 10;

/// The most operators and keywords in a filter; signs of numbers, `TRUE`, `FALSE` and `NULL` do not count.
pub(super) const MAX_OPERATORS: usize = 250;

/// How deep parentheses, `NOT` and signs may stand within each other. Reading and evaluating recurse no deeper, so
/// that a small stack suffices.
pub(super) const MAX_DEPTH: usize = 32;

const NO_FUNCTION: &str = "a filter has no function but TEXT(column): store the result in a column of its own, and \
                           compare that with a value";

const QUOTED_DATE: &str = "write days as DATE '2020-01-31' and moments as TIMESTAMP '2020-01-31 08:00:00', or TEXT(column) to \
                           compare what is written there";

const QUOTED_NUMBER: &str = "write the number without quotes to compare numbers, or TEXT(column) to compare what is \
                             written there";

const BOTH_TEXT: &str = "write TEXT(column) on both sides";

const ONE_RECORD: &str = "a filter may look at one record only, and must always give the same answer";

/// Reads a filter: its condition, and the names of its columns.
pub(super) fn parse(text: &str) -> Result<(Expression, Vec<String>), FilterError> {
    if text.len() > MAX_LENGTH {
        return Err(lexer::invalid(format!("it is longer than {MAX_LENGTH} bytes")));
    }
    // From the last to the first, so that the next one is taken off the end.
    let tokens: Vec<Token> = tokens(text)?.into_iter().rev().collect();
    if tokens.is_empty() {
        return Err(lexer::invalid("it is empty"));
    }
    let mut parser =
        Parser { tokens, columns: Vec::new(), positions: HashMap::new(), operators: 0, depth: 0 };
    match parser.whole() {
        Ok(condition) => Ok((*condition, parser.columns)),
        Err(error) => Err(*error),
    }
}

/// Boxes, because the methods call each other at every level, and small results keep the stack small.
type Parsed<T = Box<Expression>> = Result<T, Box<FilterError>>;

/// Reads by recursive descent: each method reads one rank of operators, and calls that of the next higher rank.
struct Parser {
    tokens: Vec<Token>,
    columns: Vec<String>,
    positions: HashMap<String, usize>,
    operators: usize,
    depth: usize,
}

impl Parser {
    /// The whole filter.
    fn whole(&mut self) -> Parsed {
        let whole = self.disjunction()?;
        if self.tokens.last().is_some() {
            return Err(self.leftover());
        }
        condition(whole)
    }

    /// `conjunction [OR conjunction]...`
    fn disjunction(&mut self) -> Parsed {
        let first = self.conjunction()?;
        if !self.next_is(Keyword::Or) {
            return Ok(first);
        }
        let mut parts = vec![*condition(first)?];
        while self.take(Keyword::Or) {
            self.count(1)?;
            parts.push(*condition(self.conjunction()?)?);
        }
        Ok(Box::new(Expression::Or(parts)))
    }

    /// `negation [AND negation]...`
    fn conjunction(&mut self) -> Parsed {
        let first = self.negation()?;
        if !self.next_is(Keyword::And) {
            return Ok(first);
        }
        let mut parts = vec![*condition(first)?];
        while self.take(Keyword::And) {
            self.count(1)?;
            parts.push(*condition(self.negation()?)?);
        }
        Ok(Box::new(Expression::And(parts)))
    }

    /// `NOT negation`, or a predicate.
    fn negation(&mut self) -> Parsed {
        if !self.take(Keyword::Not) {
            return self.predicate();
        }
        self.count(1)?;
        self.enter()?;
        let part = self.negation()?;
        self.depth -= 1;
        Ok(Box::new(Expression::Not(condition(part)?)))
    }

    /// `sum`, at most one comparison, and at most one `IS` of the result.
    fn predicate(&mut self) -> Parsed {
        let left = self.sum()?;
        let mut predicate = self.comparison(left)?;
        if self.take(Keyword::Is) {
            predicate = self.is(predicate)?;
        }
        match self.tokens.last() {
            Some(
                Token::Comparison(_)
                | Token::Keyword(Keyword::Between | Keyword::In | Keyword::Is | Keyword::Like | Keyword::Not),
            ) => Err(invalid(
                "it has two comparisons in a row; put one of them in parentheses, or join them: 1 < x AND x < 5",
            )),
            _ => Ok(predicate),
        }
    }

    /// What follows the left side of a comparison, if anything does.
    fn comparison(&mut self, left: Box<Expression>) -> Parsed {
        if let Some(Token::Comparison(comparison)) = self.tokens.last() {
            let comparison = *comparison;
            self.tokens.pop();
            self.count(1)?;
            let right = self.sum()?;
            comparable(&left, &right, comparison.is_by_order())?;
            return Ok(Box::new(Expression::Comparison { comparison, left, right }));
        }
        let negated = self.take(Keyword::Not);
        if self.take(Keyword::Between) {
            self.between(left, negated)
        } else if self.take(Keyword::In) {
            self.list(left, negated)
        } else if self.take(Keyword::Like) {
            self.like(left, negated)
        } else if negated {
            Err(self.unexpected("BETWEEN, IN or LIKE"))
        } else {
            Ok(left)
        }
    }

    /// `sum AND sum`, after `BETWEEN`.
    fn between(&mut self, operand: Box<Expression>, negated: bool) -> Parsed {
        self.count(2 + usize::from(negated))?;
        let low = self.sum()?;
        if !self.take(Keyword::And) {
            return Err(self.unexpected("the AND of BETWEEN"));
        }
        let high = self.sum()?;
        comparable(&operand, &low, true)?;
        comparable(&operand, &high, true)?;
        Ok(Box::new(Expression::Between { operand, low, high, negated }))
    }

    /// `(sum [, sum]...)`, after `IN`.
    fn list(&mut self, operand: Box<Expression>, negated: bool) -> Parsed {
        self.count(1 + usize::from(negated))?;
        if !self.take_sign(&Token::Open) {
            return Err(self.unexpected("the ( of IN"));
        }
        let mut items = Vec::new();
        loop {
            let item = self.sum()?;
            comparable(&operand, &item, false)?;
            items.push(*item);
            if self.take_sign(&Token::Close) {
                break;
            }
            if !self.take_sign(&Token::Comma) {
                return Err(self.unexpected("a comma or the ) of IN"));
            }
        }
        Ok(Box::new(Expression::In { operand, list: List::new(items), negated }))
    }

    /// `'pattern' [ESCAPE 'character']`, after `LIKE`.
    fn like(&mut self, operand: Box<Expression>, negated: bool) -> Parsed {
        self.count(1 + usize::from(negated))?;
        if !matches!(operand.kind(), OperandKind::Text | OperandKind::Any) {
            let message =
                format!("{} is LIKE a pattern; only a column or text can be", operand.kind().name());
            return Err(invalid(message));
        }
        let text = self.take_text("a pattern in single quotes")?;
        if !matches!(*operand, Expression::TextOf(_)) {
            dated(&text)?;
        }
        let escape = if self.take(Keyword::Escape) {
            self.count(1)?;
            let escape = self.take_text("a character in single quotes")?;
            let mut characters = escape.chars();
            match (characters.next(), characters.next()) {
                (Some(character), None) => Some(character),
                _ => return Err(invalid("ESCAPE takes one character in single quotes")),
            }
        } else {
            None
        };
        Ok(Box::new(Expression::Like { operand, pattern: Pattern::new(&text, escape)?, negated }))
    }

    /// `[NOT] NULL`, `TRUE` or `FALSE`, after `IS`.
    fn is(&mut self, operand: Box<Expression>) -> Parsed {
        let negated = self.take(Keyword::Not);
        self.count(1 + usize::from(negated))?;
        if self.take(Keyword::Null) {
            return Ok(Box::new(Expression::IsNull { operand, negated }));
        }
        let truth = if self.take(Keyword::True) {
            true
        } else if self.take(Keyword::False) {
            false
        } else {
            return Err(self.unexpected("NULL, TRUE or FALSE"));
        };
        Ok(Box::new(Expression::IsTruth { operand: condition(operand)?, truth, negated }))
    }

    /// `product [+|- product]...`
    fn sum(&mut self) -> Parsed {
        let first = self.product()?;
        match self.tokens.last() {
            Some(Token::Arithmetic(Arithmetic::Plus | Arithmetic::Minus)) => {}
            _ => return Ok(first),
        }
        let mut rest = Vec::new();
        while let Some(Token::Arithmetic(operator @ (Arithmetic::Plus | Arithmetic::Minus))) =
            self.tokens.last()
        {
            let operator = *operator;
            self.tokens.pop();
            self.count(1)?;
            rest.push((operator, *numeric(self.product()?)?));
        }
        Ok(Box::new(Expression::Chain { first: numeric(first)?, rest }))
    }

    /// `signed [*|/ signed]...`
    fn product(&mut self) -> Parsed {
        let first = self.signed()?;
        match self.tokens.last() {
            Some(Token::Arithmetic(Arithmetic::Times | Arithmetic::Over)) => {}
            _ => return Ok(first),
        }
        let mut rest = Vec::new();
        while let Some(Token::Arithmetic(operator @ (Arithmetic::Times | Arithmetic::Over))) =
            self.tokens.last()
        {
            let operator = *operator;
            self.tokens.pop();
            self.count(1)?;
            rest.push((operator, *numeric(self.signed()?)?));
        }
        Ok(Box::new(Expression::Chain { first: numeric(first)?, rest }))
    }

    /// `[+|-] signed`, or a primary.
    fn signed(&mut self) -> Parsed {
        let minus = match self.tokens.last() {
            Some(Token::Arithmetic(Arithmetic::Minus)) => true,
            Some(Token::Arithmetic(Arithmetic::Plus)) => false,
            _ => return self.primary(),
        };
        self.tokens.pop();
        self.enter()?;
        let mut operand = numeric(self.signed()?)?;
        self.depth -= 1;
        if let Expression::Number(number) = operand.as_mut() {
            if minus {
                *number = -&*number;
            }
            return Ok(operand);
        }
        self.count(1)?;
        Ok(Box::new(Expression::Sign { minus, operand }))
    }

    /// A name, a number, text, a truth value, `NULL`, or anything in parentheses.
    fn primary(&mut self) -> Parsed {
        if self.take_sign(&Token::Open) {
            return self.parenthesis();
        }
        self.operand().map(Box::new)
    }

    /// A primary without parentheses.
    fn operand(&mut self) -> Parsed<Expression> {
        match self.tokens.pop() {
            Some(Token::Number(number)) => Ok(Expression::Number(number)),
            Some(Token::Text(text)) => Ok(Expression::Text(Quoted::new(text))),
            Some(Token::Keyword(Keyword::True)) => Ok(Expression::Truth(true)),
            Some(Token::Keyword(Keyword::False)) => Ok(Expression::Truth(false)),
            Some(Token::Keyword(Keyword::Null)) => Ok(Expression::Null),
            Some(Token::Quoted(name)) => Ok(self.column(name)),
            Some(Token::Name(name)) => self.named(name),
            Some(Token::Keyword(Keyword::Not)) => Err(invalid(
                "NOT stands where a value is expected; put it in parentheses together with its condition",
            )),
            other => {
                self.tokens.extend(other);
                Err(self.unexpected("a name, a number, text or ("))
            }
        }
    }

    /// What a name without quotes begins: `DATE 'day'`, `TIMESTAMP 'moment'`, `TEXT(column)`, or a column by itself.
    fn named(&mut self, name: String) -> Parsed<Expression> {
        match (name.to_ascii_uppercase().as_str(), self.tokens.last()) {
            ("DATE", Some(Token::Text(_))) => self.moment(true),
            ("TIMESTAMP", Some(Token::Text(_))) => self.moment(false),
            ("TEXT", Some(Token::Open)) => self.text_of(),
            _ => match self.forbidden_name(&name) {
                Some(error) => Err(error),
                None => Ok(self.column(name)),
            },
        }
    }

    /// `'day'` after `DATE`, or `'moment'` after `TIMESTAMP`.
    fn moment(&mut self, is_date: bool) -> Parsed<Expression> {
        let text = self.take_text("text in single quotes")?;
        match Moment::parse(text.as_bytes()) {
            Some(moment) if Moment::is_date(text.as_bytes()) == is_date => Ok(Expression::Moment(moment)),
            _ if is_date => {
                Err(invalid(format!("'{}' is no day; write it as DATE '2020-01-31'", brief(&text))))
            }
            _ => Err(invalid(format!(
                "'{}' is no moment; write it as TIMESTAMP '2020-01-31 08:00:00', and a day as DATE '2020-01-31'",
                brief(&text)
            ))),
        }
    }

    /// `(column)`, after `TEXT`.
    fn text_of(&mut self) -> Parsed<Expression> {
        self.take_sign(&Token::Open);
        let column = match self.tokens.pop() {
            Some(Token::Name(name) | Token::Quoted(name)) => self.position(name),
            other => {
                self.tokens.extend(other);
                return Err(self.unexpected("the column of TEXT"));
            }
        };
        if !self.take_sign(&Token::Close) {
            return Err(self.unexpected("the ) of TEXT"));
        }
        Ok(Expression::TextOf(column))
    }

    /// What follows `(`.
    fn parenthesis(&mut self) -> Parsed {
        self.enter()?;
        let inner = self.disjunction()?;
        if !self.take_sign(&Token::Close) {
            return Err(self.leftover());
        }
        self.depth -= 1;
        Ok(inner)
    }

    fn column(&mut self, name: String) -> Expression {
        Expression::Column(self.position(name))
    }

    fn position(&mut self, name: String) -> usize {
        *self.positions.entry(name).or_insert_with_key(|name| {
            self.columns.push(name.clone());
            self.columns.len() - 1
        })
    }

    /// Why this word, with what follows it, is not a name of a column.
    fn forbidden_name(&self, name: &str) -> Option<Box<FilterError>> {
        let shown = brief(name);
        match (name.to_ascii_uppercase().as_str(), self.tokens.last()) {
            ("CASE", _) => Some(forbidden("CASE", "combine conditions by AND, OR and NOT instead")),
            ("SELECT" | "EXISTS", _) => Some(forbidden("a subquery", ONE_RECORD)),
            ("CAST" | "TRY_CAST", Some(Token::Open)) => Some(forbidden(format!("a cast ({shown})"), NO_CAST)),
            (_, Some(Token::Open)) => Some(forbidden(format!("the function {shown}"), NO_FUNCTION)),
            (_, Some(Token::Text(_))) => Some(forbidden(
                format!("{shown} before text"),
                "text stands by itself, a day as DATE '2020-01-31', and a moment as TIMESTAMP '2020-01-31 08:00:00'",
            )),
            _ => None,
        }
    }

    /// What is wrong with what follows a whole condition.
    fn leftover(&self) -> Box<FilterError> {
        let word = match self.tokens.last() {
            Some(Token::Name(name)) => name.to_ascii_uppercase(),
            _ => String::new(),
        };
        match word.as_str() {
            "ILIKE" | "GLOB" | "REGEXP" | "RLIKE" | "SIMILAR" | "MATCH" => {
                forbidden(word, "LIKE is the only match of patterns, and upper and lower case differ")
            }
            "COLLATE" => forbidden(word, "text is compared byte by byte"),
            "AS" => forbidden("an alias", "a filter is one condition, without a name"),
            _ if self.depth > 0 => self.unexpected("an operator or )"),
            _ => self.unexpected("an operator or the end"),
        }
    }

    fn unexpected(&self, expected: &str) -> Box<FilterError> {
        match self.tokens.last() {
            Some(token) => invalid(format!("{token} stands where {expected} is expected")),
            None => invalid(format!("it ends where {expected} is expected")),
        }
    }

    fn enter(&mut self) -> Parsed<()> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            let message =
                format!("parentheses, NOT or signs stand more than {MAX_DEPTH} deep within each other");
            return Err(invalid(message));
        }
        Ok(())
    }

    fn count(&mut self, operators: usize) -> Parsed<()> {
        self.operators += operators;
        if self.operators > MAX_OPERATORS {
            let message = format!("it has more than {MAX_OPERATORS} operators; IN (..) may replace many");
            return Err(invalid(message));
        }
        Ok(())
    }

    fn next_is(&self, keyword: Keyword) -> bool {
        self.tokens.last() == Some(&Token::Keyword(keyword))
    }

    fn take(&mut self, keyword: Keyword) -> bool {
        self.take_sign(&Token::Keyword(keyword))
    }

    fn take_sign(&mut self, token: &Token) -> bool {
        let there = self.tokens.last() == Some(token);
        if there {
            self.tokens.pop();
        }
        there
    }

    fn take_text(&mut self, expected: &str) -> Parsed<String> {
        match self.tokens.pop() {
            Some(Token::Text(text)) => Ok(text),
            other => {
                self.tokens.extend(other);
                Err(self.unexpected(expected))
            }
        }
    }
}

fn invalid(message: impl Into<String>) -> Box<FilterError> {
    Box::new(lexer::invalid(message))
}

fn forbidden(what: impl Into<String>, remedy: &'static str) -> Box<FilterError> {
    Box::new(lexer::forbidden(what, remedy))
}

/// Refuses what is not a condition.
fn condition(part: Box<Expression>) -> Parsed {
    match part.kind() {
        OperandKind::Condition | OperandKind::Any => Ok(part),
        kind => Err(Box::new(FilterError::NotBoolean { kind: kind.name() })),
    }
}

/// Refuses what is not a number.
fn numeric(part: Box<Expression>) -> Parsed {
    match part.kind() {
        OperandKind::Number | OperandKind::Any => Ok(part),
        kind => Err(Box::new(FilterError::NotNumeric { kind: kind.name() })),
    }
}

/// Refuses sides that can never be equal, and text in quotes that may be meant as something else.
fn comparable(left: &Expression, right: &Expression, by_order: bool) -> Parsed<()> {
    let kinds = (left.kind(), right.kind());
    if kinds.0 != kinds.1 && kinds.0 != OperandKind::Any && kinds.1 != OperandKind::Any {
        return Err(Box::new(FilterError::Mismatch { left: kinds.0.name(), right: kinds.1.name() }));
    }
    unambiguous(left, right, by_order)?;
    unambiguous(right, left, by_order)
}

/// Refuses text in quotes on one side that may be meant as a date or a number. The printed form of a column is text,
/// and so is what it is compared with; a column by itself may be a date or a number.
fn unambiguous(side: &Expression, other: &Expression, by_order: bool) -> Parsed<()> {
    match (side, other) {
        (Expression::Text(_), Expression::TextOf(_)) => Ok(()),
        (Expression::TextOf(_), Expression::Column(_)) => {
            Err(forbidden("a comparison of TEXT with a column", BOTH_TEXT))
        }
        (Expression::Text(text), Expression::Column(_))
            if text.is_code() || by_order && text.number().is_some() =>
        {
            Err(forbidden(format!("the number '{}' in quotes", brief(text.text())), QUOTED_NUMBER))
        }
        (Expression::Text(text), _) => dated(text.text()),
        _ => Ok(()),
    }
}

/// Refuses text that looks like a date.
fn dated(text: &str) -> Parsed<()> {
    if looks_like_date(text) {
        return Err(forbidden(format!("'{}', which looks like a date", brief(text)), QUOTED_DATE));
    }
    Ok(())
}
