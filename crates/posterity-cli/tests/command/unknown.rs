//! Categories of missing and of other values through the command: a rate is among the known.

use serde_json::Value;

use crate::budget::Study;
use crate::{document, posterity};

/// 78.0 % of the known are cured, and 75.8 % of all.
fn stays() -> String {
    let cured = |i: usize| {
        if i < 15_160 {
            "yes"
        } else if i < 19_436 {
            "no"
        } else {
            ""
        }
    };
    let lines = (0..20_000).map(|i| format!("{},{}\n", ["A", "B"][i % 2], cured(i)));
    std::iter::once("ward,cured\n".to_owned()).chain(lines).collect()
}

/// The words of a line, of which those in quotes hold blanks, with a value in the place of each `{}`.
fn args<'a>(line: &'a str, values: &[&'a str]) -> Vec<&'a str> {
    let mut values = values.iter().copied();
    let mut words = Vec::new();
    for (place, part) in line.split('\'').enumerate() {
        if place % 2 == 1 {
            words.push(part);
        } else {
            let word = |word| if word == "{}" { values.next().expect("a value for each {}") } else { word };
            words.extend(part.split_whitespace().map(word));
        }
    }
    words
}

const COLUMNS: &str = "--column ward --categories A,B --column cured --categories yes,no --missing unknown";

/// If this fails, the remedy that an error names publishes another rate than the one asked for.
#[test]
fn the_remedy_of_missing_values_is_the_rate_of_the_known() {
    let study = Study::new("1");
    let file = study.file("stays.csv", stays());
    let without = "--column ward --categories A,B --column cured --categories yes,no";
    let read = "--read 'cured=yes | ward'";
    let refused = posterity(&args(&format!("release {{}} {without} --epsilon 1 {read}"), &[&file]));
    assert!(refused.code == Some(1) && refused.stderr.contains("--missing"), "{}", refused.stderr);

    let asked = ["cured=yes | ward", "cured=yes of all | ward", "cured=unknown of all | ward"];
    let reads: String = asked.iter().map(|text| format!(" --read '{text}'")).collect();
    let release =
        format!("release {{}} {COLUMNS} --epsilon 1 --seed 1{reads} --compare 'cured=yes | ward: A - B'");
    let json = document(&args(&format!("{release} --format json"), &[&file]));
    let shares = |table: usize| -> Vec<f64> {
        let rows = json["readings"][table]["rows"].as_array().expect("rows").iter();
        rows.map(|row| row["estimate"].as_f64().expect("a number")).collect()
    };
    let all_near = |table: usize, expected: f64| {
        assert!(shares(table).iter().all(|share| (share - expected).abs() < 1e-3), "{:?}", shares(table));
    };
    all_near(0, 0.78);
    all_near(1, 0.758);
    all_near(2, 0.0282);
    let unknown = &json["readings"][0]["unknown"];
    assert!((unknown["share"].as_f64().expect("a share") - 0.0282).abs() < 1e-3, "{unknown}");
    assert_eq!(json["readings"][1].get("unknown"), None);
    assert!(json["comparisons"][0]["second"]["unknown"]["interval"].is_array(), "{}", json["comparisons"]);
    assert_eq!(json["request"]["data"]["columns"][1]["missing"], "unknown");

    let table = posterity(&args(&release, &[&file]));
    for said in [
        "78.0",
        "75.8",
        "2.81 % unknown (2.59 to 3.06 %) in cured=yes | ward",
        "`of all` reads them among all",
    ] {
        let plain = table.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
        let digits = said.replace("78.0", "0.78").replace("75.8", "0.758");
        assert!(plain.contains(&digits), "{digits}: {}", table.stdout);
    }
    let csv = posterity(&args(&format!("{release} --format csv"), &[&file]));
    let head = csv.stdout.lines().next().unwrap_or_default();
    assert!(head.ends_with(",unknown,unknown_low,unknown_high,private"), "{head}");
    let columns = head.split(',').count();
    assert!(csv.stdout.lines().all(|line| line.split(',').count() == columns), "{}", csv.stdout);

    // A sheet for a committee says so, too.
    let path = study.file("stays.json", serde_json::to_string(&json).expect("JSON"));
    let sheet = posterity(&args("describe {}", &[&path]));
    let plain = sheet.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
    for said in [
        "What is the share of cured=yes among all within each ward?",
        "Missing values of \"cured\" count as \"unknown\", which is no answer: shares are among the other values.",
        "2.81 % unknown",
    ] {
        assert!(plain.contains(said), "{said}: {}", sheet.stdout);
    }
}

/// The usual answer of one column is among the known, and what is unknown has no share there.
#[test]
fn one_column_is_shown_among_the_known() {
    let study = Study::new("1");
    let file = study.file("stays.csv", stays());
    let release = "release {} --column cured --categories yes,no --missing unknown --epsilon 1 --seed 1";
    let table = posterity(&args(release, &[&file]));
    let row = |name: &str| -> Vec<String> {
        let line = table.stdout.lines().find(|line| line.starts_with(name)).unwrap_or_default();
        line.split_whitespace().map(ToOwned::to_owned).collect()
    };
    assert!(row("yes")[1].starts_with("0.7799") && row("no")[1].starts_with("0.2201"), "{}", table.stdout);
    assert_eq!(&row("unknown")[1..3], ["-", "-"], "{}", table.stdout);
    assert!(table.stdout.contains("2.81 % unknown (2.59 to 3.05 %)"), "{}", table.stdout);
    let json = document(&args(&format!("{release} --format json"), &[&file]));
    let cells = json["readings"][0]["rows"].as_array().expect("rows").iter();
    let cells: Vec<&Value> = cells.map(|row| &row["cell"]["cured"]).collect();
    assert_eq!(cells, ["yes", "no"]);
    let csv = posterity(&args(&format!("{release} --format csv"), &[&file]));
    let lines: Vec<&str> = csv.stdout.lines().collect();
    assert!(
        lines.len() == 4 && lines[3].starts_with("unknown,") && !csv.stdout.contains("NaN"),
        "{}",
        csv.stdout
    );
    for picture in ["posterior", "forest", "heat"] {
        let drawn = study.file("picture.svg", "");
        let plot = format!("{release} --plot {{}} --force --picture {picture}");
        let made = posterity(&args(&plot, &[&file, &drawn]));
        assert_eq!(made.code, Some(0), "{}", made.stderr);
        let picture = std::fs::read_to_string(&drawn).expect("a picture");
        assert!(
            picture.contains("2.81 % unknown") && picture.contains("0.78") | picture.contains("78."),
            "{picture}"
        );
        assert!(!picture.contains("NaN"), "{picture}");
    }
}

/// If this fails, tables of many columns count the unknown as an answer.
#[test]
fn tables_of_many_columns_are_read_among_the_known() {
    let study = Study::new("1");
    let file = study.file("stays.csv", stays());
    let reads = "--read 'cured=yes | ward' --read 'cured=yes of all | ward, cured in {yes, no}' \
                 --read 'cured=yes of all | ward' --compare 'cured=yes | ward: A - B'";
    let release = format!("margins {{}} {COLUMNS} --sets 2 --epsilon 1 --delta 1e-9 --seed 1 {reads}");
    for kind in ["confidence", "credible"] {
        let json = document(&args(&format!("{release} --interval-kind {kind} --format json"), &[&file]));
        let rows = |table: usize| json["readings"][table]["rows"].as_array().expect("rows").clone();
        for (one, other) in rows(0).iter().zip(rows(1)) {
            assert_eq!((&one["estimate"], &one["interval"]), (&other["estimate"], &other["interval"]));
            assert!((one["estimate"].as_f64().expect("a number") - 0.78).abs() < 8e-3, "{one}");
        }
        assert!(rows(2).iter().all(|row| (row["estimate"].as_f64().expect("a number") - 0.758).abs() < 8e-3));
        let unknown = json["readings"][0]["unknown"]["share"].as_f64().expect("a part");
        assert!((unknown - 0.0282).abs() < 4e-3, "{unknown}");
        assert!(json["comparisons"][0]["first"]["unknown"]["share"].is_number(), "{}", json["comparisons"]);
    }
}

/// A forecast is of the records whose value is known, and what is unknown makes its intervals wider.
#[test]
fn forecasts_are_of_the_known() {
    let advise = |missing: &str, reading: &str| {
        let asked = format!(
            "advise --column cured --categories yes,no{missing} --n 1000 --epsilon 1 --read '{reading}' --format json"
        );
        document(&args(&asked, &[])).to_string().replace(reading, "read")
    };
    let known = advise(" --missing unknown", "cured=yes");
    assert_ne!(known, advise("", "cured=yes"));
    assert_ne!(known, advise(" --missing unknown", "cured=yes of all"));
    assert_eq!(advise("", "cured=yes"), advise("", "cured=yes of all"));
    let refused = posterity(&args(
        "advise --column cured --categories yes,no --missing unknown --n 1000 --epsilon 1 --read cured=unknown",
        &[],
    ));
    assert!(refused.code == Some(2) && refused.stderr.contains("cured=unknown of all"), "{}", refused.stderr);
}

/// If this fails, a share is shown of a group that may be empty, or ± beside an interval that is not symmetric.
#[test]
fn groups_that_may_be_empty_have_no_share() {
    let study = Study::new("1");
    let mut text = "ward,cured\n".to_owned();
    (0..3_000).for_each(|i| text += &format!("A,{}\n", ["yes", "no"][i % 2]));
    text += "B,yes\n";
    let file = study.file("stays.csv", text);
    let release =
        "release {} --column ward --categories A,B,C --column cured --categories yes,no --epsilon 1 --seed 2";
    let read = "--read 'cured=yes | ward'";
    let table = posterity(&args(&format!("{release} {read}"), &[&file]));
    let rows: Vec<&str> = table.stdout.lines().filter(|line| line.contains(" yes ")).collect();
    assert!(rows.len() == 3 && rows[1].contains("* - ") && rows[2].contains("* - "), "{}", table.stdout);
    let json = posterity(&args(&format!("{release} {read} --format json"), &[&file]));
    let path = study.file("stays.json", &json.stdout);
    let sheet = posterity(&args("describe {} --format markdown", &[&path])).stdout;
    let rows: Vec<&str> = sheet.lines().filter(|line| line.contains("| yes |")).collect();
    assert!(rows.len() == 3 && rows[0].contains("| 50") && rows[1].contains("| \\* - |"), "{sheet}");
    assert!(!sheet.contains("50.0 |\n"), "{sheet}");
    let label = posterity(&args("describe {} --as label", &[&path])).stdout;
    let label = label.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(label.contains("2 shares are of groups that may be empty"), "{label}");
    assert!(!label.contains("±"), "{label}");
    for picture in ["forest", "heat"] {
        let drawn = study.file("picture.svg", "");
        let plot = format!("{release} {read} --plot {{}} --force --picture {picture}");
        let made = posterity(&args(&plot, &[&file, &drawn]));
        assert_eq!(made.code, Some(0), "{}", made.stderr);
        let picture = std::fs::read_to_string(&drawn).expect("a picture");
        assert!(picture.contains("* -") && !picture.contains("NaN"), "{picture}");
    }
}
