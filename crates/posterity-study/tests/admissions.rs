//! The example, and the page about it: every number on the page is one of the study.

use std::path::{Path, PathBuf};

use posterity_study::{Folder, PlanFile, Study};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn plan() -> String {
    std::fs::read_to_string(root().join("examples/admissions-study.toml")).expect("there")
}

fn study(text: &str) -> Study {
    Study::new(PlanFile::parse(text, &root().join("examples")).expect("valid")).expect("valid")
}

/// The published table: Bickel, Hammel and O'Connell 1975; admitted and rejected, of men and of women.
#[test]
fn the_data_has_the_published_counts() {
    let published = [
        ("A", [512, 313, 89, 19]),
        ("B", [353, 207, 17, 8]),
        ("C", [120, 205, 202, 391]),
        ("D", [138, 279, 131, 244]),
        ("E", [53, 138, 94, 299]),
        ("F", [22, 351, 24, 317]),
    ];
    let text = std::fs::read_to_string(root().join("examples/admissions.csv")).expect("there");
    assert_eq!(text.lines().count(), 4_527);
    for (department, counts) in published {
        let kinds = ["male,yes", "male,no", "female,yes", "female,no"];
        let found =
            kinds.map(|kind| text.lines().filter(|line| *line == format!("{department},{kind}")).count());
        assert_eq!(found, counts, "{department}");
    }
}

/// The fields of a line.
fn fields(line: &str) -> Vec<&str> {
    let (mut all, mut start, mut quoted) = (Vec::new(), 0, false);
    for (at, letter) in line.char_indices() {
        match letter {
            '"' => quoted = !quoted,
            ',' if !quoted => {
                all.push(&line[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    all.push(&line[start..]);
    all
}

/// The columns of a file that the page has room for: those before `interval_kind`, as tools/admissions-page cuts them.
fn cut(file: &str) -> String {
    let width = fields(file.lines().next().expect("a head")).iter().position(|name| *name == "interval_kind");
    let width = width.expect("a column");
    file.lines().map(|line| fields(line)[..width].join(",") + "\n").collect()
}

/// Whether two tables have the same words and the same numbers, except for their last digits.
fn are_same(one: &str, other: &str) -> bool {
    let fields =
        |text: &str| text.lines().flat_map(|line| line.split(',')).map(ToOwned::to_owned).collect::<Vec<_>>();
    let same = |a: &str, b: &str| match (a.parse::<f64>(), b.parse::<f64>()) {
        (Ok(a), Ok(b)) => (a - b).abs() < 1e-9,
        _ => a == b,
    };
    let (one, other) = (fields(one), fields(other));
    one.len() == other.len() && one.iter().zip(&other).all(|(a, b)| same(a, b))
}

/// The blocks of docs/admissions.md are the files of the study with the seed that the page names.
#[test]
fn the_page_shows_the_files_of_the_study() {
    let page = std::fs::read_to_string(root().join("docs/admissions.md")).expect("there");
    assert!(page.contains("--seed 1973"));
    let folder = tempfile::tempdir().expect("a folder");
    let study = study(&plan());
    let out = Folder::take(&folder.path().join("results")).expect("a folder");
    let answers = study.experiment(1973, &()).expect("drawn");
    let path = out.write(study.plan(), &answers, None, &()).expect("written");
    let mut blocks = 0;
    for part in page.split("<!-- file: ").skip(1) {
        let (name, rest) = part.split_once(" -->\n```csv\n").expect("a block");
        let (shown, _) = rest.split_once("```").expect("its end");
        let file = cut(&std::fs::read_to_string(path.join(name)).expect(name));
        assert!(are_same(shown, &file), "{name}\n{shown}\n{file}");
        blocks += 1;
    }
    assert_eq!(blocks, 5);
    // The picture of the page is the one of the folder (tools/admissions-page).
    let drawn = |path: &Path| std::fs::read_to_string(path).expect("a picture");
    let shown = drawn(&root().join("docs/pictures/admissions-forest.svg"));
    assert!(page.contains("pictures/admissions-forest.svg"));
    assert!(
        shown == drawn(&path.join("admissions-admitted-yes-by-department-gender.svg")),
        "run tools/admissions-page"
    );
    // The columns that the page leaves out.
    let names = "gender,admitted,estimate,mean,low,high,interval_kind,level,about,confidence_low,confidence_high,credible_low,credible_high,\
                 mostly_prior,may_be_empty,private\n";
    let file = std::fs::read_to_string(path.join("admissions-admitted-yes-by-gender.csv")).expect("there");
    assert!(file.starts_with(names), "{file}");
    // What the page says about them: both ways of looking are seen through the noise.
    let differences: Vec<[f64; 2]> =
        answers.answers()[0].comparisons().iter().map(|one| one.measures[0].interval).collect();
    assert!(differences[0][1] < 0.0, "fewer women in all: {differences:?}");
    assert!(differences[1][0] > 0.0, "more women in department A: {differences:?}");
    assert!(differences[2..].iter().all(|[low, high]| *low < 0.0 && *high > 0.0), "{differences:?}");
}

/// The report is one page that needs nothing else, and says what was promised.
#[test]
fn the_report_stands_alone() {
    let folder = tempfile::tempdir().expect("a folder");
    // Comparisons take longest, and are seen in the other test.
    let plan = plan();
    let study = study(plan.split("compare").next().expect("a part"));
    let out = Folder::take(&folder.path().join("results")).expect("a folder");
    let answers = study.publish(&()).expect("drawn");
    let path = out.write(study.plan(), &answers, None, &()).expect("written");
    let page = std::fs::read_to_string(path.join("report.html")).expect("there");
    for words in [
        "1-differential privacy per record",
        "at most 73.2 % sure",
        "admitted, by department and gender",
        "<svg",
        "The same numbers as a table",
    ] {
        assert!(page.contains(words), "{words}");
    }
    // What the budget means is said in the words that every part of Posterity uses.
    let said = [posterity::meaning::for_one(1.0, 0.0, "record"), posterity::meaning::uncounted().to_owned()];
    for words in said.iter().chain(&posterity::meaning::not_promised(posterity::Adjacency::Replace, "record"))
    {
        assert!(page.contains(&maud::html! { (words) }.into_string()), "{words}");
    }
    // Two of the four tables have two columns that vary, and so has the picture of all cells.
    assert_eq!(page.matches("<figure>").count(), 3);
    let cells = std::fs::read_to_string(path.join("admissions.svg")).expect("a picture");
    assert!(cells.contains("department, gender, admitted") && !cells.contains('…'), "cells have whole names");
    for table in answers.answers()[0].tables() {
        let name = format!(
            "admissions-{}",
            table.reading.to_string().replace(" | ", "-by-").replace([',', '='], "-")
        );
        let name = name.replace("- ", "-");
        let svg = std::fs::read_to_string(path.join(format!("{name}.svg"))).expect(&name);
        assert!(svg.starts_with("<svg"), "{name}");
    }
    for foreign in ["<script", "<link", "src=\"http", "@import", "href=\"http"] {
        assert!(!page.contains(foreign), "{foreign}");
    }
    assert!(!page.contains("NOT PRIVATE") && !page.contains(&root().display().to_string()));
    // Results of a study may be replaced, and changed ones may not.
    drop(Folder::take(&path).expect("unchanged"));
    std::fs::write(path.join("admissions.csv"), "mine").expect("written");
    assert!(Folder::take(&path).is_err());
}

/// A budget that protects hardly anybody is said to, in the words of the rest of Posterity.
#[test]
fn a_large_budget_is_warned_of() {
    let folder = tempfile::tempdir().expect("a folder");
    let plan = plan().replace("epsilon = 1\n", "epsilon = 12\n");
    let study = study(plan.split("compare").next().expect("a part"));
    let out = Folder::take(&folder.path().join("results")).expect("a folder");
    let answers = study.publish(&()).expect("drawn");
    let path = out.write(study.plan(), &answers, None, &()).expect("written");
    let page = std::fs::read_to_string(path.join("report.html")).expect("there");
    let warnings = posterity::meaning::warnings(posterity::Adjacency::Replace, 12.0, 0.0, None);
    assert_eq!(warnings, study.plan().warnings(None));
    assert!(page.contains(&maud::html! { (warnings[0]) }.into_string()));
}
