//! What filters are read, and what they say.

use std::borrow::Cow;
use std::time::Instant;

use posterity_formats::Value;
use proptest::prelude::*;

use super::lexer::{NO_CAST, forbidden, invalid};
use super::parser::{MAX_DEPTH, MAX_LENGTH, MAX_OPERATORS};
use super::*;

/// A record by position.
struct Row<'a>(&'a [Value<'a>]);

impl Record for Row<'_> {
    fn value(&self, column: usize) -> Value<'_> {
        self.0[column]
    }
}

fn parse(text: &str) -> Filter {
    Filter::parse(text).expect(text)
}

/// What a filter says of a record.
type Answer = Result<Option<bool>, EvaluationError>;

/// What the filter says of a record with these values, in the order in which the filter names its columns.
fn truth(text: &str, values: &[Value<'_>]) -> Answer {
    evaluate::truth(parse(text).condition(), &Row(values))
}

const MISSING: Value<'_> = Value::Missing;

fn text(text: &str) -> Value<'_> {
    Value::Text(text.as_bytes())
}

#[test]
fn accepts() {
    let long_list = format!("x IN ({})", vec!["'f'"; 10_000].join(", "));
    let wide = vec!["age > 1"; MAX_OPERATORS / 2].join(" OR ");
    let sum = format!("{} > 3", vec!["x"; MAX_OPERATORS].join(" + "));
    let signs = format!("x IN ({})", vec!["-1"; 10_000].join(", "));
    let deep = format!("{}x > 1{}", "(".repeat(MAX_DEPTH), ")".repeat(MAX_DEPTH));
    let long = format!("x = '{}'", "x".repeat(MAX_LENGTH - 6));
    for filter in [
        "age > 30",
        "age==30 and not(age<>5 or age!=6)",
        "Sex = 'f' AND age BETWEEN 30 AND 40",
        "\"Sex\" IN ('f', 'm', NULL, other)",
        "x NOT IN (1, y + 1, -3)",
        "\"well.known\"",
        "\"well.known\" IS NOT TRUE",
        "name LIKE 'f%' OR name NOT LIKE '50!%' ESCAPE '!'",
        "x IS NULL OR y is not null or x + 1 IS NULL",
        "a = 1 IS NOT FALSE",
        "(a = 1) = (b = 2) AND (a = 1) <> flag",
        "- - x + +3 * (y - 1) / 2 >= .5e-3",
        "true",
        "NULL",
        "NOT NOT x",
        "größe > 3 AND _x1 = 'ä' AND \"a \"\"b\"\"\" = 'it''s'",
        "date > DATE '2020-01-01' AND timestamp < timestamp '2020-01-01T00:00:00.5Z' AND text = 'a'",
        "case_ = 1 AND cast = 2",
        "day BETWEEN DATE '2020-01-01' AND date '2020-12-31' OR day IN (DATE '2020-01-01', NULL)",
        "DATE '2020-01-01' < TIMESTAMP '2020-01-01 08:00:00' AND x <> 'unknown' AND DATE '2020-01-01' <= x",
        "TEXT(zip) >= '01234' AND TEXT(\"the day\") = '2020-10-1' AND text(a) = TEXT(b) AND TEXT(a) IN ('01', '1')",
        "TEXT(x) LIKE '2020-01-01' OR TEXT(x) BETWEEN '1' AND '2' OR TEXT(x) IS NULL OR TEXT(x) = NULL",
        "age = '30' AND age <> '-1.5' AND age IN ('30', 'unknown') AND month < '2020-x'",
        "x BETWEEN y AND z AND 'a' < w",
        "x = 1\n\tAND\r\ny = 2",
        &long_list,
        &wide,
        &sum,
        &signs,
        &deep,
        &long,
    ] {
        assert!(Filter::parse(filter).is_ok(), "{filter:.60}: {:?}", Filter::parse(filter));
    }
}

#[test]
fn columns_are_named_once_in_order() {
    let filter = parse("b = 1 AND a = 2 AND (\"b\" > 0 OR B = a OR \"x y\" LIKE 'b')");
    assert_eq!(filter.columns(), ["b", "a", "B", "x y"]);
    assert!(parse("TRUE").columns().is_empty());
}

#[test]
fn ranks_of_operators() {
    for (loose, strict) in [
        ("a OR b AND c", "a OR (b AND c)"),
        ("NOT a AND b", "(NOT a) AND b"),
        ("NOT a = 1", "NOT (a = 1)"),
        ("a = 1 IS NULL", "(a = 1) IS NULL"),
        ("NOT a IS NULL", "NOT (a IS NULL)"),
        ("a + b * c > d - -e", "(a + (b * c)) > (d - (-e))"),
        ("a - b - c = 1", "((a - b) - c) = 1"),
        ("a BETWEEN 1 AND 2 AND b", "(a BETWEEN 1 AND 2) AND b"),
        ("a IN (1) = b", ""),
    ] {
        if strict.is_empty() {
            assert!(Filter::parse(loose).is_err(), "{loose}");
            continue;
        }
        // Chains are flat, so what they say is compared, not their form.
        for bits in 0..243_u32 {
            let value = |column: u32| match bits / 3_u32.pow(column) % 3 {
                0 => MISSING,
                1 if loose.contains('+') || loose.contains('-') => Value::Integer(column.into()),
                2 if loose.contains('+') || loose.contains('-') => Value::Integer(2),
                1 if loose.contains('1') => Value::Integer(1),
                2 if loose.contains('1') && column == 0 => Value::Integer(0),
                1 => Value::Boolean(true),
                _ => Value::Boolean(false),
            };
            let values: Vec<Value<'_>> = (0..5).map(value).collect();
            assert_eq!(truth(loose, &values), truth(strict, &values), "{loose}: {values:?}");
        }
    }
}

#[test]
fn rejects() {
    const NO_FUNCTION: &str = "a filter has no function but TEXT(column): store the result in a column of its own, and \
                               compare that with a value";
    const DATED: &str = "write days as DATE '2020-01-31' and moments as TIMESTAMP '2020-01-31 08:00:00', or \
                         TEXT(column) to compare what is written there";
    const QUOTED: &str = "write the number without quotes to compare numbers, or TEXT(column) to compare what is \
                          written there";
    let dated = |text: &str| forbidden(format!("'{text}', which looks like a date"), DATED);
    let quoted = |text: &str| forbidden(format!("the number '{text}' in quotes"), QUOTED);
    let no_day = |text: &str| invalid(format!("'{text}' is no day; write it as DATE '2020-01-31'"));
    let no_moment = |text: &str| {
        invalid(format!(
            "'{text}' is no moment; write it as TIMESTAMP '2020-01-31 08:00:00', and a day as DATE '2020-01-31'"
        ))
    };
    const ONE_RECORD: &str = "a filter may look at one record only, and must always give the same answer";
    const VARIABLE: &str = "write the value itself: a number, or text in single quotes";
    const COMMENT: &str = "leave comments out; a minus after a minus needs a blank between them";
    const DOTTED: &str = "a name with a dot goes in double quotes: \"a.b\"";
    const NAMES: &str = "names go in double quotes, and text in single quotes";
    const MATCH: &str = "LIKE is the only match of patterns, and upper and lower case differ";
    const BEFORE: &str =
        "text stands by itself, a day as DATE '2020-01-31', and a moment as TIMESTAMP '2020-01-31 08:00:00'";
    const CHAIN: &str =
        "it has two comparisons in a row; put one of them in parentheses, or join them: 1 < x AND x < 5";
    let number = || FilterError::NotBoolean { kind: "a number" };
    let mismatch = |left, right| FilterError::Mismatch { left, right };
    let table = [
        ("", invalid("it is empty")),
        (" \n", invalid("it is empty")),
        ("age >", invalid("it ends where a name, a number, text or ( is expected")),
        ("> 3", invalid("> stands where a name, a number, text or ( is expected")),
        ("age > 30 GROUP BY age", invalid("GROUP stands where an operator or the end is expected")),
        ("(age > 30", invalid("it ends where an operator or ) is expected")),
        ("age > 30)", invalid(") stands where an operator or the end is expected")),
        ("()", invalid(") stands where a name, a number, text or ( is expected")),
        ("x IN ()", invalid(") stands where a name, a number, text or ( is expected")),
        ("x IN 1", invalid("1 stands where the ( of IN is expected")),
        ("x IN (1, 2", invalid("it ends where a comma or the ) of IN is expected")),
        ("x BETWEEN 1 OR 2", invalid("OR stands where the AND of BETWEEN is expected")),
        ("x NOT 3", invalid("3 stands where BETWEEN, IN or LIKE is expected")),
        ("x IS 3", invalid("3 stands where NULL, TRUE or FALSE is expected")),
        ("x LIKE y", invalid("y stands where a pattern in single quotes is expected")),
        ("x LIKE 'y' ESCAPE", invalid("it ends where a character in single quotes is expected")),
        ("x LIKE 'y' ESCAPE ''", invalid("ESCAPE takes one character in single quotes")),
        ("x LIKE 'y' ESCAPE 'ab'", invalid("ESCAPE takes one character in single quotes")),
        (
            "x LIKE 'y!' ESCAPE '!'",
            invalid("in the pattern \"y!\", the escape character '!' must stand before %, _ or itself"),
        ),
        ("x + 1 LIKE '1%'", invalid("a number is LIKE a pattern; only a column or text can be")),
        ("1 < x < 5", invalid(CHAIN)),
        ("x = y = z", invalid(CHAIN)),
        ("x IS NULL IS TRUE", invalid(CHAIN)),
        ("x IN (1) = TRUE", invalid(CHAIN)),
        (
            "a = NOT b",
            invalid(
                "NOT stands where a value is expected; put it in parentheses together with its condition",
            ),
        ),
        (
            "x = 'it's'",
            invalid(
                "text has an opening quote and no closing one; double a quote that belongs to it: 'it''s'",
            ),
        ),
        (
            "\"x = 1",
            invalid(
                "a name has an opening quote and no closing one; double a quote that belongs to it: \"the \"\"best\"\"\"",
            ),
        ),
        ("x = ’f’", invalid("’ is a quote of print; write ' around text and \" around names")),
        ("x = {1}", invalid("'{' has no meaning there; a name with this character goes in double quotes")),
        ("x ! 1", invalid("'!' has no meaning there; a name with this character goes in double quotes")),
        (
            "x = 0x10",
            invalid(
                "0x10 is neither a number nor a name; a name that begins with a digit goes in double quotes",
            ),
        ),
        (
            "x = 1.2.3",
            invalid(
                "1.2.3 is neither a number nor a name; a name that begins with a digit goes in double quotes",
            ),
        ),
        (
            "x = 1e1000000000",
            invalid("the number 1e1000000000 has more than 400 digits or an exponent beyond 400"),
        ),
        ("age + 1", number()),
        ("3", number()),
        ("x > 1 AND 3", number()),
        ("NOT 3", number()),
        ("3 IS TRUE", number()),
        ("'f'", FilterError::NotBoolean { kind: "text" }),
        ("x = 1 OR 'f'", FilterError::NotBoolean { kind: "text" }),
        ("x + '1' > 2", FilterError::NotNumeric { kind: "text" }),
        ("x + (y = 1) > 2", FilterError::NotNumeric { kind: "a condition" }),
        ("-TRUE", FilterError::NotNumeric { kind: "a condition" }),
        ("1 = '1'", mismatch("a number", "text")),
        ("'1' IN (1)", mismatch("text", "a number")),
        ("x + 1 BETWEEN 1 AND 'b'", mismatch("a number", "text")),
        ("(x = 1) = 1", mismatch("a condition", "a number")),
        ("TRUE = 'true'", mismatch("a condition", "text")),
        ("length(x) > 3", forbidden("the function length", NO_FUNCTION)),
        ("count (*) > 3", forbidden("the function count", NO_FUNCTION)),
        ("x > 3 AND now() > x", forbidden("the function now", NO_FUNCTION)),
        ("CASE WHEN x THEN 1 END", forbidden("CASE", "combine conditions by AND, OR and NOT instead")),
        ("cast(x AS int) > 3", forbidden("a cast (cast)", NO_CAST)),
        ("TRY_CAST(x AS DOUBLE) > 3", forbidden("a cast (TRY_CAST)", NO_CAST)),
        ("x::int > 3", forbidden("a cast", NO_CAST)),
        ("(SELECT 1) = 1", forbidden("a subquery", ONE_RECORD)),
        ("SELECT 1", forbidden("a subquery", ONE_RECORD)),
        ("NOT EXISTS (SELECT 1)", forbidden("a subquery", ONE_RECORD)),
        ("x IN (SELECT y)", forbidden("a subquery", ONE_RECORD)),
        (
            "a || b = 'x'",
            forbidden("the operator ||", "compare the columns one by one, and join the conditions by AND"),
        ),
        ("x % 2 = 0", forbidden("the operator %", "store the remainder in a column of its own")),
        ("x = 1;", forbidden("a semicolon", "a filter is one condition, without a semicolon")),
        ("x = 1 -- all", forbidden("a comment", COMMENT)),
        ("x = --1", forbidden("a comment", COMMENT)),
        ("x /* all */ = 1", forbidden("a comment", COMMENT)),
        ("x = ?", forbidden("a placeholder", VARIABLE)),
        ("x = $1", forbidden("a variable", VARIABLE)),
        ("x = :age", forbidden("a variable", VARIABLE)),
        ("a.b = 1", forbidden("a dotted name", DOTTED)),
        ("\"a\".\"b\" = 1", forbidden("a dotted name", DOTTED)),
        ("a.5 = 1", forbidden("a dotted name", DOTTED)),
        ("`x` = 1", forbidden("a backquote", NAMES)),
        ("[x] = 1", forbidden("a bracket", NAMES)),
        ("x ilike 'f%'", forbidden("ILIKE", MATCH)),
        ("x = 'f' COLLATE nocase", forbidden("COLLATE", "text is compared byte by byte")),
        ("x > 30 AS old", forbidden("an alias", "a filter is one condition, without a name")),
        ("x > TIME '08:00:00'", forbidden("TIME before text", BEFORE)),
        // What looks like a date and is not written so.
        ("day < '2020-10-1'", dated("2020-10-1")),
        ("ts >= '2020-01-01T00:00:00'", dated("2020-01-01T00:00:00")),
        ("day = '2020-10-01'", dated("2020-10-01")),
        ("'01.10.2020' <> day", dated("01.10.2020")),
        ("day BETWEEN DATE '2020-01-01' AND '2020-12-31'", dated("2020-12-31")),
        ("day IN ('never', '2020/10/01')", dated("2020/10/01")),
        ("day LIKE '2020-10-01'", dated("2020-10-01")),
        ("'2020-10-01' = 'a'", dated("2020-10-01")),
        ("day < DATE '2020-10-1'", no_day("2020-10-1")),
        ("day < DATE '2020-02-30'", no_day("2020-02-30")),
        ("day < DATE '2020-10-01 00:00:00'", no_day("2020-10-01 00:00:00")),
        ("day < TIMESTAMP '2020-10-01'", no_moment("2020-10-01")),
        ("day < TIMESTAMP '2020-10-01 24:00:00'", no_moment("2020-10-01 24:00:00")),
        ("day < DATE '2020-10-01' + 1", FilterError::NotNumeric { kind: "a date" }),
        ("DATE '2020-10-01'", FilterError::NotBoolean { kind: "a date" }),
        ("DATE '2020-10-01' = 1", mismatch("a date", "a number")),
        ("DATE '2020-10-01' = 'a'", mismatch("a date", "text")),
        ("TEXT(x) > DATE '2020-10-01'", mismatch("text", "a date")),
        ("DATE '2020-10-01' LIKE '2020%'", invalid("a date is LIKE a pattern; only a column or text can be")),
        // Numbers in quotes.
        ("age > '30'", quoted("30")),
        ("'30' <= age", quoted("30")),
        ("age BETWEEN '30' AND '40'", quoted("30")),
        ("age BETWEEN 30 AND '40'", quoted("40")),
        ("zip = '01234'", quoted("01234")),
        ("x IN ('1', '1.50')", quoted("1.50")),
        ("x <> '1e3'", quoted("1e3")),
        // TEXT takes a column, and both sides of a comparison.
        ("TEXT(x) = 1", mismatch("text", "a number")),
        ("TEXT(x) + 1 > 2", FilterError::NotNumeric { kind: "text" }),
        ("TEXT(x)", FilterError::NotBoolean { kind: "text" }),
        ("TEXT(x) = y", forbidden("a comparison of TEXT with a column", "write TEXT(column) on both sides")),
        ("TEXT(x + 1) = '2'", invalid("+ stands where the ) of TEXT is expected")),
        ("TEXT('a') = 'a'", invalid("'a' stands where the column of TEXT is expected")),
        ("TEXT() = 'a'", invalid(") stands where the column of TEXT is expected")),
        ("TEXT(", invalid("it ends where the column of TEXT is expected")),
    ];
    for (filter, error) in table {
        assert_eq!(Filter::parse(filter).err(), Some(error), "{filter}");
    }
}

/// Whatever is long, wide or deep is refused or read on a stack of 256 KiB, and so are the deepest filters evaluated.
#[test]
fn no_filter_overflows_the_stack() {
    let half = MAX_LENGTH / 2;
    let hostile = [
        "(".repeat(MAX_LENGTH),
        "NOT ".repeat(MAX_LENGTH / 4),
        "- ".repeat(half),
        "x IN (".repeat(MAX_LENGTH / 6),
        "x BETWEEN (".repeat(MAX_LENGTH / 11),
        format!("x{}", " IS NULL".repeat(8000)),
        format!("x{}", " + 1".repeat(16_000)),
        format!("x{}", " AND x".repeat(10_000)),
        format!("x = {}1", "- ".repeat(30_000)),
        format!("{}x > 1{}", "(".repeat(MAX_DEPTH + 1), ")".repeat(MAX_DEPTH + 1)),
        "x".repeat(MAX_LENGTH + 1),
        format!("x{}", " OR x > 1".repeat(MAX_OPERATORS)),
    ];
    // One level each of everything that can stand on one level.
    let nested = |start: &str, level: &str| {
        (0..MAX_DEPTH).fold(start.to_owned(), |inner, _| level.replace("..", &inner))
    };
    let deepest = [
        nested("x", "(..) = x AND x OR x"),
        nested("x", "(x OR x AND x IN (x, ..) IS NOT TRUE)"),
        nested("x", "(x OR x AND .. BETWEEN x AND x IS NOT FALSE)"),
        nested("x", "(x OR x AND x BETWEEN x AND .. IS NULL)"),
        nested("x", "NOT .."),
        nested("y", "(..) * 1 + 1") + " > 0",
        nested("y", "(1 - 1 * ..)") + " > 0",
        nested("y", "- ..") + " > 0",
    ];
    let small = std::thread::Builder::new().stack_size(256 << 10);
    let thread = small.spawn(move || {
        for filter in hostile {
            let error = Filter::parse(&filter).err();
            assert!(matches!(error, Some(FilterError::Invalid { .. })), "{filter:.40}: {error:?}");
        }
        for filter in deepest {
            let filter = parse(&filter);
            let value = if filter.columns() == ["y"] { Value::Integer(7) } else { Value::Boolean(false) };
            assert!(filter.matches(&Row(&[value])).is_ok());
            assert!(filter.matches(&Row(&[MISSING])).is_ok());
            assert_eq!(filter.clone(), filter);
        }
    });
    assert!(thread.expect("a thread starts").join().is_ok());
}

#[test]
fn logic_has_three_values() {
    let values = [("TRUE", Some(true)), ("FALSE", Some(false)), ("NULL", None)];
    for (a, left) in values {
        let not = left.map(|left: bool| !left);
        assert_eq!(truth(&format!("NOT {a}"), &[]), Ok(not));
        assert_eq!(truth(&format!("{a} IS NULL"), &[]), Ok(Some(left.is_none())));
        assert_eq!(truth(&format!("{a} IS NOT NULL"), &[]), Ok(Some(left.is_some())));
        for (b, truth_value) in [("TRUE", true), ("FALSE", false)] {
            assert_eq!(truth(&format!("{a} IS {b}"), &[]), Ok(Some(left == Some(truth_value))));
            assert_eq!(truth(&format!("{a} IS NOT {b}"), &[]), Ok(Some(left != Some(truth_value))));
        }
        for (b, right) in values {
            let and = match (left, right) {
                (Some(false), _) | (_, Some(false)) => Some(false),
                (Some(true), Some(true)) => Some(true),
                _ => None,
            };
            let or = match (left, right) {
                (Some(true), _) | (_, Some(true)) => Some(true),
                (Some(false), Some(false)) => Some(false),
                _ => None,
            };
            assert_eq!(truth(&format!("{a} AND {b}"), &[]), Ok(and));
            assert_eq!(truth(&format!("{a} OR {b}"), &[]), Ok(or));
            let equal = left.zip(right).map(|(left, right)| left == right);
            assert_eq!(truth(&format!("{a} = {b}"), &[]), Ok(equal));
        }
    }
    assert_eq!(parse("NULL").matches(&Row(&[])), Ok(false));
    assert_eq!(parse("NOT NULL").matches(&Row(&[])), Ok(false));
}

#[test]
fn goldens() {
    let yes = Ok(Some(true));
    let no = Ok(Some(false));
    let unknown = Ok(None);
    let decimal = |mantissa, scale| Value::Decimal { mantissa, scale };
    let instant = |ticks| Value::Instant { ticks, per_second: 1000 };
    let number = |column| Err(EvaluationError::NotANumber { column });
    let not_truth = Err(EvaluationError::NotATruth { column: 0 });
    let unprintable = |column| Err(EvaluationError::NotPrintable { column });
    let not_text = Err(EvaluationError::NotText { column: 0 });
    let no_date = Err(EvaluationError::NotAMoment { column: 0 });
    let padded = Err(EvaluationError::Padded { column: 0 });
    let unlike = Err(EvaluationError::Unlike { left: 0, right: 1 });
    let table: Vec<(&str, Vec<Value<'_>>, Answer)> = vec![
        // Numbers, however they are stored.
        ("x > 9", vec![text("100")], yes),
        ("x > 9", vec![text("1e2")], yes),
        ("x = 1", vec![text("1.0")], yes),
        ("x = 0.3", vec![decimal(30, 2)], yes),
        ("x + 0.2 = 0.3", vec![text("0.1")], yes),
        ("x + 0.2 = 0.3", vec![Value::Double(0.1)], yes),
        ("x = 0.1", vec![Value::Single(0.1)], yes),
        ("x = 9007199254740992", vec![Value::Integer(9007199254740993)], no),
        ("x = 9007199254740993", vec![Value::Literal(b"9007199254740993")], yes),
        ("x / 10 = 3.5", vec![Value::Integer(35)], yes),
        ("x / 3 * 3 = 1", vec![Value::Integer(1)], yes),
        ("30 <= x", vec![Value::Integer(30)], yes),
        ("-x < +3", vec![text("-2")], yes),
        ("x > 30", vec![MISSING], unknown),
        ("x + 1 > 30", vec![MISSING], unknown),
        ("NULL / 0 = 1", vec![], unknown),
        ("x > 30", vec![text("abc")], number(0)),
        ("x > 30", vec![text("")], number(0)),
        ("x > 30", vec![text(" 31")], number(0)),
        ("x > 30", vec![text("1e1000000000")], number(0)),
        ("x > 30", vec![Value::Boolean(true)], number(0)),
        ("x > 30", vec![Value::Double(f64::NAN)], number(0)),
        ("x > 30", vec![Value::Double(f64::INFINITY)], number(0)),
        ("x > 30", vec![Value::Day(3)], number(0)),
        ("x > 30", vec![Value::Bytes(b"31")], number(0)),
        ("y = 1 OR x > 30", vec![Value::Integer(0), Value::Strange], number(1)),
        ("x / y > 1", vec![Value::Integer(1), Value::Integer(0)], Err(EvaluationError::DivisionByZero)),
        ("x / y > 1", vec![MISSING, Value::Integer(0)], unknown),
        // A missing operand hides no text that is not a number.
        ("x + y > 1", vec![MISSING, text("a")], number(1)),
        // A number in quotes equals numbers, but for those that may be codes.
        ("x = '1'", vec![text("1.0")], yes),
        ("x = '1'", vec![Value::Integer(1)], yes),
        ("x = '1'", vec![Value::Double(1.0)], yes),
        ("x = '1'", vec![text("01")], padded),
        ("x <> '1'", vec![text("+1")], padded),
        ("'1' = x", vec![text("01")], padded),
        ("x = '1'", vec![text("02")], no),
        ("x = '1'", vec![text("one")], no),
        ("x = '1'", vec![Value::Boolean(true)], no),
        ("x = '1'", vec![Value::Day(1)], no),
        ("x = '1'", vec![Value::Strange], unprintable(0)),
        ("x = '1.5'", vec![decimal(150, 2)], yes),
        ("x = '1.5'", vec![Value::Double(1.5)], yes),
        ("x = '1.5'", vec![Value::Literal(b"1.50e0")], yes),
        ("x IN ('1', 'a')", vec![text("1.0")], yes),
        ("x IN ('1', 'a')", vec![Value::Double(1.0)], yes),
        ("x IN ('1', 'a')", vec![text("01")], padded),
        ("x IN ('1', 'a')", vec![text("02")], no),
        ("x IN ('1', 'a', NULL)", vec![text("01")], padded),
        ("x IN ('1', 'a', NULL)", vec![text("1.0")], yes),
        // A number and a date differ from other text, and have no order with it.
        ("x = 'a'", vec![Value::Integer(1)], no),
        ("x <> 'a'", vec![text("1")], yes),
        ("x <> 'unknown'", vec![Value::Day(1)], yes),
        ("x < 'a'", vec![Value::Integer(100)], not_text),
        ("x < 'a'", vec![text("100")], not_text),
        ("'a' < x", vec![text("1e1000")], not_text),
        ("x < 'a'", vec![Value::Double(f64::NAN)], not_text),
        ("x < 'a'", vec![Value::Day(1)], not_text),
        ("x < 'a'", vec![text("2020-01-01")], not_text),
        ("x BETWEEN 'a' AND 'b'", vec![text("1")], not_text),
        // Text, by what values print.
        ("x = 'true'", vec![Value::Boolean(true)], yes),
        ("x < 'u'", vec![Value::Boolean(true)], yes),
        ("x = ''", vec![text("")], yes),
        ("x < 'b'", vec![text("Z")], yes),
        ("x < 'z'", vec![text("ä")], no),
        ("'a' < x", vec![text("ab")], yes),
        ("x = 'a'", vec![MISSING], unknown),
        ("x = 'a'", vec![Value::Bytes(b"a")], unprintable(0)),
        ("x = 'a'", vec![Value::Strange], unprintable(0)),
        ("x IN ('a')", vec![Value::Strange], unprintable(0)),
        ("x = 'a'", vec![Value::Day(i32::MAX)], no),
        ("x = 'NaN'", vec![Value::Double(f64::NAN)], yes),
        // TEXT gives what is written.
        ("TEXT(x) = '1'", vec![text("1.0")], no),
        ("TEXT(x) = '01234'", vec![text("01234")], yes),
        ("TEXT(x) = '01234'", vec![Value::Integer(1234)], no),
        ("TEXT(x) < '9'", vec![Value::Integer(100)], yes),
        ("TEXT(x) < TEXT(y)", vec![text("9"), text("100")], no),
        ("TEXT(x) = TEXT(y)", vec![text("01"), Value::Integer(1)], no),
        ("TEXT(x) >= '2020-01-01'", vec![Value::Day(18_262)], yes),
        ("TEXT(x) = '1969-12-31 23:59:59.999'", vec![instant(-1)], yes),
        ("TEXT(x) LIKE '1%'", vec![Value::Integer(12)], yes),
        ("TEXT(x) IN ('01', '1')", vec![text("01")], yes),
        ("TEXT(x) IN ('01', '1')", vec![text("001")], no),
        ("TEXT(x) BETWEEN '1' AND '2'", vec![text("10")], yes),
        ("TEXT(x) = 'a'", vec![MISSING], unknown),
        ("TEXT(x) IN ('a')", vec![MISSING], unknown),
        ("TEXT(x) LIKE 'a'", vec![MISSING], unknown),
        ("TEXT(x) IS NULL", vec![MISSING], yes),
        ("TEXT(x) = 'a'", vec![Value::Strange], unprintable(0)),
        ("TEXT(x) = 'a'", vec![Value::Day(i32::MAX)], unprintable(0)),
        // Dates and moments, of a type and as text.
        ("x < DATE '2020-10-01'", vec![Value::Day(18_535)], yes),
        ("x < DATE '2020-10-01'", vec![text("2020-09-30")], yes),
        ("x < DATE '2020-10-01'", vec![text("2020-10-01")], no),
        ("x >= TIMESTAMP '2020-01-01T00:00:00'", vec![text("2020-01-01 00:00:00")], yes),
        ("x >= TIMESTAMP '2020-01-01 00:00:00'", vec![text("2020-01-01")], yes),
        ("x = DATE '1970-01-01'", vec![instant(0)], yes),
        ("x = DATE '1970-01-01'", vec![instant(1)], no),
        ("x = TIMESTAMP '1970-01-01 01:00:00'", vec![text("1970-01-01T00:00:00-01:00")], yes),
        ("DATE '2020-01-01' <= x", vec![text("2020-01-01T00:00:00Z")], yes),
        ("x IN (DATE '2020-01-01', DATE '2020-01-02')", vec![text("2020-01-02")], yes),
        ("x BETWEEN DATE '2020-01-01' AND DATE '2020-01-31'", vec![text("2020-01-31T00:00:01")], no),
        ("x < DATE '2020-10-01'", vec![MISSING], unknown),
        ("x < DATE '2020-10-01'", vec![text("2020-9-30")], no_date),
        ("x < DATE '2020-10-01'", vec![text("30.09.2020")], no_date),
        ("x < DATE '2020-10-01'", vec![text("")], no_date),
        ("x < DATE '2020-10-01'", vec![Value::Integer(20_200_930)], no_date),
        ("x < DATE '2020-10-01'", vec![Value::Boolean(true)], no_date),
        ("x < DATE '2020-10-01'", vec![Value::Strange], no_date),
        ("x < DATE '9999-12-31'", vec![Value::Day(i32::MAX)], no),
        ("DATE '2020-01-01' < TIMESTAMP '2020-01-01 00:00:00.5'", vec![], yes),
        // Truth values.
        ("x", vec![Value::Boolean(true)], yes),
        ("x", vec![text("true")], yes),
        ("NOT x", vec![text("false")], yes),
        ("x", vec![MISSING], unknown),
        ("x = TRUE", vec![text("true")], yes),
        ("FALSE <> x", vec![Value::Boolean(false)], no),
        ("x IS NOT TRUE", vec![MISSING], yes),
        ("x IS NULL", vec![MISSING], yes),
        ("x IS NOT NULL", vec![Value::Strange], yes),
        ("x IS NULL", vec![text("")], no),
        ("x + 1 IS NULL", vec![MISSING], yes),
        ("(x = 1) IS NULL", vec![MISSING], yes),
        ("x", vec![text("TRUE")], not_truth),
        ("x", vec![text("t")], not_truth),
        ("x = TRUE", vec![Value::Integer(1)], not_truth),
        ("x IS TRUE", vec![Value::Integer(1)], not_truth),
        ("x", vec![Value::Strange], not_truth),
        // Two columns.
        ("x < y", vec![Value::Integer(9), text("100")], yes),
        ("x < y", vec![text("9"), text("100")], yes),
        ("x = y", vec![text("01234"), text("1234")], yes),
        ("x < y", vec![text("b"), text("ab")], no),
        ("x < y", vec![text("9"), text("b")], unlike),
        ("x = y", vec![text("b"), text("9")], unlike),
        ("x = y", vec![text("2020-01-01"), text("20200101")], unlike),
        ("x = y", vec![text("2020-01-01"), text("a")], unlike),
        ("x = y", vec![text("2020-01-01T00:00:00Z"), text("2020-01-01")], yes),
        ("x = y", vec![text("NaN"), text("NaN")], unlike),
        ("x = y", vec![Value::Double(f64::NAN), Value::Double(f64::NAN)], unlike),
        ("x = y", vec![text("1e1000"), text("1e1000")], unlike),
        ("x IN (y, 'a')", vec![text("9"), text("b")], unlike),
        ("x BETWEEN y AND 3", vec![text("9"), text("b")], unlike),
        ("x < y", vec![text("9"), Value::Literal(b"100")], yes),
        ("x = y", vec![Value::Single(0.1), Value::Double(0.1)], yes),
        ("x < y", vec![text("a"), Value::Integer(1)], unlike),
        ("x < y", vec![Value::Integer(1), Value::Boolean(true)], unlike),
        ("x < y", vec![Value::Boolean(false), Value::Boolean(true)], yes),
        ("x = y", vec![Value::Boolean(true), text("true")], yes),
        ("x = y", vec![Value::Day(1), instant(86_400_000)], yes),
        ("x < y", vec![Value::Day(i32::MIN), Value::Day(i32::MAX)], yes),
        ("x = y", vec![Value::Day(0), text("1970-01-01")], yes),
        ("x = y", vec![text("a"), Value::Strange], unprintable(1)),
        ("x = y", vec![MISSING, Value::Strange], unknown),
        // Ranges, lists and patterns.
        ("x BETWEEN 1 AND 3", vec![text("3.0")], yes),
        ("x BETWEEN 3 AND 1", vec![Value::Integer(2)], no),
        ("x NOT BETWEEN 1 AND NULL", vec![Value::Integer(0)], yes),
        ("x NOT BETWEEN 1 AND NULL", vec![Value::Integer(2)], unknown),
        ("x BETWEEN NULL AND 1", vec![Value::Integer(2)], no),
        ("x BETWEEN 'a' AND 'c'", vec![text("bz")], yes),
        ("x IN (1, 2.50, 3)", vec![text("2.5")], yes),
        ("x IN (3, 1, -2)", vec![text("-2")], yes),
        ("x IN (1, 2)", vec![text("a")], number(0)),
        ("x IN ('b', 'a')", vec![text("a")], yes),
        ("x NOT IN ('b', 'a')", vec![text("A")], yes),
        ("x IN ('a', NULL)", vec![text("b")], unknown),
        ("x NOT IN ('a', NULL)", vec![text("a")], no),
        ("x IN (1)", vec![MISSING], unknown),
        ("x + 1 IN (2, 3)", vec![Value::Integer(2)], yes),
        ("'a' IN ('b', 'a')", vec![], yes),
        ("x IN (1, 'a')", vec![text("a")], number(0)),
        ("x IN ('a', 1)", vec![text("a")], yes),
        ("x LIKE 'a%'", vec![text("ab")], yes),
        ("x LIKE '1%'", vec![text("1b")], yes),
        ("x LIKE '1%'", vec![Value::Integer(12)], not_text),
        ("x LIKE '1%'", vec![text("12")], not_text),
        ("x LIKE '%'", vec![text("inf")], not_text),
        ("x LIKE '2020-01-%'", vec![Value::Day(18_262)], yes),
        ("x LIKE '2020-01-%'", vec![text("2020-01-01")], yes),
        ("x LIKE '2020-01-%'", vec![instant(0)], not_text),
        ("x LIKE '2020-01-%'", vec![text("2020-01-01T00:00:00")], not_text),
        ("x NOT LIKE 'a'", vec![MISSING], unknown),
        ("'abc' LIKE 'a%'", vec![], yes),
        ("x LIKE '%'", vec![Value::Strange], unprintable(0)),
        // What is decided is not looked at.
        ("kind = 'n' AND x > 3", vec![text("t"), text("abc")], no),
        ("kind = 't' OR x > 3", vec![text("t"), text("abc")], yes),
        ("x > 3 AND kind = 'n'", vec![text("abc"), text("t")], number(0)),
        ("kind = 'n' AND x > 3", vec![MISSING, text("abc")], number(1)),
        ("x BETWEEN 5 AND y", vec![Value::Integer(1), text("abc")], no),
    ];
    for (filter, values, expected) in table {
        assert_eq!(truth(filter, &values), expected, "{filter}: {values:?}");
    }
}

#[test]
fn messages_name_the_column_and_no_value() {
    let filter = parse("kind = 'n' AND \"the age\" > 3");
    let row = [text("n"), text("secret")];
    let error = filter.explain(filter.matches(&Row(&row)).expect_err("no number"));
    assert_eq!(error, FilterError::NotANumber { column: "the age".into() });
    assert_eq!(
        error.to_string(),
        "needs a number in column \"the age\", and some record has there none of at most 400 digits and an exponent \
         of at most 400; compare the column with text in single quotes, or exclude such records by a condition \
         before it: kind = 'n' AND x > 3"
    );
    for evaluation in [
        EvaluationError::NotATruth { column: 0 },
        EvaluationError::NotPrintable { column: 0 },
        EvaluationError::NotAMoment { column: 0 },
        EvaluationError::NotText { column: 0 },
        EvaluationError::Padded { column: 0 },
        EvaluationError::Unlike { left: 1, right: 0 },
        EvaluationError::DivisionByZero,
    ] {
        let message = filter.explain(evaluation).to_string();
        assert!(message.contains("\"kind\"") || message.contains("zero"), "{message}");
    }
}

/// Nested ranges and lists evaluate each operand once, so that depth costs no exponential time.
#[test]
fn depth_costs_no_time() {
    let mut filter = "x".to_owned();
    for _ in 0..MAX_DEPTH {
        filter = format!("({filter} BETWEEN FALSE AND TRUE)");
    }
    assert_eq!(truth(&filter, &[Value::Boolean(true)]), Ok(Some(true)));
    let mut filter = "x".to_owned();
    for _ in 0..MAX_DEPTH {
        filter = format!("({filter} IN (NULL, FALSE, x, NULL) IS NOT NULL)");
    }
    assert!(truth(&filter, &[Value::Boolean(true)]).is_ok());
}

/// Large numbers stay affordable.
#[test]
fn arithmetic_is_bounded() {
    let long = "7".repeat(250);
    let product = format!("{} > 0", vec![long.as_str(); MAX_OPERATORS - 1].join(" * "));
    assert_eq!(truth(&product, &[]), Ok(Some(true)));
    let quotient = format!("{} > 0", vec!["x"; MAX_OPERATORS].join(" / "));
    let digits = format!("0.{}", "37".repeat(200));
    assert_eq!(truth(&quotient, &[text(&digits)]), Ok(Some(true)));
    let sum = format!("{} > 0", vec!["1 / x"; MAX_OPERATORS / 2].join(" + "));
    assert_eq!(truth(&sum, &[text(&digits)]), Ok(Some(true)));
}

fn any_value() -> impl Strategy<Value = Value<'static>> {
    prop_oneof![
        Just(Value::Missing),
        Just(Value::Strange),
        Just(Value::Bytes(b"1")),
        prop::sample::select(vec![
            "",
            "1",
            "01",
            "true",
            "a",
            "1e400",
            "NaN",
            "日本",
            "2020-01-01",
            "2020-01-01 08:00:00Z"
        ])
        .prop_map(text),
        any::<bool>().prop_map(Value::Boolean),
        any::<i128>().prop_map(Value::Integer),
        Just(Value::Literal(b"1.5")),
        (any::<i128>(), any::<i32>()).prop_map(|(mantissa, scale)| Value::Decimal { mantissa, scale }),
        any::<u32>().prop_map(|bits| Value::Single(f32::from_bits(bits))),
        any::<u64>().prop_map(|bits| Value::Double(f64::from_bits(bits))),
        any::<i32>().prop_map(Value::Day),
        (any::<i64>(), any::<u32>()).prop_map(|(ticks, per_second)| Value::Instant { ticks, per_second }),
    ]
}

/// A value that has a printed form.
fn printable() -> impl Strategy<Value = Value<'static>> {
    let ticks = (-1_000_000_i64..2_000_000_000, prop::sample::select(vec![1, 1_000, 1_000_000_000]));
    prop_oneof![
        prop::sample::select(vec!["1", "01", "true", "a", "1e999", "NaN", "日本", "2020-01-01", "1.50"])
            .prop_map(text),
        any::<bool>().prop_map(Value::Boolean),
        (-3_i128..3).prop_map(Value::Integer),
        prop::sample::select(vec![&b"1.50"[..], b"1", b"-0", b"1e999"]).prop_map(Value::Literal),
        (-3_i128..300, -1..3).prop_map(|(mantissa, scale)| Value::Decimal { mantissa, scale }),
        (-4_i8..4).prop_map(|half| Value::Single(f32::from(half) / 2.0)),
        (-4_i8..4).prop_map(|half| Value::Double(f64::from(half) / 2.0)),
        Just(Value::Double(f64::NAN)),
        Just(Value::Double(f64::INFINITY)),
        (18_260..18_265).prop_map(Value::Day),
        ticks.prop_map(|(ticks, per_second)| Value::Instant { ticks, per_second }),
        Just(Value::Instant { ticks: 1_577_836_800, per_second: 1 }),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    /// If this fails, a filter means something else in a CSV file, which has only text, than in a typed one.
    #[test]
    fn a_value_and_its_text_mean_the_same(values in prop::collection::vec(printable(), 2)) {
        let texts: Vec<Cow<'_, [u8]>> =
            values.iter().map(|value| printed::printed(*value).expect("a printed form")).collect();
        let [first, second] = [Value::Text(&texts[0]), Value::Text(&texts[1])];
        for filter in [
            "x = y", "x < y", "x >= y", "x IN (y, 'a')", "x BETWEEN y AND 2", "x > 1", "x = 1.5", "x IN (1, 2)",
            "x + y > 1", "x", "x = TRUE", "x = '1'", "x <> '1.5'", "x IN ('1', 'a', 'true')", "x = 'a'", "x = 'NaN'",
            "x < 'b'", "x BETWEEN 'a' AND 'u'", "x < DATE '2020-01-01'", "x = TIMESTAMP '2020-01-01 00:00:00'",
            "x IN (DATE '2020-01-01', NULL)", "x LIKE '2020%'", "x LIKE 't%'", "x IS NULL", "TEXT(x) < '2'",
            "TEXT(x) = TEXT(y)", "TEXT(x) IN ('1', '1.50')", "TEXT(x) LIKE '1%'",
        ] {
            let typed = truth(filter, &values);
            for mixed in [[first, second], [first, values[1]], [values[0], second]] {
                prop_assert_eq!(truth(filter, &mixed), typed, "{}: {:?}", filter, values);
            }
        }
    }

    #[test]
    fn any_text_is_read_or_refused(filter in any::<String>()) {
        let _ = Filter::parse(&filter);
    }

    #[test]
    fn any_words_are_read_or_refused(words in prop::collection::vec(prop::sample::select(vec![
        "x", "y", "1", ".5", "'a'", "'%'", "TRUE", "NULL", "(", ")", ",", "=", "<", "+", "-", "*", "/", "AND", "OR",
        "NOT", "IN", "IN (", "BETWEEN", "LIKE", "ESCAPE", "IS", "\"z\"", "\"", "'", ".", "é", "f(", "TEXT(x)", "TEXT(",
        "DATE", "TIMESTAMP", "'2020-01-01'", "DATE '2020-01-01'", "'1'",
    ]), 0..12), values in prop::collection::vec(any_value(), 3)) {
        if let Ok(filter) = Filter::parse(&words.join(" ")) {
            prop_assert!(filter.columns().len() <= values.len());
            let _ = filter.matches(&Row(&values));
        }
    }

    #[test]
    fn any_values_are_compared_or_refused(values in prop::collection::vec(any_value(), 2)) {
        for filter in [
            "x = 1", "x = 'a'", "x", "x = y", "x < y", "x LIKE '1%'", "x IN (1, 2)", "x IN ('1', '2')",
            "x + y * 2 / x > 0", "x BETWEEN y AND 3", "x IS NULL", "x IS TRUE", "x < 'a'", "x < DATE '2020-01-01'",
            "TEXT(x) < '1'", "TEXT(x) IN ('1', '2')", "TEXT(x) LIKE '1%'", "x IN (y, '1')",
        ] {
            let _ = parse(filter).matches(&Row(&values));
        }
        // Two values compare alike from both sides.
        let left = truth("x <= y", &values);
        let right = truth("y >= x", &[values[1], values[0]]);
        prop_assert_eq!(left.is_ok(), right.is_ok());
        if left.is_ok() {
            prop_assert_eq!(left, right);
        }
    }
}

/// Prints how long common filters take per record. Run it with `--release --ignored --nocapture`.
#[test]
#[ignore = "prints times"]
fn times() {
    let cases: [(&str, Value<'_>); 9] = [
        ("x > 30", Value::Integer(31)),
        ("x > 30.5", Value::Integer(31)),
        ("x > 30", text("31")),
        ("x > 30.5", text("31.25")),
        ("x > 30", Value::Double(31.25)),
        ("x = 'female'", text("female")),
        ("x IN ('a', 'b', 'c', 'female')", text("female")),
        ("x LIKE 'fe%le'", text("female")),
        ("x + 1 > 30 AND x < 90", Value::Integer(31)),
    ];
    const RECORDS: u32 = 10_000;
    for (filter, value) in cases {
        let parsed = parse(filter);
        let row = [value];
        let batch = || {
            let start = Instant::now();
            for _ in 0..RECORDS {
                assert!(parsed.matches(std::hint::black_box(&Row(&row))) == Ok(true));
            }
            start.elapsed()
        };
        // The shortest of many runs is the least disturbed one.
        let shortest = (0..200).map(|_| batch()).min().unwrap_or_default();
        let each = shortest.as_secs_f64() / f64::from(RECORDS) * 1e9;
        println!("{filter:32} {value:?}: {each:.1} ns per record");
    }
}
