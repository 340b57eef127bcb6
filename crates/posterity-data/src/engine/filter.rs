//! The public condition on records.

use datafusion::arrow::datatypes::{DataType, Schema};
use datafusion::common::tree_node::{TreeNode, TreeNodeRecursion};
use datafusion::common::{DFSchema, SchemaError};
use datafusion::error::DataFusionError;
use datafusion::logical_expr::{Expr, ExprSchemable, Volatility};
use datafusion::prelude::{SessionConfig, SessionContext};
use datafusion::sql::sqlparser::dialect::GenericDialect;
use datafusion::sql::sqlparser::keywords::Keyword;
use datafusion::sql::sqlparser::tokenizer::{Token, Tokenizer};

use crate::error::FilterError;

/// The longest filter, in bytes.
const MAX_LENGTH: usize = 64 << 10;

/// The most operators and keywords in a filter. Each may make the expression one level deeper, and the engine walks
/// down some expressions by recursion.
const MAX_OPERATORS: usize = 250;

/// Reads an SQL expression over the columns of one record.
///
/// Names are taken as they are written, with or without double quotes. It is read by a session of its own, so that it
/// means the same whatever the session that counts is set to.
pub(crate) fn parse(filter: &str, schema: &Schema) -> Result<Expr, FilterError> {
    if filter.len() > MAX_LENGTH {
        return Err(FilterError::Invalid { message: format!("it is longer than {MAX_LENGTH} bytes") });
    }
    if operators(filter) > MAX_OPERATORS {
        let message = format!("it has more than {MAX_OPERATORS} operators; IN (..) may replace many");
        return Err(FilterError::Invalid { message });
    }
    let mut config = SessionConfig::new();
    config.options_mut().sql_parser.enable_ident_normalization = false;
    let names = DFSchema::try_from(schema.clone()).map_err(|error| invalid(&error, schema))?;
    let expression = SessionContext::new_with_config(config)
        .state()
        .create_logical_expr(filter, &names)
        .map_err(|error| invalid(&error, schema))?;
    if let Some(what) = forbidden(&expression) {
        return Err(FilterError::Forbidden { what });
    }
    match expression.get_type(&names).map_err(|error| invalid(&error, schema))? {
        DataType::Boolean => Ok(expression),
        kind => Err(FilterError::NotBoolean { kind: kind.to_string() }),
    }
}

/// What the engine says before it has seen a record: only the filter and the columns can be in it.
pub(crate) fn invalid(error: &DataFusionError, schema: &Schema) -> FilterError {
    let root = error.find_root();
    if let DataFusionError::SchemaError(error, _) = root
        && let SchemaError::FieldNotFound { field, .. } = error.as_ref()
    {
        let columns = schema.fields().iter().map(|field| field.name().clone()).collect();
        return FilterError::UnknownColumn { column: field.name.clone(), columns };
    }
    let message = root.strip_backtrace();
    // One line, and not the whole of a long one.
    let message: String =
        message.split_whitespace().collect::<Vec<_>>().join(" ").chars().take(300).collect();
    FilterError::Invalid { message: message.trim_end_matches('.').to_owned() }
}

/// How many tokens may be operators; text that has no tokens is for the parser to refuse.
fn operators(filter: &str) -> usize {
    let tokens = Tokenizer::new(&GenericDialect {}, filter).tokenize().unwrap_or_default();
    let operand = |token: &Token| match token {
        Token::Word(word) => word.keyword == Keyword::NoKeyword,
        Token::Number(..) | Token::SingleQuotedString(_) | Token::Whitespace(_) => true,
        Token::Comma | Token::LParen | Token::RParen => true,
        _ => false,
    };
    tokens.iter().filter(|token| !operand(token)).count()
}

/// The first part that looks beyond the record, or answers differently at another time.
fn forbidden(expression: &Expr) -> Option<String> {
    let mut found = None;
    let visited = expression.apply(|part| {
        found = match part {
            Expr::ScalarSubquery(_) | Expr::InSubquery(_) | Expr::Exists(_) | Expr::SetComparison(_) => {
                Some("a subquery".to_owned())
            }
            Expr::AggregateFunction(_) | Expr::WindowFunction(_) | Expr::GroupingSet(_) => {
                Some("an aggregate or window function".to_owned())
            }
            Expr::Placeholder(_) | Expr::ScalarVariable(..) | Expr::OuterReferenceColumn(..) => {
                Some("a variable".to_owned())
            }
            Expr::Alias(_) => Some("an alias".to_owned()),
            Expr::ScalarFunction(call) if call.func.signature().volatility != Volatility::Immutable => {
                Some(format!("the function {}", call.name()))
            }
            _ => None,
        };
        Ok(if found.is_some() { TreeNodeRecursion::Stop } else { TreeNodeRecursion::Continue })
    });
    found.or_else(|| visited.err().map(|_| "something unknown".to_owned()))
}

#[cfg(test)]
mod tests {
    use datafusion::arrow::datatypes::Field;

    use super::*;

    fn schema() -> Schema {
        Schema::new(vec![
            Field::new("age", DataType::Utf8, true),
            Field::new("Sex", DataType::Utf8, true),
            Field::new("well.known", DataType::Boolean, true),
        ])
    }

    #[test]
    fn accepts() {
        for filter in [
            "age > 30",
            "Sex = 'f' AND age BETWEEN 30 AND 40",
            "\"Sex\" IN ('f', 'm')",
            "\"well.known\"",
            "\"well.known\" IS NOT TRUE",
            "lower(Sex) LIKE 'f%'",
            "TRY_CAST(age AS DOUBLE) >= 30.5",
            "true",
        ] {
            assert!(parse(filter, &schema()).is_ok(), "{filter}: {:?}", parse(filter, &schema()));
        }
    }

    #[test]
    fn rejects() {
        let columns: Vec<String> = ["age", "Sex", "well.known"].map(Into::into).into();
        let unknown =
            |column: &str| FilterError::UnknownColumn { column: column.into(), columns: columns.clone() };
        let forbidden = |what: &str| FilterError::Forbidden { what: what.into() };
        let table = [
            ("sex = 'f'", unknown("sex")),
            ("Sex = \"f\"", unknown("f")),
            ("CAST(age AS BIGINT) + 1", FilterError::NotBoolean { kind: "Int64".into() }),
            ("Sex", FilterError::NotBoolean { kind: "Utf8".into() }),
            ("(SELECT 1) = 1", forbidden("a subquery")),
            ("EXISTS (SELECT 1)", forbidden("a subquery")),
            ("age IN (SELECT '1')", forbidden("a subquery")),
            ("random() < 0.5", forbidden("the function random")),
            ("now() > '2020-01-01'", forbidden("the function now")),
            ("count(age) > 1", forbidden("an aggregate or window function")),
            ("row_number() OVER () < 5", forbidden("an aggregate or window function")),
            ("age > $1", forbidden("a variable")),
            ("age > 30 AS old", forbidden("an alias")),
        ];
        for (filter, error) in table {
            assert_eq!(parse(filter, &schema()).err(), Some(error), "{filter}");
        }
        let deep = format!("{}age > 1{}", "(".repeat(5000), ")".repeat(5000));
        let wide = vec!["age > 1"; MAX_OPERATORS].join(" OR ");
        let long = "x".repeat(MAX_LENGTH + 1);
        for filter in [
            "",
            "age >",
            "age + 1 > 2",
            "age > 30; DROP TABLE x",
            "SELECT 1",
            "age > 30 GROUP BY age",
            &deep,
            &wide,
            &long,
        ] {
            let error = parse(filter, &schema()).err();
            assert!(matches!(error, Some(FilterError::Invalid { .. })), "{filter}: {error:?}");
        }
    }

    #[test]
    fn the_largest_filters_are_read() {
        let list = vec!["'f'"; 10_000].join(", ");
        let either = vec!["age > 1"; MAX_OPERATORS / 2].join(" OR ");
        let joined = format!("{} = 'x'", vec!["age"; MAX_OPERATORS].join("||"));
        for filter in [format!("Sex IN ({list})"), either, joined] {
            assert!(parse(&filter, &schema()).is_ok(), "{:?}", parse(&filter, &schema()));
        }
    }
}
