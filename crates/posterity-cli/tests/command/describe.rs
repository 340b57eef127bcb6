//! `posterity describe`: what a committee gets.

use crate::budget::Study;
use crate::{posterity, run, typed};

const STAYS: &str = "patient,ward,cured\n1,A,yes\n1,A,no\n2,B,yes\n3,B,no\n4,A,no\n";

/// A ledger with a release in it, and the file of its document.
fn released(study: &Study) -> String {
    let file = study.file("stays.csv", STAYS);
    let ledger = study.ledger();
    let made = posterity(&typed(
        "release {} --column ward --categories A,B --column cured --categories yes,no --epsilon 1/3 --ledger {} --account a --format json",
        &[&file, &ledger],
    ));
    assert_eq!(made.code, Some(0), "{}", made.stderr);
    study.file("release.json", &made.stdout)
}

fn describe(args: &[&str]) -> String {
    let run = posterity(&[&["describe"], args].concat());
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    run.stdout
}

#[test]
fn a_sheet_in_every_format() {
    let study = Study::new("2");
    let (document, ledger) = (released(&study), study.ledger());
    let text = describe(&[&document, "--ledger", &ledger]);
    for told in [
        "Ward and cured of \"stays.csv\"\n",
        "- What is the share of each cured within each ward?\n",
        "Whole budget  epsilon 2\n",
        "Spent         epsilon 0.333334, on 1 charge\n",
        "$ posterity verify release.json --ledger FILE\n",
        "e^epsilon = 1.39562",
    ] {
        assert!(text.contains(told), "{told}: {text}");
    }
    let markdown = describe(&[&document, "--format", "markdown"]);
    assert!(markdown.starts_with("# Ward and cured of \"stays.csv\"\n\n## The question\n"), "{markdown}");
    assert!(
        markdown
            .contains("| ward | cured | share | 95 % confidence interval | how many |\n| --- | --- | ---: |"),
        "{markdown}"
    );
    assert!(
        markdown.contains("It was charged to a ledger.") && !markdown.contains("Whole budget"),
        "{markdown}"
    );
    let page = describe(&[&document, "--format", "html", "--ledger", &ledger]);
    assert!(
        page.starts_with("<!DOCTYPE html>") && !page.contains("<script") && !page.contains("http"),
        "{page}"
    );
    // People sign on paper only.
    assert!(page.contains(".signatures { display: none; }") && page.contains("<p>Signature</p>"), "{page}");
    assert!(!text.contains("Signature") && !markdown.contains("Signature"));
    let label = describe(&[&document, "--as", "label"]);
    assert!(label.contains("How many count    5, published exactly\n"), "{label}");
}

/// If this fails, a committee decides on a forged sheet.
#[test]
fn changed_documents_and_strange_ledgers_are_refused() {
    let study = Study::new("2");
    let document = released(&study);
    let text = std::fs::read_to_string(&document).expect("readable");
    let forged = study.file("forged.json", text.replace("\"epsilon\": \"1/3\"", "\"epsilon\": \"1/30\""));
    let run_forged = posterity(&["describe", &forged]);
    assert_eq!((run_forged.code, run_forged.stdout.as_str()), (Some(1), ""), "{}", run_forged.stderr);
    assert!(run_forged.stderr.contains("ask for the original"), "{}", run_forged.stderr);
    let other = Study::new("2");
    let strange = posterity(&["describe", &document, "--ledger", &other.ledger()]);
    assert_eq!((strange.code, strange.stdout.as_str()), (Some(1), ""), "{}", strange.stderr);
    assert!(strange.stderr.contains("the ledger holds no such release"), "{}", strange.stderr);
    let seeded = posterity(&typed("release --counts 48,42 --epsilon 1 --seed 7 --format json", &[]));
    let seeded = study.file("seeded.json", &seeded.stdout);
    assert!(describe(&[&seeded]).contains("NOT PRIVATE. Do not publish this."));
    let refused = posterity(&["describe", &seeded, "--as", "registry"]);
    assert_eq!(refused.code, Some(1));
    assert!(refused.stderr.contains("this document promises nothing"), "{}", refused.stderr);
    let wrong = posterity(&["describe", &document, "--as", "registry", "--format", "html"]);
    assert_eq!(wrong.code, Some(2), "{}", wrong.stderr);
}

#[test]
fn a_record_for_the_registry_lists_what_people_must_fill_in() {
    let study = Study::new("2");
    let document = released(&study);
    let made = posterity(&["describe", &document, "--as", "registry"]);
    assert_eq!(made.code, Some(0), "{}", made.stderr);
    assert!(
        made.stdout.starts_with("url_slug: \"\"\nstatus: Draft\ntier: 2\ndeployment:\n  basic:\n"),
        "{}",
        made.stdout
    );
    assert!(made.stdout.contains("      epsilon: 0.333334\n"), "{}", made.stdout);
    assert!(
        made.stderr.contains("only people can fill in: url_slug, deployment.basic.name,"),
        "{}",
        made.stderr
    );
    // The document may come from a pipe.
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_posterity"));
    let file = std::fs::File::open(&document).expect("readable");
    let piped = run(command.args(["describe", "-", "--as", "label"]).stdin(file));
    assert!(piped.code == Some(0) && piped.stdout.contains("Privacy facts"), "{}", piped.stderr);
}

/// A study states the budget of all answers together.
#[test]
fn a_study_is_described_as_a_whole() {
    let folder = crate::study::folder();
    let path = |name: &str| folder.path().join(name).to_str().expect("UTF-8").to_owned();
    let plan = std::fs::read_to_string(path("plan.toml")).expect("a plan");
    let required = "[[require]]\nread = 'ward'\npoints = 60\ngroup = 1000\n";
    std::fs::write(path("plan.toml"), plan + required).expect("written");
    let made = posterity(&["study", &path("plan.toml"), "--out", &path("results")]);
    assert_eq!(made.code, Some(0), "{}", made.stderr);
    assert!(
        made.stdout.contains("every group has at least 1000") && made.stdout.contains("not met"),
        "{}",
        made.stdout
    );
    let text = describe(&[&path("results"), "--ledger", &path("budget.ledger")]);
    for told in [
        "Differential privacy with epsilon = 1, for all answers together: theirs add up.",
        "Whole budget  epsilon 2\n",
        "This release  epsilon 1, charged at ",
        "$ posterity verify results --ledger FILE\n",
        "What was required\n",
        "every interval within 60 points",
    ] {
        assert!(text.contains(told), "{told}: {text}");
    }
    let report = path("results/report.html");
    assert_eq!(describe(&[&report, "--as", "label"]).matches("epsilon = 1,").count(), 1);
    std::fs::write(&report, "another").expect("written");
    assert_eq!(posterity(&["describe", &path("results")]).code, Some(1));
}

/// A changed file is another question to the same account, and the command says so.
#[test]
fn an_answer_at_another_n_is_told() {
    let study = Study::new("2");
    let ask = || {
        let file = study.path("stays.csv");
        posterity(&typed(
            "release {} --column cured --categories yes,no --epsilon 0.5 --ledger {} --account a --format json",
            &[&file, &study.ledger()],
        ))
    };
    study.file("stays.csv", STAYS);
    assert!(!ask().stderr.contains("at n ="));
    assert!(ask().stderr.contains("nothing was charged"));
    study.file("stays.csv", format!("{STAYS}5,B,yes\n"));
    let again = ask();
    assert!(again.stderr.contains("holds an answer to this question at n = 5, drawn at"), "{}", again.stderr);
}
