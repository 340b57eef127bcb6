//! What a count leaves out, for whoever prepares the data.

use std::ops::ControlFlow;

use posterity_count::{
    Adjacency, Bins, Column, DataError, LeftOutColumn, MAX_UNDECLARED, PerUnit, Question, Resources, Source,
    left_out,
};

use crate::scratch::{Scratch, about, counts, go_on, strings};

fn frequent(column: &LeftOutColumn) -> Vec<(&str, u64)> {
    column.most_frequent.iter().map(|found| (found.value.as_str(), found.records)).collect()
}

/// If this fails, whoever prepares the data has to find out which declared value was meant.
#[test]
fn aliases_that_may_be_meant_are_named() {
    let scratch = Scratch::new();
    let path =
        scratch.write("a.csv", "i,ward\n1,Geriatrics\n2,geriatrics \n3,GER\n4,GER\n5,Geri\u{a0}atrics\n");
    let question = about("ward", &["Geriatrics", "Surgery"]);
    let found = left_out(&Source::files(&path), &question, &Resources::default(), &go_on).expect("read");
    let meant = |(value, alias_of): (&str, Option<&str>)| (value.to_owned(), alias_of.map(str::to_owned));
    let found: Vec<_> =
        found.columns[0].most_frequent.iter().map(|one| (one.value.clone(), one.alias_of.clone())).collect();
    let expected =
        [("GER", None), ("Geri\u{a0}atrics", Some("Geriatrics")), ("geriatrics ", Some("Geriatrics"))]
            .map(meant);
    assert_eq!(found, expected);
    // An error names the category, and neither the value nor how often it occurs. It is the same on any number of threads.
    let refused = counts(&path, &question).expect_err("refused").to_string();
    assert!(refused.contains("differs from \"Geriatrics\" only in blanks;"), "{refused}");
    for said in ["geriatrics ", "Geri\u{a0}", "GER"] {
        assert!(!refused.contains(said), "{refused}");
    }
    // Where n is private, a value that nobody declared is no error.
    let private = Question { adjacency: Adjacency::AddRemove, ..question };
    assert_eq!(counts(&path, &private), Ok(vec![1, 0]));
}

#[test]
fn every_kind_is_told() {
    let scratch = Scratch::new();
    let mut csv = String::from("id,a,n,t\n");
    csv += "1,x,5,1\n2,zzz,5,1\n2,zzz,7,1\n3,,5,1\n4,y,five,1\n5,y,,1\n,w,6,1\n6,x,70,1\n7,x,-1,1\n";
    let path = scratch.write("a.csv", csv);
    let columns =
        vec![Column::new("a", ["x", "y"]), Column::binned("n", Bins::new(["0", "6", "10"]).expect("valid"))];
    let question = Question { unit: Some("id".into()), ..Question::new(columns).with_other("other") };
    for adjacency in Adjacency::ALL {
        let question = Question { adjacency, ..question.clone() };
        let found = left_out(&Source::files(&path), &question, &Resources::default(), &go_on).expect("read");
        assert_eq!((found.records, found.filtered, found.unanswered), (9, 0, 0));
        assert_eq!((found.no_unit, found.outside, found.no_order), (1, 0, 0));
        let [a, n] = found.columns.as_slice() else { unreachable!("two columns") };
        assert_eq!((a.name.as_str(), a.undeclared, a.missing, a.unnamed), ("a", 3, 1, 0));
        assert_eq!(frequent(a), [("zzz", 2), ("w", 1)]);
        assert_eq!((n.name.as_str(), n.undeclared, n.missing, n.unnamed), ("n", 3, 1, 0));
        assert_eq!(frequent(n), [("-1", 1), ("70", 1), ("five", 1)]);
        assert_eq!(found.counted, 6);
    }
    let ask = |filter: Option<&str>, within: Option<&str>| {
        let question = Question {
            filter: filter.map(Into::into),
            within: within.map(Into::into),
            adjacency: Adjacency::AddRemove,
            ..about("a", &["x", "y"])
        };
        let found = left_out(&Source::files(&path), &question, &Resources::default(), &go_on).expect("read");
        // Without a unit every record that counts is in the counts.
        assert_eq!(counts(&path, &question).map(|counts| counts.iter().sum()), Ok(found.counted));
        found
    };
    let found = ask(Some("n > 5"), None);
    assert_eq!((found.filtered, found.unanswered), (5, 1));
    assert_eq!((found.columns[0].undeclared, found.columns[0].missing, found.counted), (2, 0, 1));
    let found = ask(None, Some("n > 5"));
    assert_eq!((found.filtered, found.outside, found.within_unanswered, found.counted), (0, 6, 1, 7));
}

#[test]
fn values_of_every_format() {
    let scratch = Scratch::new();
    let text: String = (0..30)
        .flat_map(|value| vec![format!("{{\"id\":{value},\"a\":\"v{value}\"}}\n"); 30 - value])
        .collect();
    let path = scratch.write("a.json", text + "{\"a\":0.5}\n{\"id\":[]}\n{\"id\":7,\"a\":7,\"t\":[]}\n");
    let question = Question {
        unit: Some("id".into()),
        per_unit: PerUnit::Latest("t".into()),
        adjacency: Adjacency::AddRemove,
        ..about("a", &["v0", "v1"])
    };
    let found = left_out(&Source::files(&path), &question, &Resources::default(), &go_on).expect("read");
    let column = &found.columns[0];
    assert_eq!((column.undeclared, column.missing, column.unnamed), (406 + 1, 1, 1));
    assert_eq!((found.no_unit, found.no_order, found.counted), (2, 1, 59));
    assert_eq!(column.most_frequent.len(), MAX_UNDECLARED);
    assert_eq!(frequent(column)[0], ("v2", 28));
    assert_eq!(frequent(column)[19], ("v21", 9));
    // Nothing of it is in a message.
    assert!(!format!("{found:?} {column:?}").contains("v2"));
    let batch =
        crate::scratch::batch(vec![("a", strings(&[Some("x"), Some("ä".repeat(200).as_str()), None]))]);
    let path = scratch.parquet("a.parquet", &batch);
    let question = about("a", &["x", "y"]);
    let found = left_out(&Source::files(&path), &question, &Resources::default(), &go_on).expect("read");
    assert_eq!(frequent(&found.columns[0]), [("ä".repeat(100).as_str(), 1)]);
    assert_eq!((found.columns[0].missing, found.counted), (1, 1));
}

#[test]
fn rejects() {
    let scratch = Scratch::new();
    let path = scratch.write("a.csv", "a\nx\n");
    let look = |question: &Question| left_out(&Source::files(&path), question, &Resources::default(), &go_on);
    assert!(matches!(look(&about("b", &["x", "y"])), Err(DataError::UnknownColumn { .. })));
    assert!(matches!(look(&about("a", &["x", "x"])), Err(DataError::Cells(_))));
    let empty = scratch.write("b.json", "");
    let question = Question { adjacency: Adjacency::AddRemove, ..about("a", &["x", "y"]) };
    let none = left_out(&Source::files(&empty), &question, &Resources::default(), &go_on).expect("read");
    assert_eq!((none.records, none.counted, none.columns.len()), (0, 0, 1));
    let told = std::cell::Cell::new(0);
    let progress = |rows| {
        told.set(rows);
        ControlFlow::Continue(())
    };
    left_out(&Source::files(&path), &question, &Resources::default(), &progress).expect("read");
    assert_eq!(told.get(), 1);
}
