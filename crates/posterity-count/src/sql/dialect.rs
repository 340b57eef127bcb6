//! How engines write the same thing.

use std::fmt;
use std::str::FromStr;

use super::stored::Stored;

/// An engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Dialect {
    /// DuckDB.
    DuckDb,
    /// PostgreSQL.
    Postgres,
    /// SQLite.
    Sqlite,
    /// Spark.
    Spark,
    /// DataFusion.
    DataFusion,
}

/// The largest number with a floating point that tells neighbouring whole numbers apart.
const MOST_WHOLE: &str = "9007199254740992";

/// The largest finite number with a floating point.
const MOST: &str = "1.7976931348623157e308";

/// There is no such dialect.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no dialect {text:?}; choose duckdb, postgres, spark, sqlite or datafusion")]
pub struct NoSuchDialect {
    /// What was given.
    pub text: String,
}

impl Dialect {
    /// All of them.
    pub const ALL: [Self; 5] = [Self::DuckDb, Self::Postgres, Self::Sqlite, Self::Spark, Self::DataFusion];

    /// By what it is chosen.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::DuckDb => "duckdb",
            Self::Postgres => "postgres",
            Self::Sqlite => "sqlite",
            Self::Spark => "spark",
            Self::DataFusion => "datafusion",
        }
    }

    /// A name of a table or a column.
    pub(super) fn name(self, name: &str) -> String {
        match self {
            Self::Spark => format!("`{}`", name.replace('`', "``")),
            _ => format!("\"{}\"", name.replace('"', "\"\"")),
        }
    }

    /// A text. Spark reads a backslash as the beginning of another character. PostgreSQL does so with a setting from before
    /// 2010 only, so the text is written there in the form in which that setting changes nothing.
    pub(super) fn text(self, text: &str) -> String {
        match self {
            Self::Spark => format!("'{}'", text.replace('\\', "\\\\").replace('\'', "\\'")),
            Self::Postgres if text.contains('\\') => {
                format!("E'{}'", text.replace('\'', "''").replace('\\', "\\\\"))
            }
            _ => format!("'{}'", text.replace('\'', "''")),
        }
    }

    pub(super) fn text_type(self) -> &'static str {
        match self {
            Self::DuckDb | Self::DataFusion => "VARCHAR",
            Self::Postgres | Self::Sqlite => "TEXT",
            Self::Spark => "STRING",
        }
    }

    /// The text as which values of a type print; missing values stay missing.
    pub(super) fn printed(self, column: &str, stored: Stored) -> String {
        match (self, stored) {
            (Self::Postgres, Stored::Day) => format!("to_char({column}, 'YYYY-MM-DD')"),
            (Self::Postgres, Stored::Text) => format!("({column})::text COLLATE \"C\""),
            (Self::Postgres, _) => format!("({column})::text"),
            // What SQLite stores has a type of its own in each row.
            (Self::Sqlite, _) => format!(
                "CASE typeof({column}) WHEN 'text' THEN {column} WHEN 'integer' THEN CAST({column} AS TEXT) END"
            ),
            (Self::DuckDb | Self::Spark | Self::DataFusion, _) => self.number_as_text(column),
        }
    }

    /// Whether columns have types, rather than values.
    pub(super) fn has_types(self) -> bool {
        self != Self::Sqlite
    }

    /// Whether the engine stores values of this type as such.
    pub(super) fn stores(self, stored: Stored) -> bool {
        self.has_types() || !matches!(stored, Stored::Boolean | Stored::Day)
    }

    /// Whether a number has a fraction, is not finite, or is so large that it may stand for its neighbours too.
    pub(super) fn has_fraction(self, column: &str) -> String {
        match self {
            // A comparison with what is not finite is decided by the second part.
            Self::DuckDb => format!(
                "NOT isfinite({column}) OR trunc({column}) <> {column} OR abs({column}) > {MOST_WHOLE}"
            ),
            Self::Postgres => format!("abs({column}) > {MOST_WHOLE} OR trunc({column}) <> {column}"),
            Self::DataFusion => {
                format!("isnan({column}) OR abs({column}) > {MOST_WHOLE} OR trunc({column}) <> {column}")
            }
            // NaN is above all other numbers there, and a rounded number stays one with a floating point.
            Self::Spark => format!("abs({column}) > {MOST_WHOLE} OR rint({column}) <> {column}"),
            Self::Sqlite => {
                format!(
                    "typeof({column}) = 'real' AND (abs({column}) > {MOST_WHOLE} OR CAST({column} AS INTEGER) <> {column})"
                )
            }
        }
    }

    /// Whether a value of a column of numbers is text that is none, and whether nobody knows because it is bytes or text that
    /// may be one; nothing where the column's type says that it is a number.
    pub(super) fn is_no_number(self, column: &str) -> Option<(String, String)> {
        let text = format!("typeof({column}) = 'text'");
        let may_be = format!("substr({column}, 1, 1) GLOB '[-+.0-9]'");
        (!self.has_types())
            .then(|| (text.clone(), format!("typeof({column}) = 'blob' OR ({text} AND {may_be})")))
    }

    /// Whether a record has no place in an order of whole numbers; nothing where the column's type says that it has one.
    pub(super) fn is_unordered(self, column: &str) -> Option<String> {
        (!self.has_types()).then(|| format!("typeof({column}) NOT IN ('integer', 'null')"))
    }

    /// Whether a day has no printed form, because of its year.
    pub(super) fn is_no_day(self, column: &str) -> String {
        format!("{column} < DATE '0001-01-01' OR {column} > DATE '9999-12-31'")
    }

    /// Whether a value has no place among numbers; nothing where all have one.
    pub(super) fn is_not_finite(self, column: &str, stored: Stored) -> Option<String> {
        match (self, stored) {
            (Self::Sqlite, _) => Some(format!(
                "typeof({column}) IN ('text', 'blob') OR (typeof({column}) = 'real' AND abs({column}) > {MOST})"
            )),
            (_, Stored::Integer) => None,
            (Self::DuckDb, _) => Some(format!("coalesce(NOT isfinite({column}), 1 = 0)")),
            (Self::DataFusion, _) => {
                Some(format!("coalesce(isnan({column}) OR abs({column}) > {MOST}, 1 = 0)"))
            }
            // NaN is above all other numbers.
            (Self::Postgres | Self::Spark, _) => Some(format!("coalesce(abs({column}) > {MOST}, 1 = 0)")),
        }
    }

    /// Whether a column equals a text that is no number; unknown where it is missing.
    pub(super) fn equals_text(self, column: &str, text: &str) -> String {
        match self {
            Self::Sqlite => format!(
                "CASE typeof({column}) WHEN 'null' THEN NULL WHEN 'text' THEN {column} COLLATE BINARY = {} ELSE 1 = 0 END",
                self.text(text)
            ),
            _ => self.is_text(&self.printed(column, Stored::Text), text),
        }
    }

    /// Whether a value is neither text nor a number; nothing where the column's type says that it is.
    pub(super) fn is_bytes(self, column: &str) -> Option<String> {
        (!self.has_types()).then(|| format!("typeof({column}) = 'blob'"))
    }

    /// Whether a printed value has the bytes of a text.
    pub(super) fn is_text(self, printed: &str, text: &str) -> String {
        let text = self.text(text);
        match self {
            Self::DuckDb => format!("encode({printed}) = encode({text})"),
            Self::Spark => format!("encode({printed}, 'UTF-8') = encode({text}, 'UTF-8')"),
            // It compares text by its bytes.
            Self::DataFusion => format!("{printed} = {text}"),
            Self::Postgres => format!("({printed}) COLLATE \"C\" = {text}"),
            Self::Sqlite => format!("({printed}) COLLATE BINARY = {text}"),
        }
    }

    /// The text as which a value prints that has one plain form, such as a whole number.
    pub(super) fn number_as_text(self, number: &str) -> String {
        format!("CAST({number} AS {})", self.text_type())
    }

    /// A hash of a text that nobody foresees who does not know the text.
    pub(super) fn hash(self, text: &str) -> Option<String> {
        match self {
            Self::DuckDb => Some(format!("sha256({text})")),
            Self::Postgres => {
                Some(format!("encode(sha256(convert_to({text}, 'UTF8')), 'hex') COLLATE \"C\""))
            }
            Self::Spark => Some(format!("sha2(encode({text}, 'UTF-8'), 256)")),
            Self::DataFusion => Some(format!("encode(sha256({text}), 'hex')")),
            Self::Sqlite => None,
        }
    }

    /// A quotient of whole numbers, without its fraction.
    pub(super) fn quotient(self, number: &str, divisor: usize) -> String {
        match (self, divisor) {
            (_, 1) => number.to_owned(),
            (Self::DuckDb, _) => format!("{number} // {divisor}"),
            (Self::Spark, _) => format!("{number} div {divisor}"),
            (Self::Postgres | Self::Sqlite | Self::DataFusion, _) => format!("{number} / {divisor}"),
        }
    }

    pub(super) fn remainder(self, number: &str, divisor: usize) -> String {
        format!("({number}) % {divisor}")
    }

    /// A condition that is true where a column's type is another; nothing where each value has a type of its own.
    pub(super) fn is_other_type(self, column: &str, stored: Stored) -> Option<String> {
        // Values are declared of text, of whole numbers, of truth values and of days, and all of them print exactly.
        let (function, types): (_, &[&str]) = match (self, stored) {
            (Self::Sqlite, _) => return None,
            (Self::DuckDb, Stored::Text) => ("typeof", &["VARCHAR"]),
            (Self::DuckDb, Stored::Integer) => {
                ("typeof", &["TINYINT", "SMALLINT", "INTEGER", "BIGINT", "UTINYINT", "USMALLINT", "UINTEGER"])
            }
            (Self::DuckDb, Stored::Number) => ("typeof", &["DOUBLE"]),
            (Self::DuckDb, Stored::Boolean) => ("typeof", &["BOOLEAN"]),
            (Self::DuckDb, Stored::Day) => ("typeof", &["DATE"]),
            (Self::Postgres, Stored::Text) => ("pg_typeof", &["text", "character varying", "name"]),
            (Self::Postgres, Stored::Integer) => ("pg_typeof", &["smallint", "integer", "bigint"]),
            (Self::Postgres, Stored::Number) => ("pg_typeof", &["double precision"]),
            (Self::Postgres, Stored::Boolean) => ("pg_typeof", &["boolean"]),
            (Self::Postgres, Stored::Day) => ("pg_typeof", &["date"]),
            (Self::Spark, Stored::Text) => ("typeof", &["string"]),
            (Self::Spark, Stored::Integer) => ("typeof", &["tinyint", "smallint", "int", "bigint"]),
            (Self::Spark, Stored::Number) => ("typeof", &["double"]),
            (Self::Spark, Stored::Boolean) => ("typeof", &["boolean"]),
            (Self::Spark, Stored::Day) => ("typeof", &["date"]),
            (Self::DataFusion, Stored::Text) => ("arrow_typeof", &["Utf8", "Utf8View", "LargeUtf8"]),
            (Self::DataFusion, Stored::Integer) => {
                ("arrow_typeof", &["Int8", "Int16", "Int32", "Int64", "UInt8", "UInt16", "UInt32"])
            }
            (Self::DataFusion, Stored::Number) => ("arrow_typeof", &["Float64"]),
            (Self::DataFusion, Stored::Boolean) => ("arrow_typeof", &["Boolean"]),
            (Self::DataFusion, Stored::Day) => ("arrow_typeof", &["Date32"]),
        };
        let types: Vec<String> = types.iter().map(|name| format!("'{name}'")).collect();
        Some(format!("CAST({function}({column}) AS {}) NOT IN ({})", self.text_type(), types.join(", ")))
    }
}

impl fmt::Display for Dialect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::DuckDb => "DuckDB",
            Self::Postgres => "PostgreSQL",
            Self::Sqlite => "SQLite",
            Self::Spark => "Spark",
            Self::DataFusion => "DataFusion",
        })
    }
}

impl FromStr for Dialect {
    type Err = NoSuchDialect;

    fn from_str(text: &str) -> Result<Self, NoSuchDialect> {
        let found = Self::ALL.into_iter().find(|one| one.word() == text);
        found.ok_or_else(|| NoSuchDialect { text: text.to_owned() })
    }
}
