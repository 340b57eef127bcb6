//! An undisturbed cluster counts as this machine does, and little crosses the network.

use std::ops::ControlFlow;

use cluster_tests::{CATEGORIES, People, Scratch, SmallCluster, about, cluster, here, margins_here, there};
use posterity::{Data, Randomness};
use posterity_count::{
    Adjacency, Bins, Column, DataError, PerUnit, Question, Resources, Source, count_margins_on,
};

fn questions() -> Vec<(&'static str, Question)> {
    let outcome = || about("outcome", &CATEGORIES).with_missing("unknown");
    let filtered = |filter: &str| Question { filter: Some(filter.into()), ..outcome() };
    let wards = Column::new("Ward.name", ["A", "B, left", "C"]);
    let both = Question::new(vec![Column::new("outcome", CATEGORIES), wards]).with_missing("unknown");
    vec![
        ("a column", outcome()),
        ("a condition by which groups of rows are left out", filtered("age > 90")),
        ("a condition that leaves out few", filtered("age <> 17 AND outcome IS NOT NULL")),
        ("a condition on a name with a dot", filtered("TEXT(\"Ward.name\") LIKE 'B%'")),
        ("two columns", both.clone()),
        (
            "other values",
            Question::new(vec![Column::new("outcome", CATEGORIES[..2].iter().copied())])
                .with_other("else")
                .with_missing("unknown"),
        ),
        (
            "bins",
            Question {
                columns: vec![Column::binned("age", Bins::new(["0", "17.5", "40", "100"]).expect("valid"))],
                ..outcome()
            },
        ),
        (
            "a condition that can fail, before one that cannot",
            filtered("age > 12.5 AND NOT outcome = 'improved'"),
        ),
        ("a private filter", Question { within: Some("TEXT(\"Ward.name\") LIKE 'B%'".into()), ..outcome() }),
        ("units", Question { unit: Some("person".into()), per_unit: PerUnit::First, ..outcome() }),
        (
            "units, two columns, a condition",
            Question {
                unit: Some("person".into()),
                per_unit: PerUnit::First,
                filter: Some("age > 20".into()),
                ..both
            },
        ),
    ]
}

#[test]
fn every_question_of_every_source() {
    let scratch = Scratch::new();
    let small = SmallCluster::start(&scratch.path(""), 2).expect("a cluster");
    People::folder(&scratch.path("parquet"), 5, 25_000).expect("written");
    std::fs::create_dir(scratch.path("csv")).expect("a folder");
    for file in 0..3 {
        let people = People { file, rows: 4_000 };
        people.write_csv(&scratch.path(&format!("csv/{file}.csv")), ';').expect("written");
    }
    let sources = [scratch.source("parquet"), scratch.source("csv").with_delimiter(';')];
    // Fewer tasks than files: some read several.
    let three = cluster(&small.address(), 3);
    for source in &sources {
        for (what, question) in questions() {
            let expected = here(source, &question);
            assert!(expected.is_ok(), "{what}: {expected:?}");
            assert_eq!(there(source, &question, &three), expected, "{what} of {source:?}");
        }
    }
    // Line breaks in quoted fields.
    let rows = (0..3_000).map(|i| format!("{i},\"a\nb\",{}\n", CATEGORIES[i % 3]));
    let broken = format!("id,note,outcome\n{}", rows.collect::<String>());
    let broken = scratch.write("breaks.csv", broken);
    let question = about("outcome", &CATEGORIES);
    assert_eq!(there(&broken, &question, &three), here(&broken, &question));
}

#[test]
fn the_input_of_a_release_is_the_same() {
    let scratch = Scratch::new();
    let small = SmallCluster::start(&scratch.path(""), 1).expect("a cluster");
    People::folder(&scratch.path("parquet"), 2, 5_000).expect("written");
    let source = scratch.source("parquet");
    let question = Question {
        unit: Some("person".into()),
        per_unit: PerUnit::First,
        ..about("outcome", &CATEGORIES).with_missing("unknown")
    };
    let go_on = |_| ControlFlow::Continue(());
    let local = Data::read_from(&source, &question, Randomness::System, &Resources::default(), &go_on)
        .expect("counted");
    let remote = Data::read_on(&source, &question, &cluster(&small.address(), 4)).expect("counted");
    assert_eq!(remote, local);
    assert!(remote.description().is_some_and(|text| text.contains("outcome")));
}

#[test]
fn tables_over_sets_of_columns_and_a_private_n() {
    let scratch = Scratch::new();
    let small = SmallCluster::start(&scratch.path(""), 2).expect("a cluster");
    People::folder(&scratch.path("parquet"), 3, 10_000).expect("written");
    let source = scratch.source("parquet");
    let three = cluster(&small.address(), 3);
    let columns = vec![
        Column::new("outcome", CATEGORIES),
        Column::new("Ward.name", ["A", "B, left", "C"]),
        Column::binned("age", Bins::new(["0", "17.5", "40", "100"]).expect("valid")),
    ];
    let sets = [vec![], vec![1], vec![0, 1], vec![0, 2], vec![1, 2]];
    for adjacency in [Adjacency::Replace, Adjacency::AddRemove] {
        for unit in [None, Some("person".to_owned())] {
            let question =
                Question { unit, per_unit: PerUnit::First, adjacency, ..Question::new(columns.clone()) };
            // Under replace a missing outcome would be an error; under add-remove its record is left out.
            let question = if adjacency.is_replace() { question.with_missing("unknown") } else { question };
            let expected = margins_here(&source, &question, &sets).expect("counted");
            let counted = count_margins_on(&source, &question, &sets, &three).expect("counted");
            assert!(counted == expected, "{adjacency:?} {:?}", question.unit);
            let one = Question { columns: question.columns[..1].to_vec(), ..question };
            assert_eq!(there(&source, &one, &three), here(&source, &one), "{adjacency:?}");
        }
    }
    let drawn = Question { unit: Some("person".into()), ..Question::new(columns) }.with_missing("unknown");
    let counted = count_margins_on(&source, &drawn, &sets, &three).expect("counted");
    let expected = margins_here(&source, &drawn, &sets).expect("counted");
    assert_eq!(counted.n, expected.n);
    assert!(counted.tables.iter().all(|table| table.iter().sum::<u64>() == expected.n));
}

/// Which record counts is drawn, so the counts are not the same; the units are.
#[test]
fn units_by_random_records() {
    let scratch = Scratch::new();
    let small = SmallCluster::start(&scratch.path(""), 2).expect("a cluster");
    People::folder(&scratch.path("parquet"), 3, 10_000).expect("written");
    let source = scratch.source("parquet");
    let question = |rule: PerUnit| Question {
        unit: Some("person".into()),
        per_unit: rule,
        ..about("outcome", &CATEGORIES).with_missing("unknown")
    };
    let three = cluster(&small.address(), 3);
    let first = there(&source, &question(PerUnit::First), &three).expect("counted");
    let random = there(&source, &question(PerUnit::Random), &three).expect("counted");
    assert_eq!(random.counts.total(), first.counts.total());
    // People in several files have different outcomes there, and the first rule takes the one declared first.
    assert!(random.counts.as_slice()[0] < first.counts.as_slice()[0], "{random:?} {first:?}");
    for rule in [PerUnit::Mode, PerUnit::Latest("age".into())] {
        let refused = there(&source, &question(rule.clone()), &three);
        assert_eq!(refused, Err(DataError::ClusterRule { rule: rule.to_string() }));
    }
}

/// Every task of the scan adds up its own rows, and one task adds up what they found.
#[test]
fn one_row_per_category_and_partition_crosses_the_network() {
    let scratch = Scratch::new();
    let small = SmallCluster::start(&scratch.path(""), 2).expect("a cluster");
    People::folder(&scratch.path("parquet"), 6, 20_000).expect("written");
    let source: Source = scratch.source("parquet");
    let question = about("outcome", &CATEGORIES).with_missing("unknown");
    let counted = there(&source, &question, &cluster(&small.address(), 6)).expect("counted");
    assert_eq!(counted.counts.total(), 120_000);
    let jobs = small.jobs();
    let stages = small.stages(jobs.last().expect("a job"));
    let [scan, sum] = stages.as_slice() else { panic!("two stages: {stages:#?}") };
    let plan = |stage: &serde_json::Value| stage["stage_plan"].as_str().unwrap_or_default().to_owned();
    assert!(plan(scan).contains("mode=Partial") && plan(scan).contains("DataSourceExec"), "{}", plan(scan));
    assert!(plan(sum).contains("mode=Final") && !plan(sum).contains("DataSourceExec"), "{}", plan(sum));
    let tasks = |stage: &serde_json::Value| stage["tasks"].as_array().map_or(0, Vec::len);
    assert_eq!((tasks(scan), tasks(sum)), (6, 1));
    // Four categories in each of six partitions.
    assert!(plan(scan).contains("output_rows=24"), "{}", plan(scan));
}
