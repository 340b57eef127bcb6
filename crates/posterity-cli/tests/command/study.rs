//! `posterity study`, and private filters.

use std::path::Path;

use crate::{document, posterity, typed};

fn text(path: &Path) -> &str {
    path.to_str().expect("UTF-8")
}

const PLAN: &str = "
source = 'people.csv'
epsilon = 1
ledger = 'budget.ledger'
account = 'survey'
[columns]
ward = ['A', 'B']
cured = ['yes', 'no']
[[question]]
columns = ['ward', 'cured']
share = 3
[[question]]
columns = ['ward']
";

pub(crate) fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let rows: String = (0..60)
        .map(|row| format!("{},{},{row}\n", ["A", "B"][row % 2], ["yes", "no"][row % 3 % 2]))
        .collect();
    std::fs::write(folder.path().join("people.csv"), format!("ward,cured,age\n{rows}")).expect("written");
    std::fs::write(folder.path().join("plan.toml"), PLAN).expect("written");
    let ledger = folder.path().join("budget.ledger");
    let made = posterity(&["budget", "create", text(&ledger), "--account", "survey", "--epsilon", "2"]);
    assert_eq!(made.code, Some(0), "{}", made.stderr);
    folder
}

#[test]
fn one_charge_and_then_nothing() {
    let folder = folder();
    let (plan, out) = (folder.path().join("plan.toml"), folder.path().join("results"));
    let only = posterity(&["study", text(&plan), "--plan-only"]);
    assert_eq!(only.code, Some(0), "{}", only.stderr);
    assert!(only.stdout.contains("It would spend epsilon 1"), "{}", only.stdout);
    // With a number of records it also says what to expect, and still reads no data and charges nothing.
    let expected = posterity(&["study", text(&plan), "--plan-only", "--n", "60"]);
    assert_eq!(expected.code, Some(0), "{}", expected.stderr);
    assert!(
        expected.stdout.contains("One joint release of all columns would be better"),
        "{}",
        expected.stdout
    );
    let json = posterity(&["study", text(&plan), "--plan-only", "--n", "60", "--format", "json"]);
    let summary: serde_json::Value = serde_json::from_str(&json.stdout).expect("JSON");
    let first = &summary["forecast"]["questions"][0]["readings"][0];
    assert!(first["half_width"].as_f64() > first["without_privacy"].as_f64(), "{first}");
    assert_eq!(posterity(&["study", text(&plan), "--plan-only", "--n", "0"]).code, Some(2));
    assert_eq!(posterity(&["study", text(&plan), "--n", "60"]).code, Some(2));
    let first = posterity(&["study", text(&plan), "--out", text(&out)]);
    assert_eq!(first.code, Some(0), "{}", first.stderr);
    assert!(first.stderr.contains("charged epsilon 1 for all questions; 1 is left"), "{}", first.stderr);
    let read = |name: &str| std::fs::read_to_string(out.join(name)).expect(name);
    let drawn = |text: &str| {
        serde_json::from_str::<serde_json::Value>(text).expect("JSON")["released_counts"].clone()
    };
    let before = drawn(&read("ward-cured.json"));
    std::fs::remove_file(folder.path().join("people.csv")).expect("removed");
    let second = posterity(&["study", text(&plan), "--out", text(&out), "--format", "json"]);
    assert_eq!(second.code, Some(0), "{}", second.stderr);
    assert!(second.stderr.contains("nothing was charged"), "{}", second.stderr);
    assert_eq!(drawn(&read("ward-cured.json")), before);
    let summary: serde_json::Value = serde_json::from_str(&second.stdout).expect("JSON");
    assert_eq!((summary["n"].as_u64(), summary["private"].as_bool()), (Some(60), Some(true)));
    let ledger = folder.path().join("budget.ledger");
    let history = posterity(&["budget", "history", text(&ledger), "--account", "survey"]);
    assert!(history.stdout.contains("2 questions under one charge"), "{}", history.stdout);
    // Someone's file in the folder of results.
    std::fs::write(out.join("notes.txt"), "mine").expect("written");
    let refused = posterity(&["study", text(&plan), "--out", text(&out)]);
    assert_eq!(refused.code, Some(1));
    assert!(refused.stderr.contains("notes.txt"), "{}", refused.stderr);
}

/// Tables of many columns beside questions: what is planned, charged and shown, and what an account without delta says.
#[test]
fn tables_of_many_columns_beside_questions() {
    let folder = folder();
    let (plan, out) = (folder.path().join("plan.toml"), folder.path().join("results"));
    let wide =
        PLAN.replace("epsilon = 1", "epsilon = 1\ndelta = 1e-6") + "[[margins]]\nname = 'pairs'\nsets = 2\n";
    std::fs::write(&plan, &wide).expect("written");
    let refused = posterity(&["study", text(&plan), "--out", text(&out)]);
    assert_eq!(refused.code, Some(1), "{}", refused.stderr);
    assert!(refused.stderr.contains("create an account with delta"), "{}", refused.stderr);
    let ledger = folder.path().join("budget.ledger");
    let account = ["--account", "wide", "--epsilon", "2", "--delta", "1e-5"];
    let made = posterity(&[&["budget", "create", text(&ledger)], account.as_slice()].concat());
    assert_eq!(made.code, Some(0), "{}", made.stderr);
    std::fs::write(&plan, wide.replace("'survey'", "'wide'")).expect("written");
    let json = posterity(&["study", text(&plan), "--plan-only", "--n", "60", "--format", "json"]);
    let summary: serde_json::Value = serde_json::from_str(&json.stdout).expect("JSON");
    assert_eq!(
        (&summary["questions"][2]["tables"], &summary["delta"]),
        (&3.into(), &1e-6.into()),
        "{summary}"
    );
    assert_eq!(summary["forecast"]["questions"][2]["name"], "pairs");
    let first = posterity(&["study", text(&plan), "--out", text(&out)]);
    assert_eq!(first.code, Some(0), "{}", first.stderr);
    assert!(first.stderr.contains("and epsilon 0.8 for all questions"), "{}", first.stderr);
    let again = posterity(&["study", text(&plan), "--out", text(&out)]);
    assert!(again.stderr.contains("nothing was charged"), "{}", again.stderr);
    let history = posterity(&["budget", "history", text(&ledger), "--account", "wide"]);
    assert!(history.stdout.contains("An epsilon beside a rho"), "{}", history.stdout);
    let verified = posterity(&["verify", text(&out), "--ledger", text(&ledger)]);
    assert_eq!(verified.code, Some(0), "{}", verified.stderr);
    assert!(verified.stdout.contains("Those of pairs.json are the ones"), "{}", verified.stdout);
    let read = posterity(&["read", text(&out.join("pairs.json")), "--read", "cured | ward"]);
    assert_eq!(read.code, Some(0), "{}", read.stderr);
}

#[test]
fn wrong_plans_name_the_line() {
    let folder = folder();
    let plan = folder.path().join("plan.toml");
    std::fs::write(&plan, PLAN.replace("share", "shares")).expect("written");
    let run = posterity(&["study", text(&plan)]);
    assert_eq!(run.code, Some(2));
    assert!(
        run.stderr.contains("line 11: there is no key \"shares\" in a question; write \"share\""),
        "{}",
        run.stderr
    );
    let missing = posterity(&["study", "nowhere.toml"]);
    assert_eq!(missing.code, Some(2), "{}", missing.stderr);
    // A wrong record ends with nothing charged.
    std::fs::write(&plan, PLAN).expect("written");
    std::fs::write(folder.path().join("people.csv"), "ward,cured\nC,yes\n").expect("written");
    let run = posterity(&["study", text(&plan), "--out", text(&folder.path().join("results"))]);
    assert_eq!(run.code, Some(1));
    assert!(run.stderr.contains("nothing was charged"), "{}", run.stderr);
    assert!(!folder.path().join("results").exists());
}

/// If this fails, results that were changed pass for those of the study.
#[test]
fn the_results_of_a_study_are_verified() {
    let folder = folder();
    let (plan, out) = (folder.path().join("plan.toml"), folder.path().join("results"));
    let ledger = folder.path().join("budget.ledger");
    assert_eq!(posterity(&["study", text(&plan), "--out", text(&out)]).code, Some(0));
    let report = out.join("report.html");
    for path in [&out, &report] {
        let verified = document(&["verify", text(path), "--ledger", text(&ledger), "--format", "json"]);
        assert_eq!(verified["documents"].as_array().map(Vec::len), Some(2));
        assert_eq!(verified["documents"][1]["charge"]["account"], "survey");
        assert_eq!(verified["not_checked"], serde_json::json!([]), "{verified}");
        let checked = verified["checked"].to_string();
        assert!(checked.contains("its plan is the one that was charged, before the draw"), "{verified}");
        let alone = posterity(&["verify", text(path)]);
        assert_eq!(alone.code, Some(3), "{}", alone.stderr);
        assert!(alone.stdout.contains("the titles and descriptions"), "{}", alone.stdout);
    }
    let refused = |named: &str| {
        let run = posterity(&["verify", text(&out), "--ledger", text(&ledger)]);
        assert_eq!((run.code, run.stdout.as_str()), (Some(1), ""), "{named}: {}", run.stderr);
        assert!(run.stderr.contains(named), "{named}: {}", run.stderr);
    };
    let forge = |file: &str, forged: &dyn Fn(&str) -> String, named: &str| {
        let path = out.join(file);
        let genuine = std::fs::read_to_string(&path).expect("there");
        let changed = forged(&genuine);
        assert_ne!(genuine, changed, "{file}");
        std::fs::write(&path, changed).expect("written");
        refused(named);
        std::fs::write(&path, genuine).expect("written");
    };
    forge(
        "ward.json",
        &|text| text.replace("\"mean\": 0.", "\"mean\": 0.9"),
        "ward.json: the document was changed",
    );
    forge("ward.csv", &|text| text.replace("0.", "0.9"), "ward.csv is not what follows");
    forge(
        "report.html",
        &|text| text.replace("noise was added", "nothing was added"),
        "report.html is not what",
    );
    forge("ward.svg", &|text| text.replace("</svg>", "<text>genuine</text></svg>"), "ward.svg is not what");
    forge(
        "study.json",
        &|text| text.replace("\"private\": true", "\"private\": false"),
        "study.json says otherwise",
    );
    std::fs::write(out.join("more.csv"), "ward\n").expect("written");
    refused("more.csv does not belong there");
    std::fs::remove_file(out.join("more.csv")).expect("removed");
    // What another version wrote is not derived again. The list of files and the promises are compared all the same.
    let other = |text: &str| text.replace("\"version\": \"0.1.0\"", "\"version\": \"0.2.0\"");
    let manifest = std::fs::read_to_string(out.join("study.json")).expect("there");
    std::fs::write(out.join("study.json"), other(&manifest)).expect("written");
    let run = posterity(&["verify", text(&out), "--ledger", text(&ledger)]);
    assert_eq!(run.code, Some(3), "{}", run.stderr);
    assert!(
        run.stdout.contains("Not checked: tables, pictures and the report: version 0.2.0"),
        "{}",
        run.stdout
    );
    forge("report.html", &|_| "garbage".into(), "report.html has another hash");
    forge(
        "study.json",
        &|text| text.replace("\"epsilon\": 1.0", "\"epsilon\": 0.001"),
        "study.json says otherwise",
    );
    forge(
        "study.json",
        &|text| text.replacen("\"title\": \"", "\"title\": \"All of ", 1),
        "names another plan",
    );
    let svg = std::fs::read(out.join("ward.svg")).expect("there");
    std::fs::remove_file(out.join("ward.svg")).expect("removed");
    refused("ward.svg is missing");
    std::fs::write(out.join("ward.svg"), svg).expect("written");
    let elsewhere = folder.path().join("report.html");
    std::fs::copy(&report, &elsewhere).expect("copied");
    let run = posterity(&["verify", text(&elsewhere)]);
    assert!(run.code == Some(1) && run.stderr.contains("ask for that folder"), "{}", run.stderr);
}

/// If this fails, "met" or "not met" can be chosen when the answers are known, and verifies.
#[test]
fn requirements_that_were_written_after_the_draw_are_told() {
    let folder = folder();
    let (plan, out) = (folder.path().join("plan.toml"), folder.path().join("results"));
    let ledger = folder.path().join("budget.ledger");
    let required = |points: u32| format!("{PLAN}\n[[require]]\nread = \"ward\"\npoints = {points}\n");
    std::fs::write(&plan, required(90)).expect("written");
    assert_eq!(posterity(&["budget", "keygen", text(&folder.path().join("office"))]).code, Some(0));
    let (secret, public) = (folder.path().join("office.secret"), folder.path().join("office.public"));
    let study = ["study", text(&plan), "--out", text(&out), "--sign", text(&secret)];
    assert_eq!(posterity(&study).code, Some(0));
    let agreed = || {
        let table = std::fs::read_to_string(out.join("requirements.csv")).expect("there");
        table.lines().nth(1).and_then(|line| line.rsplit(',').nth(1)).map(ToOwned::to_owned)
    };
    assert_eq!(agreed().as_deref(), Some("before the draw"));
    let verify = ["verify", text(&out), "--ledger", text(&ledger), "--key", text(&public)];
    let run = posterity(&verify);
    assert_eq!(run.code, Some(0), "{}{}", run.stdout, run.stderr);
    // The same questions with another requirement: the same answers, for nothing.
    std::fs::write(&plan, required(91)).expect("written");
    let again = posterity(&study);
    assert!(again.code == Some(0) && again.stderr.contains("nothing was charged"), "{}", again.stderr);
    assert_eq!(agreed().as_deref(), Some("afterwards"));
    let run = posterity(&verify);
    assert_eq!(run.code, Some(3), "{}{}", run.stdout, run.stderr);
    let said = run.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(said.contains("charged with another plan"), "{said}");
    // The list of files is signed: nobody else can write another one.
    let manifest = std::fs::read_to_string(out.join("study.json")).expect("there");
    std::fs::write(out.join("study.json"), manifest.replace("\"made_by\": \"", "\"made_by\": \"x"))
        .expect("written");
    let run = posterity(&verify);
    assert!(run.code == Some(1) && run.stderr.contains("signature"), "{}", run.stderr);
}

/// n does not depend on a private filter, and those outside have a cell.
#[test]
fn a_private_filter() {
    let folder = folder();
    let people = folder.path().join("people.csv");
    let ask = |filter: &str| {
        let common =
            ["release", text(&people), "--column", "cured", "--categories", "yes,no", "--epsilon", "1"];
        document(&[&common[..], &["--within", filter, "--seed", "1", "--format", "json"]].concat())
    };
    for filter in ["age >= 18", "age > 1000"] {
        let document = ask(filter);
        assert_eq!(document["n"], 60, "{filter}");
        assert_eq!(document["posterior"]["categories"], serde_json::json!(["yes", "no", "outside"]));
        assert_eq!(document["request"]["data"]["within"], *filter);
        // What is read is conditional on being within.
        let rows = document["readings"][0]["rows"].as_array().expect("rows");
        assert_eq!(rows.len(), 2, "{rows:?}");
        let sum: f64 = rows.iter().map(|row| row["mean"].as_f64().expect("a number")).sum();
        assert!((sum - 1.0).abs() < 1e-9, "{sum}");
    }
    let wrong = posterity(&typed(
        "release {} --column cured --categories yes,no --epsilon 1 --within {}",
        &[text(&people), "age >"],
    ));
    assert_eq!(wrong.code, Some(2));
    assert!(wrong.stderr.contains("--within"), "{}", wrong.stderr);
}
