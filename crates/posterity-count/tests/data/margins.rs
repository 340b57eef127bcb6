//! Tables over sets of columns, counted in one pass: against counts by hand, and against the table of all columns.

use std::collections::BTreeMap;
use std::num::{NonZeroU32, NonZeroUsize};
use std::sync::Arc;

use arrow_array::{ArrayRef, Int64Array, RecordBatch};
use arrow_schema::DataType;
use posterity_core::sampler::SeededBits;
use posterity_count::{
    Adjacency, Bins, CellsError, Column, CountedMargins, DataError, MAX_MARGIN_CELLS, PerUnit, Question,
    Resources, Source, WideQuestion, check_margins, check_together, count, count_margins, count_together,
    left_out,
};
use posterity_testkit::{Random, trials};

use crate::scratch::{Scratch, alone, batch, cast, go_on, source, strings};
use crate::stability::{Row, WRITERS, Writer};

fn margins(path: &str, question: &Question, sets: &[Vec<usize>]) -> Result<CountedMargins, DataError> {
    let ask = |threads: usize, memory: usize| {
        let resources = Resources { memory, threads: NonZeroUsize::new(threads).expect("not zero") };
        count_margins(&source(path), question, sets, &mut SeededBits::new(9), &resources, &go_on)
    };
    let counted = ask(1, 1 << 20);
    assert_eq!(counted, ask(3, 1 << 20), "the answer depends on the threads");
    assert_eq!(counted, ask(2, 1), "the answer depends on the memory");
    counted
}

/// The same, without the rows that were read.
fn tables(path: &str, question: &Question, sets: &[Vec<usize>]) -> Result<Vec<Vec<u64>>, DataError> {
    margins(path, question, sets).map(|counted| counted.tables)
}

/// All sets of these columns, in a jumbled order and with the empty set.
fn all_sets(columns: usize) -> Vec<Vec<usize>> {
    let set = |bits: usize| (0..columns).filter(|column| bits >> column & 1 == 1).collect();
    (0..1 << columns).rev().map(set).collect()
}

/// Sums a table of all columns over those that are not in a set.
fn summed(lengths: &[usize], set: &[usize], joint: &[u64]) -> Vec<u64> {
    let mut sums = vec![0; set.iter().map(|&column| lengths[column]).product()];
    for (cell, count) in joint.iter().enumerate() {
        sums[place(lengths, set, &codes_of(lengths, cell))] += count;
    }
    sums
}

/// The values of a cell, one of each column.
fn codes_of(lengths: &[usize], cell: usize) -> Vec<usize> {
    let mut rest = cell;
    let mut codes: Vec<usize> = lengths
        .iter()
        .rev()
        .map(|length| {
            let code = rest % length;
            rest /= length;
            code
        })
        .collect();
    codes.reverse();
    codes
}

fn place(lengths: &[usize], set: &[usize], codes: &[usize]) -> usize {
    set.iter().fold(0, |place, &column| place * lengths[column] + codes[column])
}

/// A record as it is counted by hand.
#[derive(Clone, Debug)]
struct Person {
    id: Option<i64>,
    a: Option<&'static str>,
    b: Option<&'static str>,
    /// In tenths.
    c: Option<i64>,
    day: i64,
}

fn person(dice: &mut Random, wild: bool) -> Person {
    let text = |dice: &mut Random, values: &[&'static str]| {
        let stray = wild && dice.index(6) == 0;
        if stray && dice.index(2) == 0 {
            None
        } else if stray {
            Some("else")
        } else {
            Some(dice.pick(values))
        }
    };
    Person {
        id: (!wild || dice.index(8) > 0).then(|| dice.index(5) as i64),
        a: text(dice, &["x", "y", "z"]),
        b: text(dice, &["1", "01"]),
        c: if wild && dice.index(6) == 0 {
            [None, Some(-5), Some(300)][dice.index(3)]
        } else {
            Some(dice.index(30) as i64)
        },
        day: dice.index(3) as i64,
    }
}

fn csv(people: &[Person]) -> String {
    let number = |number: Option<i64>| number.map(|number| number.to_string()).unwrap_or_default();
    let lines = people.iter().map(|Person { id, a, b, c, day }| {
        let (a, b) = (a.unwrap_or_default(), b.unwrap_or_default());
        format!("{},{a},{b},{},{day}\n", number(*id), number(*c))
    });
    std::iter::once("id,a,b,c,day\n".to_owned()).chain(lines).collect()
}

fn json(people: &[Person]) -> String {
    let number = |number: Option<i64>| number.map_or("null".into(), |number| number.to_string());
    let text = |text: Option<&str>| text.map_or("null".into(), |text| format!("\"{text}\""));
    let line = |Person { id, a, b, c, day }: &Person| {
        format!(
            "{{\"id\":{},\"a\":{},\"b\":{},\"c\":{},\"day\":{day}}}\n",
            number(*id),
            text(*a),
            text(*b),
            number(*c)
        )
    };
    people.iter().map(line).collect()
}

fn typed(people: &[Person], dictionary: bool) -> RecordBatch {
    let number = |of: fn(&Person) -> Option<i64>| -> ArrayRef {
        Arc::new(Int64Array::from_iter(people.iter().map(of)))
    };
    let a = strings(&people.iter().map(|person| person.a).collect::<Vec<_>>());
    let kind = DataType::Dictionary(Box::new(DataType::Int32), Box::new(DataType::Utf8));
    batch(vec![
        ("id", number(|person| person.id)),
        ("a", if dictionary { cast(&a, &kind) } else { a }),
        ("b", strings(&people.iter().map(|person| person.b).collect::<Vec<_>>())),
        ("c", number(|person| person.c)),
        ("day", number(|person| Some(person.day))),
    ])
}

/// Writes people in one of five formats.
fn write(scratch: &Scratch, format: usize, name: &str, people: &[Person]) -> String {
    match format {
        0 => scratch.write(&format!("{name}.csv"), csv(people)),
        1 => scratch.gzip(&format!("{name}.csv.gz"), csv(people)),
        2 => scratch.write(&format!("{name}.json"), json(people)),
        3 => scratch.parquet(&format!("{name}.parquet"), &typed(people, false)),
        _ => scratch.arrow(&format!("{name}.arrow"), &typed(people, true)),
    }
}

/// A question about people, with categories for other and missing values here and there.
fn about_people(dice: &mut Random, rule: Option<PerUnit>) -> Question {
    let mut columns = vec![
        Column::new("a", ["x", "y", "z"]),
        Column::new("b", ["01", "1"]),
        Column::binned("c", Bins::new(["0", "10", "20", "30"]).expect("valid")),
    ];
    for column in &mut columns {
        let some = |dice: &mut Random, name: &str| dice.chance(40).then(|| name.to_owned());
        (column.other, column.missing) = (some(dice, "o"), some(dice, "m"));
    }
    Question {
        filter: dice.chance(30).then(|| "day <> 1".to_owned()),
        unit: rule.as_ref().map(|_| "id".to_owned()),
        per_unit: rule.unwrap_or_default(),
        adjacency: if dice.index(2) == 0 { Adjacency::Replace } else { Adjacency::AddRemove },
        ..Question::new(columns)
    }
}

/// The codes of a person by hand: nothing where a value has no category.
fn codes(question: &Question, person: &Person) -> Option<Vec<usize>> {
    let [a, b, c] = [&question.columns[0], &question.columns[1], &question.columns[2]];
    let at = |column: &Column, name: &str| column.names().iter().position(|known| known == name);
    let of = |column: &Column, known: Option<usize>, missing: bool| {
        let extra = |name: &Option<String>| name.as_ref().and_then(|name| at(column, name));
        if missing { extra(&column.missing) } else { known.or_else(|| extra(&column.other)) }
    };
    let bin = person.c.filter(|c| (0..30).contains(c)).map(|c| c as usize / 10);
    Some(vec![
        of(
            a,
            person.a.and_then(|value| ["x", "y", "z"].iter().position(|known| *known == value)),
            person.a.is_none(),
        )?,
        of(
            b,
            person.b.and_then(|value| ["01", "1"].iter().position(|known| *known == value)),
            person.b.is_none(),
        )?,
        of(c, bin, person.c.is_none())?,
    ])
}

/// The records that count, by hand. Nothing where a record is refused, or is drawn by bits.
fn by_hand(question: &Question, people: &[Person]) -> Option<Vec<Vec<usize>>> {
    let mut kept: BTreeMap<i64, Vec<(i64, Vec<usize>)>> = BTreeMap::new();
    let mut free = 0;
    for person in people.iter().filter(|person| question.filter.is_none() || person.day != 1) {
        let codes = codes(question, person);
        let id = match (&question.unit, person.id) {
            (None, _) => {
                free -= 1;
                Some(free)
            }
            (Some(_), id) => id,
        };
        match (codes, id) {
            (Some(codes), Some(id)) => kept.entry(id).or_default().push((person.day, codes)),
            _ if question.adjacency == Adjacency::Replace => return None,
            _ => {}
        }
    }
    let one = |records: &Vec<(i64, Vec<usize>)>| {
        let all = || records.iter().map(|(_, codes)| codes.clone());
        let last = records.iter().map(|(day, _)| *day).max();
        match &question.per_unit {
            _ if records.len() == 1 => all().next(),
            PerUnit::First => all().min(),
            PerUnit::Latest(_) => {
                let latest = records.iter().filter(|(day, _)| Some(*day) == last);
                latest.map(|(_, codes)| codes.clone()).min()
            }
            PerUnit::Mode => {
                let times = |codes: &Vec<usize>| all().filter(|other| other == codes).count();
                all().min_by_key(|codes| (std::cmp::Reverse(times(codes)), codes.clone()))
            }
            PerUnit::Random | PerUnit::All(_) => None,
        }
    };
    kept.values().map(one).collect()
}

fn rules() -> [Option<PerUnit>; 5] {
    [
        None,
        Some(PerUnit::First),
        Some(PerUnit::Mode),
        Some(PerUnit::Latest("day".into())),
        Some(PerUnit::Random),
    ]
}

/// How many files ended in which way. The summary shows that the test is not trivial.
#[derive(Debug, Default)]
struct Seen {
    files: usize,
    by_hand: usize,
    refused: usize,
    by_set: usize,
}

/// Compares one file in all ways.
fn compare(dice: &mut Random, scratch: &Scratch, seen: &mut Seen) {
    let rule = rules()[dice.index(5)].clone();
    let question = about_people(dice, rule);
    let wild = dice.chance(60);
    let people: Vec<Person> = (0..dice.index(25)).map(|_| person(dice, wild)).collect();
    let format = dice.index(5);
    let path = write(scratch, format, "people", &people);
    let mut sets = all_sets(3);
    sets.rotate_left(dice.index(8));
    sets.truncate(1 + dice.index(8));
    let lengths: Vec<usize> = question.columns.iter().map(|column| column.names().len()).collect();
    let found = margins(&path, &question, &sets);
    let told = || format!("{path} {question:?} {sets:?}\n{people:#?}");
    seen.files += 1;

    let source = Source::files(&path);
    let whole = count(&source, &question, &mut SeededBits::new(9), &alone(), &go_on);
    let expected = whole.map(|whole| {
        let joint = whole.counts.as_slice();
        let tables: Vec<_> = sets.iter().map(|set| summed(&lengths, set, joint)).collect();
        (tables, whole.counts.total(), whole.rows_scanned)
    });
    let plain = found.clone().map(|CountedMargins { tables, n, rows_scanned }| (tables, n, rows_scanned));
    assert_eq!(plain, expected, "beside the table of all columns: {}", told());
    seen.refused += usize::from(found.is_err());

    if let Some(records) = by_hand(&question, &people) {
        let expected = |set: &Vec<usize>| {
            let mut table = vec![0; set.iter().map(|&column| lengths[column]).product()];
            records.iter().for_each(|codes| table[place(&lengths, set, codes)] += 1);
            table
        };
        match &found {
            Ok(found) => {
                assert_eq!(found.n, records.len() as u64, "{}", told());
                assert_eq!(found.tables, sets.iter().map(expected).collect::<Vec<_>>(), "{}", told());
                seen.by_hand += 1;
            }
            // A JSON file of no record has no columns.
            Err(_) => assert!(records.is_empty() && question.adjacency == Adjacency::Replace, "{}", told()),
        }
    }

    // Where no record lacks a category and one record stands for a unit in any table, each set may be counted alone.
    let all_known = people.iter().all(|person| codes(&question, person).is_some());
    if let (Ok(found), true, None | Some(PerUnit::Random)) =
        (&found, all_known, question.unit.as_ref().map(|_| question.per_unit.clone()))
    {
        for (set, table) in sets.iter().zip(&found.tables).filter(|(set, _)| !set.is_empty()) {
            let columns = set.iter().map(|&column| question.columns[column].clone()).collect();
            let alone_question = Question { columns, ..question.clone() };
            let one = count(&source, &alone_question, &mut SeededBits::new(9), &alone(), &go_on);
            assert_eq!(one.expect("counted").counts.as_slice(), table, "{}", told());
            seen.by_set += 1;
        }
    }
}

/// If this fails, tables over sets of columns are wrong.
#[test]
fn tables_are_those_of_all_columns_of_each_set_and_by_hand() {
    let (files, seed) = (trials(300_usize), 5);
    let scratch = Scratch::new();
    let (mut dice, mut seen) = (Random::new(seed), Seen::default());
    for _ in 0..files {
        compare(&mut dice, &scratch, &mut seen);
    }
    println!("seed {seed}, {seen:?}");
    assert!(seen.by_hand * 3 > seen.files && seen.refused * 8 > seen.files, "{seen:?}");
    assert!(seen.by_set * 2 > seen.files, "{seen:?}");
}

/// Columns of hostile rows, with categories for other and missing values here and there.
fn about_rows(dice: &mut Random, rule: Option<PerUnit>, adjacency: Adjacency) -> Question {
    let mut columns = vec![
        Column::new("category", ["x", "y", "5"]),
        Column::binned("number", Bins::new(["-10", "5.5", "31", "1e3"]).expect("valid")),
        Column::new("time", ["1", "2", "10"]),
    ];
    for column in &mut columns {
        let some = |dice: &mut Random, name: &str| dice.chance(70).then(|| name.to_owned());
        (column.other, column.missing) = (some(dice, "other"), some(dice, "missing"));
    }
    let filters = ["number > 5", "category LIKE 'x%' OR number IS NULL", "time >= 2"];
    Question {
        filter: dice.chance(30).then(|| dice.pick(&filters).to_owned()),
        unit: rule.as_ref().map(|_| "id".to_owned()),
        per_unit: rule.unwrap_or_default(),
        adjacency,
        ..Question::new(columns)
    }
}

/// How many counts are lower, and how many are higher.
fn change(before: &[u64], after: &[u64]) -> (u64, u64) {
    let pairs = || before.iter().zip(after);
    (pairs().map(|(b, a)| b.saturating_sub(*a)).sum(), pairs().map(|(b, a)| a.saturating_sub(*b)).sum())
}

/// How many pairs of neighbours ended in which way.
#[derive(Debug, Default)]
struct Neighbours {
    pairs: usize,
    changed: usize,
    refused: usize,
}

/// One pair of sources that differ in one record, or in the records of one unit.
fn neighbours(dice: &mut Random, scratch: &Scratch, writer: &Writer, seen: &mut Neighbours) {
    let private = dice.index(2) == 0;
    let adjacency = if private { Adjacency::AddRemove } else { Adjacency::Replace };
    let rule = match rules()[dice.index(5)].clone() {
        Some(PerUnit::Latest(_)) => Some(PerUnit::Latest("time".into())),
        rule => rule,
    };
    // Where records move to other files, the draws of others have other places.
    let rule = rule.filter(|rule| !(writer.moves() && rule.draws()));
    let question = about_rows(dice, rule.clone(), adjacency);
    let mut before: Vec<Row> = (0..2 + dice.index(8))
        .map(|_| {
            let wild = private && dice.index(3) == 0;
            (writer.row)(dice, wild)
        })
        .collect();
    let chosen = dice.index(before.len());
    let id = before[chosen].id.clone();
    if private && rule.as_ref().is_some_and(PerUnit::draws) {
        // The draws of others belong to their places, which must stay.
        before.sort_by_key(|row| row.id == id);
    }
    let after: Vec<Row> = if private {
        let gone =
            |(index, row): &(usize, &Row)| if rule.is_none() { *index == chosen } else { row.id == id };
        before.iter().enumerate().filter(|pair| !gone(pair)).map(|(_, row)| row.clone()).collect()
    } else {
        let mut after = before.clone();
        let wild = dice.index(3) > 0;
        for (index, row) in after.iter_mut().enumerate() {
            if if rule.is_none() { index == chosen } else { row.id == id } {
                *row = (writer.row)(dice, wild);
                row.id.clone_from(&id);
            }
        }
        after
    };
    let sets = all_sets(3);
    let lengths: Vec<usize> = question.columns.iter().map(|column| column.names().len()).collect();
    let ask = |which: &str, rows: &[Row]| {
        let path = (writer.file)(scratch, &format!("{which}.{}", writer.name), rows);
        tables(&path, &question, &sets)
    };
    let (one, other) = (ask("before", &before), ask("after", &after));
    let told = || format!("{} {question:?}\n{before:#?}\n{after:#?}\n{one:?} {other:?}", writer.name);
    seen.pairs += 1;
    let (Ok(one), Ok(other)) = (&one, &other) else {
        assert!(!private, "refused: {}", told());
        seen.refused += 1;
        return;
    };
    for found in [one, other] {
        for (set, table) in sets.iter().zip(found) {
            assert_eq!(*table, summed(&lengths, set, &found[0]), "no margin of all columns: {}", told());
        }
    }
    for (one, other) in one.iter().zip(other) {
        let (lost, won) = change(one, other);
        assert!(lost <= 1 && won <= u64::from(!private), "{lost} {won}: {}", told());
    }
    seen.changed += usize::from(one != other);
}

/// If this fails, one record moves more than one count of a table, and the price of a release is wrong.
#[test]
fn one_record_or_unit_moves_one_count_of_each_table() {
    let (of_each, seed) = (trials(500_usize).div_ceil(WRITERS.len()).max(100), 3);
    for writer in &WRITERS {
        let (scratch, mut dice, mut seen) = (Scratch::new(), Random::new(seed), Neighbours::default());
        for _ in 0..of_each {
            neighbours(&mut dice, &scratch, writer, &mut seen);
        }
        println!("{}: seed {seed}, {seen:?}", writer.name);
        assert!(seen.changed * 3 > seen.pairs && seen.refused * 20 > seen.pairs, "{seen:?}");
    }
}

/// More columns than anyone can list the cells of.
#[test]
fn sixty_columns_and_many_batches() {
    const COLUMNS: usize = 60;
    const ROWS: usize = 15_000;
    let scratch = Scratch::new();
    let mut dice = Random::new(8);
    let name = |column: usize| format!("c{column}");
    let values = ["a", "b", "c"];
    // A thousandth of the values is not declared, in each column.
    let row = |dice: &mut Random| -> Vec<Option<usize>> {
        (0..COLUMNS).map(|_| (dice.index(1000) > 0).then(|| dice.index(3))).collect()
    };
    let rows: Vec<Vec<Option<usize>>> = (0..ROWS).map(|_| row(&mut dice)).collect();
    let mut columns: Vec<(String, ArrayRef)> = (0..COLUMNS)
        .map(|column| {
            let text = |row: &Vec<Option<usize>>| Some(row[column].map_or("else", |value| values[value]));
            (name(column), strings(&rows.iter().map(text).collect::<Vec<_>>()))
        })
        .collect();
    let unit = |row: usize| row as i64 * 7 % 6_000;
    columns.push(("id".into(), Arc::new(Int64Array::from_iter_values((0..ROWS).map(unit)))));
    let path = scratch.parquet(
        "a.parquet",
        &batch(columns.iter().map(|(name, array)| (name.as_str(), array.clone())).collect()),
    );
    let question = Question {
        adjacency: Adjacency::AddRemove,
        ..Question::new((0..COLUMNS).map(|column| Column::new(name(column), values)).collect())
    };
    let pairs: Vec<Vec<usize>> =
        (0..COLUMNS).flat_map(|one| (one + 1..COLUMNS).map(move |other| vec![one, other])).collect();
    let expected = |records: &[Vec<usize>]| -> Vec<Vec<u64>> {
        let table = |set: &Vec<usize>| {
            let mut table = vec![0; 9];
            records.iter().for_each(|codes| table[3 * codes[set[0]] + codes[set[1]]] += 1);
            table
        };
        pairs.iter().map(table).collect()
    };
    let known: Vec<(i64, Vec<usize>)> = rows
        .iter()
        .enumerate()
        .filter_map(|(row, values)| Some((unit(row), values.iter().copied().collect::<Option<Vec<_>>>()?)))
        .collect();
    let records: Vec<Vec<usize>> = known.iter().map(|(_, codes)| codes.clone()).collect();
    assert!(records.len() < ROWS && records.len() > ROWS / 2);
    let found = margins(&path, &question, &pairs).expect("counted");
    assert_eq!((found.n, found.rows_scanned), (records.len() as u64, Some(ROWS as u64)));
    assert_eq!(found.tables, expected(&records));
    let mut first: BTreeMap<i64, Vec<usize>> = BTreeMap::new();
    for (unit, codes) in known {
        let kept = first.entry(unit).or_insert_with(|| codes.clone());
        *kept = codes.min(kept.clone());
    }
    let units: Vec<Vec<usize>> = first.into_values().collect();
    let by_unit = Question { unit: Some("id".into()), per_unit: PerUnit::First, ..question.clone() };
    let found = margins(&path, &by_unit, &pairs).expect("counted");
    assert_eq!((found.n, found.tables), (units.len() as u64, expected(&units)));
    // What it leaves out can be told too, although nobody can list the cells.
    let told = left_out(&Source::files(&path), &question, &alone(), &go_on).expect("told");
    assert_eq!((told.records, told.counted), (ROWS as u64, records.len() as u64));
    assert_eq!(
        count(&Source::files(&path), &question, &mut SeededBits::new(1), &alone(), &go_on),
        Err(DataError::Cells(CellsError::TooManyCells))
    );
}

#[test]
fn large_tables_stand_beside_small_ones() {
    let scratch = Scratch::new();
    let lines: String = (0..5_000).map(|row| format!("{},{},{}\n", row % 300, row % 200, row % 2)).collect();
    let path = scratch.write("a.csv", format!("a,b,c\n{lines}"));
    let column = |name: &str, values: usize| Column::new(name, (0..values).map(|value| value.to_string()));
    let question = Question::new(vec![column("a", 300), column("b", 200), column("c", 2)]);
    let sets = [vec![0, 1], vec![2], vec![0, 2], vec![1]];
    let lengths = [300, 200, 2];
    let mut joint = vec![0; 120_000];
    (0..5_000).for_each(|row| joint[(row % 300 * 200 + row % 200) * 2 + row % 2] += 1);
    let expected: Vec<Vec<u64>> = sets.iter().map(|set| summed(&lengths, set, &joint)).collect();
    assert_eq!(tables(&path, &question, &sets), Ok(expected.clone()));
    let private = Question { adjacency: Adjacency::AddRemove, ..question };
    assert_eq!(tables(&path, &private, &sets), Ok(expected));
}

const PEOPLE: &str = "a,b,id\nx,u,1\ny,v,2\nx,v,2\n";

/// Questions counted beside sets of columns are sums of the same table of all columns as the sets: of one wide question about
/// all of them. If this fails, a unit counts with different records in the tables of one study, or a record in some only.
#[test]
fn questions_beside_sets_are_tables_of_the_same_records() {
    let (mut dice, scratch) = (Random::new(11), Scratch::new());
    let mut left_out = 0;
    for trial in 0..trials(60) {
        let people: Vec<Person> = (0..1 + dice.index(60)).map(|_| person(&mut dice, true)).collect();
        let path = write(&scratch, 0, &format!("together-{trial}"), &people);
        let rule = [None, Some(PerUnit::Random), Some(PerUnit::Latest("day".into()))];
        let rule = rule[dice.index(3)].clone();
        // Where n is private, records without a category are left out of all tables.
        let all = Question { adjacency: Adjacency::AddRemove, ..about_people(&mut dice, rule) };
        let columns = all.columns.clone();
        let of = |places: &[usize]| Question {
            columns: places.iter().map(|&place| columns[place].clone()).collect(),
            ..all.clone()
        };
        let questions = [of(&[2, 0]), of(&[1])];
        let wide = of(&[0, 1]);
        let sets = vec![vec![0, 1], vec![1]];
        let asked = [WideQuestion { question: &wide, sets: sets.clone() }];
        let resources = Resources { memory: 1 << 20, threads: NonZeroUsize::new(2).expect("not zero") };
        let bits = || SeededBits::new(9);
        let found = count_together(&source(&path), &questions, &asked, &mut bits(), &resources, &go_on);
        let found = found.expect("counted");
        // The order of the columns only decides among equal ranks and equal days of a unit.
        let whole = of(&[2, 0, 1]);
        let expected = vec![vec![0, 1], vec![2], vec![1, 2], vec![2]];
        let expected = count_margins(&source(&path), &whole, &expected, &mut bits(), &resources, &go_on)
            .expect("counted");
        let mut tables: Vec<Vec<u64>> =
            found.questions.iter().map(|one| one.counts.as_slice().to_vec()).collect();
        tables.extend(found.margins[0].tables.clone());
        assert_eq!(tables, expected.tables, "trial {trial}: {all:?}");
        assert_eq!(found.margins[0].n, expected.n);
        left_out += u64::from(expected.n < people.len() as u64);
    }
    assert!(left_out > 0, "some records are left out");
}

#[test]
fn what_is_not_counted_together() {
    let wide = two();
    let check = |question: Question, wide: &Question| {
        let asked = [WideQuestion { question: wide, sets: vec![vec![0, 1]] }];
        check_together(&[question], &asked).map(|cells| cells.len())
    };
    assert_eq!(check(two(), &wide), Ok(1));
    assert_eq!(check_together(&[], &[]).map(|_| ()), Err(DataError::NoQuestions));
    let filtered = Question { filter: Some("a = '1'".into()), ..two() };
    assert_eq!(check(filtered, &wide), Err(DataError::MixedQuestions { question: 2, what: "filter" }));
    let by = |per_unit: PerUnit| Question { unit: Some("id".into()), per_unit, ..two() };
    for rule in [PerUnit::First, PerUnit::Mode] {
        let refused = DataError::TogetherRule { rule: rule.to_string() };
        assert_eq!(check(by(rule.clone()), &by(rule)), Err(refused));
    }
    assert_eq!(check(by(PerUnit::Random), &by(PerUnit::Random)), Ok(1));
    let within = Question { within: Some("a = '1'".into()), ..two() };
    assert_eq!(check(within.clone(), &within), Err(DataError::MarginsWithin));
}

fn two() -> Question {
    Question::new(vec![Column::new("a", ["x", "y"]), Column::new("b", ["u", "v"])])
}

#[test]
fn sets_may_repeat_or_be_empty_or_none() {
    let scratch = Scratch::new();
    let path = scratch.write("a.csv", PEOPLE);
    let sets = [vec![], vec![1], vec![0, 1], vec![1], vec![]];
    let (n, b) = (vec![3], vec![1, 2]);
    assert_eq!(tables(&path, &two(), &sets), Ok(vec![n.clone(), b.clone(), vec![1, 1, 0, 1], b, n.clone()]));
    let none = margins(&path, &two(), &[]).expect("counted");
    assert_eq!((none.n, none.tables.len()), (3, 0));
    assert_eq!(tables(&path, &two(), &[vec![]]), Ok(vec![n]));
    let unit = Question { unit: Some("id".into()), ..two() };
    assert_eq!(margins(&path, &unit, &[]).expect("counted").n, 2);
    assert!(!format!("{none:?}").contains('3'), "{none:?}");
}

/// If this fails, whether a record is refused or left out depends on which sets are asked for.
#[test]
fn all_columns_decide_whether_a_record_counts() {
    let scratch = Scratch::new();
    let path = scratch.write("a.csv", "a,b,id\nx,u,1\ny,else,2\nx,v,3\n,v,3\n");
    let sets = [vec![0]];
    for sets in [&sets[..], &[vec![1]], &[]] {
        assert_eq!(tables(&path, &two(), sets), Err(DataError::Missing { column: "a".into() }));
    }
    let private = Question { adjacency: Adjacency::AddRemove, ..two() };
    assert_eq!(tables(&path, &private, &sets), Ok(vec![vec![2, 0]]));
    let unit = Question { unit: Some("id".into()), ..private };
    assert_eq!(tables(&path, &unit, &sets), Ok(vec![vec![2, 0]]));
}

#[test]
fn empty_data_is_like_any_other_where_n_is_private() {
    let scratch = Scratch::new();
    let path = scratch.write("a.csv", "a,b,id\n");
    assert_eq!(tables(&path, &two(), &[vec![0, 1]]), Err(DataError::NoRecords));
    assert_eq!(tables(&path, &two(), &[]), Err(DataError::NoRecords));
    for unit in [None, Some("id".to_owned())] {
        let private = Question { adjacency: Adjacency::AddRemove, unit, ..two() };
        let found = margins(&path, &private, &[vec![0, 1], vec![]]).expect("counted");
        assert_eq!((found.tables, found.n), (vec![vec![0; 4], vec![0]], 0));
    }
}

#[test]
fn rejects() {
    let scratch = Scratch::new();
    let path = scratch.write("a.csv", PEOPLE);
    let wide = Question::new(
        (0..4).map(|name| Column::new(name.to_string(), (0..80).map(|value| value.to_string()))).collect(),
    );
    assert!(80_usize.pow(4) > MAX_MARGIN_CELLS);
    let many = PerUnit::All(NonZeroU32::MIN);
    let several = Question {
        unit: Some("id".into()),
        per_unit: many.clone(),
        adjacency: Adjacency::AddRemove,
        ..two()
    };
    let repeated = Question::new(vec![Column::new("a", ["x", "y"]), Column::new("a", ["x", "y"])]);
    let table = [
        (two(), vec![vec![0], vec![1, 0]], DataError::MarginSet { set: 2 }),
        (two(), vec![vec![0, 0]], DataError::MarginSet { set: 1 }),
        (two(), vec![vec![0, 2]], DataError::MarginSet { set: 1 }),
        (wide.clone(), vec![vec![0, 1], vec![0, 1, 2, 3]], DataError::TooManyMarginCells),
        (Question { within: Some("a = 'x'".into()), ..two() }, vec![vec![0]], DataError::MarginsWithin),
        (several, vec![vec![0]], DataError::MarginsRule { rule: "all 1".into() }),
        (
            Question { unit: Some("id".into()), per_unit: many, ..two() },
            vec![vec![0]],
            DataError::SeveralRecords { rule: "all 1".into() },
        ),
        (Question::new(vec![]), vec![], DataError::Cells(CellsError::NoColumns)),
        (repeated, vec![], DataError::Cells(CellsError::RepeatedColumn { column: "a".into() })),
    ];
    for (question, sets, error) in table {
        assert_eq!(tables(&path, &question, &sets), Err(error.clone()));
        assert_eq!(check_margins(&question, &sets), Err(error));
    }
    assert_eq!(check_margins(&wide, &[vec![0, 1], vec![1, 2, 3]]), Ok(()));
    let unknown = Question::new(vec![Column::new("a", ["x", "y"]), Column::new("zzz", ["x", "y"])]);
    assert!(matches!(tables(&path, &unknown, &[vec![0]]), Err(DataError::UnknownColumn { .. })));
}
