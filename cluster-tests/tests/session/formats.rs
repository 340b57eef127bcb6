//! Which files a query reads, and what it refuses of a question.

use cluster_tests::{Scratch, about, here, within};
use posterity_count::datafusion::prelude::SessionContext;
use posterity_count::{DataError, FilterError, PerUnit, Question};

/// The engine reads these formats so that a record changes the meaning of others, or cannot send them to an executor.
#[test]
fn formats() {
    let scratch = Scratch::new();
    for (name, kind) in [("a.jsonl", "json"), ("a.csv.gz", "csv with gzip"), ("a.arrow", "arrow")] {
        let source = scratch.write(name, "x");
        let path = scratch.path(name).to_str().expect("UTF-8").to_owned();
        let refused = within(&SessionContext::new(), &source, &about("a", &["x", "y"]));
        assert_eq!(refused, Err(DataError::ClusterFormat { path, kind: kind.into() }));
    }
}

#[test]
fn rules() {
    let scratch = Scratch::new();
    let source = scratch.write("a.csv", "a,id\nx,1\ny,2\n");
    for rule in [PerUnit::Mode, PerUnit::Latest("a".into())] {
        let question =
            Question { unit: Some("id".into()), per_unit: rule.clone(), ..about("a", &["x", "y"]) };
        let refused = within(&SessionContext::new(), &source, &question);
        assert_eq!(refused, Err(DataError::ClusterRule { rule: rule.to_string() }));
    }
}

/// Each of these is counted on this machine.
#[test]
fn filters() {
    let scratch = Scratch::new();
    let source = scratch.write("a.csv", "a,n,m,day\nx,1,2,2020-01-31\ny,3,1,2020-02-01\n");
    for filter in [
        "n + 1 > 2",
        "n < m",
        "-n < 0",
        "(n > 2) = TRUE",
        "n + 1 IS NULL",
        "n IN (1, m)",
        // What a value is decides these, and the engine cannot be asked that.
        "n = '1'",
        "n IN ('1', 'a')",
        "a < 'y'",
        "a LIKE 'x%'",
        "day < DATE '2020-02-01'",
        "TEXT(n) = TEXT(m)",
    ] {
        let question = Question { filter: Some(filter.into()), ..about("a", &["x", "y"]) };
        let local = here(&source, &question);
        assert!(matches!(local, Ok(_) | Err(DataError::NoRecords)), "{filter}: {local:?}");
        let refused = within(&SessionContext::new(), &source, &question);
        let forbidden =
            matches!(&refused, Err(DataError::Filter { error: FilterError::Forbidden { .. }, .. }));
        assert!(forbidden, "{filter}: {refused:?}");
    }
    for filter in
        ["a = 'x'", "TEXT(n) = '1'", "TEXT(a) < 'y'", "TEXT(day) LIKE '2020-01-%'", "TEXT(n) IN ('1')"]
    {
        let question = Question { filter: Some(filter.into()), ..about("a", &["x", "y"]) };
        let local = here(&source, &question);
        assert!(local.is_ok(), "{filter}: {local:?}");
        assert_eq!(within(&SessionContext::new(), &source, &question), local, "{filter}");
    }
    let question = Question { filter: Some("N > 1".into()), ..about("a", &["x", "y"]) };
    assert_eq!(within(&SessionContext::new(), &source, &question), here(&source, &question));
}

/// Conditions are evaluated from left to right until one decides, whatever order the engine would choose.
#[test]
fn conditions_stop_from_left_to_right() {
    let scratch = Scratch::new();
    let source = scratch.write("a.csv", "a,kind,n\nx,n,5\ny,t,five\nx,t,six\nx,n,\n");
    let wrong = |filter: &str| {
        let error = FilterError::NotANumber { column: "n".into() };
        Err(DataError::Filter { filter: filter.into(), error })
    };
    let table: [(&str, Option<[u64; 2]>); 12] = [
        ("kind = 'n' AND n > 3", Some([1, 0])),
        ("n > 3 AND kind = 'n'", None),
        ("n > 3 AND FALSE", None),
        ("n > 3 AND TRUE", None),
        ("n > 3 OR TRUE", None),
        ("kind = 't' OR n > 3", Some([2, 1])),
        ("NOT (kind = 't' OR n <= 3)", Some([1, 0])),
        ("FALSE AND n > 3 OR a = 'x'", Some([3, 0])),
        ("kind = 'n' AND (n > 3) IS NULL", Some([1, 0])),
        ("kind = 'n' AND n IN (5, 1e99, 0.1)", Some([1, 0])),
        ("kind = 'n' AND n < 1e300", Some([1, 0])),
        ("n < 1e300 AND kind = 'n'", None),
    ];
    for (filter, counts) in table {
        let question = Question { filter: Some(filter.into()), ..about("a", &["x", "y"]) };
        let counted = |answer: Result<posterity_count::Counted, DataError>| {
            answer.map(|counted| counted.counts.as_slice().to_vec())
        };
        let expected = counts.map_or_else(|| wrong(filter), |counts| Ok(counts.to_vec()));
        assert_eq!(counted(here(&source, &question)), expected, "{filter}");
        assert_eq!(counted(within(&SessionContext::new(), &source, &question)), expected, "{filter}");
    }
}

/// A number that only this machine reads is an error and no other value.
#[test]
fn numbers_of_text() {
    let scratch = Scratch::new();
    let source = scratch.write("a.csv", "a,n\nx,5e0\ny,6\n");
    let question = Question { filter: Some("n > 3".into()), ..about("a", &["x", "y"]) };
    assert!(here(&source, &question).is_ok());
    let refused = within(&SessionContext::new(), &source, &question);
    assert_eq!(refused, Err(DataError::ClusterNumber { column: "n".into() }));
}
