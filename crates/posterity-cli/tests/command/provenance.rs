//! Units, compositions and where documents come from, as users meet them.

use crate::budget::Study;
use crate::{document, posterity};

const VISITS: &str = "patient,cured\n1,yes\n1,no\n2,yes\n3,no\n";

fn release<'a>(file: &'a str, study: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    let start = ["release", file, "--column", "cured", "--categories", "yes,no", "--epsilon", "1/3"];
    let paid = ["--ledger", study, "--account", "a", "--format", "json"];
    start.into_iter().chain(paid).chain(more.iter().copied()).collect()
}

/// If this fails, promises to records and to patients are added up.
#[test]
fn an_account_takes_its_own_unit_only() {
    let study = Study::new("1");
    let (file, ledger) = (study.file("visits.csv", VISITS), study.ledger());
    let refused = posterity(&release(&file, &ledger, &["--unit", "patient"]));
    assert_eq!((refused.code, refused.stdout.as_str()), (Some(1), ""), "{}", refused.stderr);
    assert!(
        refused.stderr.contains("protects each record, and this release protects each patient"),
        "{}",
        refused.stderr
    );
    assert_eq!(study.spent(), "0");
    let changed =
        posterity(&["budget", "unit", &ledger, "--account", "a", "--unit", "patient", "--population", "all"]);
    assert_eq!(changed.code, Some(0), "{}", changed.stderr);
    assert!(changed.stdout.contains("Population of a: all."), "{}", changed.stdout);
    document(&release(&file, &ledger, &["--unit", "patient"]));
    let shown = document(&["budget", "show", &ledger, "--format", "json", "--releases-of", "1/3"]);
    assert_eq!((&shown[0]["unit"], &shown[0]["spent_epsilon"]), (&"patient".into(), &"1/3".into()));
    assert_eq!(shown[0]["more_releases"]["releases"], 2);
    let late = posterity(&["budget", "unit", &ledger, "--account", "a", "--unit", "record"]);
    assert_eq!(late.code, Some(2), "{}", late.stderr);
    let history = document(&["budget", "history", &ledger, "--account", "a", "--format", "json"]);
    assert_eq!(history[0]["unit"], "patient");
}

#[test]
fn a_delta_lets_more_releases_in() {
    let study = Study::new("1");
    let ledger = study.ledger();
    let create = |name: &str, more: &[&str]| {
        let start = [
            "budget",
            "create",
            &ledger,
            "--account",
            name,
            "--epsilon",
            "5",
            "--delta",
            "1e-6",
            "--format",
            "json",
        ];
        document(&start.into_iter().chain(more.iter().copied()).collect::<Vec<_>>())
    };
    assert_eq!(create("filter", &[])[0]["more_releases"]["releases"], 97);
    assert_eq!(create("sums", &["--adds-up"])[0]["more_releases"]["releases"], 50);
    for (flag, value) in [("--releases-of", "0"), ("--releases-of", "x")] {
        assert_eq!(posterity(&["budget", "show", &ledger, flag, value]).code, Some(2), "{flag} {value}");
    }
}

#[test]
fn a_document_is_verified_with_the_ledger_and_with_a_key() {
    let study = Study::new("1");
    let (file, ledger) = (study.file("visits.csv", VISITS), study.ledger());
    let (secret, public) = (study.path("office.secret"), study.path("office.public"));
    assert_eq!(posterity(&["budget", "keygen", &study.path("office")]).code, Some(0));
    let twice = posterity(&["budget", "keygen", &study.path("office")]);
    assert_eq!(twice.code, Some(1), "a key is never written over");
    let made = posterity(&release(&file, &ledger, &["--sign", &secret]));
    assert_eq!(made.code, Some(0), "{}", made.stderr);
    let kept = study.file("release.json", &made.stdout);
    let verified = document(&["verify", &kept, "--ledger", &ledger, "--key", &public, "--format", "json"]);
    assert_eq!((&verified["holds"], &verified["release"]["kind"]), (&true.into(), &"recorded".into()));
    let reading = posterity(&release(&file, &ledger, &["--level", "0.5"]));
    let other = study.file("reading.json", &reading.stdout);
    let said = posterity(&["verify", &other, "--ledger", &ledger]);
    assert_eq!(said.code, Some(0), "{}", said.stderr);
    assert!(said.stdout.contains("in another way"), "{}", said.stdout);
    assert_eq!(posterity(&["verify", &other, "--key", &public]).code, Some(1), "it is not signed");
    let edited = study.file("edited.json", made.stdout.replace("\"n\": 4", "\"n\": 5"));
    for way in [["--ledger", &ledger], ["--key", &public]] {
        let run = posterity(&["verify", &edited, way[0], way[1]]);
        assert_eq!((run.code, run.stdout.as_str()), (Some(1), ""), "{}", run.stderr);
        assert!(run.stderr.contains("was changed after it was made"), "{}", run.stderr);
    }
    assert_eq!(posterity(&["verify", &kept]).code, Some(2), "against what?");
    assert_eq!(
        posterity(&["verify", &kept, "--key", &secret]).code,
        Some(1),
        "a secret key is no public one"
    );
}
