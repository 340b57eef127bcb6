//! Releases that are paid for: from a file, through a ledger, under bad conditions.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use posterity_testkit::trials;

use crate::{document, posterity, typed};

pub(crate) struct Study {
    folder: tempfile::TempDir,
}

impl Study {
    /// A folder with a ledger that has one account.
    pub(crate) fn new(epsilon: &str) -> Self {
        let study = Self { folder: tempfile::tempdir().expect("a folder") };
        let made = posterity(&["budget", "create", &study.ledger(), "--account", "a", "--epsilon", epsilon]);
        assert_eq!(made.code, Some(0), "{}", made.stderr);
        study
    }

    pub(crate) fn path(&self, name: &str) -> String {
        self.folder.path().join(name).to_str().expect("UTF-8").to_owned()
    }

    pub(crate) fn ledger(&self) -> String {
        self.path("study.ledger")
    }

    pub(crate) fn file(&self, name: &str, bytes: impl AsRef<[u8]>) -> String {
        std::fs::write(self.folder.path().join(name), bytes).expect("writable");
        self.path(name)
    }

    pub(crate) fn spent(&self) -> String {
        let accounts = document(&["budget", "show", &self.ledger(), "--format", "json"]);
        accounts[0]["spent_epsilon"].as_str().expect("an amount").to_owned()
    }
}

pub(crate) fn example(name: &str) -> String {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(name);
    path.to_str().expect("UTF-8").to_owned()
}

fn paid<'a>(file: &'a str, ledger: &'a str, epsilon: &'a str) -> Vec<&'a str> {
    paid_by("a", file, ledger, epsilon)
}

fn paid_by<'a>(account: &'a str, file: &'a str, ledger: &'a str, epsilon: &'a str) -> Vec<&'a str> {
    typed(
        "release {} --column cured --categories yes,no --epsilon {} --ledger {} --account {} --format json",
        &[file, epsilon, ledger, account],
    )
}

/// The main job, from a file that ships with the project.
#[test]
fn a_file_is_counted_and_released() {
    let file = example("cryotherapy.csv");
    let release =
        document(&typed("release {} --column cured --categories yes,no --epsilon 1 --format json", &[&file]));
    assert_eq!((&release["n"], &release["private"]), (&90.into(), &true.into()));
    assert_eq!(release["posterior"]["categories"], serde_json::json!(["yes", "no"]));
    assert_eq!(release["guarantee"]["unit"], "record");
}

/// All examples have the counts that their note says: with a budget of 1,000 the noise is zero.
#[test]
fn examples_have_their_published_counts() {
    for (file, column, categories, counts) in [
        ("bike.csv", "working_day", "yes,no", vec![500, 231]),
        ("bike-weather.csv", "weather", "clear,mist,wet", vec![463, 247, 21]),
        ("cryotherapy.csv", "cured", "yes,no", vec![48, 42]),
        ("cryotherapy-types.csv", "wart", "common,plantar,both", vec![54, 9, 27]),
        ("immunotherapy.csv", "cured", "yes,no", vec![71, 19]),
        ("immunotherapy-types.csv", "wart", "common,plantar,both", vec![47, 22, 21]),
        ("badges.csv", "badge", "yes,no", vec![210, 84]),
    ] {
        let path = example(file);
        let line = "release {} --column {} --categories {} --epsilon 1000 --format json";
        let line = typed(line, &[&path, column, categories]);
        assert_eq!(document(&line)["released_counts"], serde_json::json!(counts), "{file}");
    }
}

#[test]
fn a_unit_is_named_in_the_promise() {
    let study = Study::new("1");
    let file = study.file("visits.csv", "person,cured\n1,yes\n1,no\n2,no\n3,yes\n");
    let line = typed(
        "release {} --column cured --categories yes,no --unit person --epsilon 1000 --format json",
        &[&file],
    );
    let release = document(&line);
    assert_eq!(release["n"], 3);
    assert_eq!(release["guarantee"]["unit"], "person");
    assert!(
        release["guarantee"]["statement"].as_str().expect("words").contains("all records of any one person")
    );
}

/// A name means something else in another folder.
#[test]
fn files_of_one_name_in_two_folders_are_two_questions() {
    let study = Study::new("5");
    for (folder, spent) in [("a", "1"), ("b", "2"), ("a", "2")] {
        let folder = study.folder.path().join(folder);
        std::fs::create_dir_all(&folder).expect("writable");
        std::fs::write(folder.join("people.csv"), "cured\nyes\nno\nno\n").expect("writable");
        let run = Command::new(env!("CARGO_BIN_EXE_posterity"))
            .args(paid("people.csv", &study.ledger(), "1"))
            .current_dir(folder)
            .output()
            .expect("runs");
        assert!(run.status.success());
        assert_eq!(study.spent(), spent);
    }
}

/// The same question is answered from the ledger, with another level too, unless a new draw is asked for.
#[test]
fn the_same_question_is_charged_once() {
    let study = Study::new("2");
    let (file, ledger) = (example("cryotherapy.csv"), study.ledger());
    let first = document(&paid(&file, &ledger, "0.5"));
    let second = document(&paid(&file, &ledger, "0.5"));
    assert_eq!(first, second, "the same question has the same answer");
    let said = posterity(&paid(&file, &ledger, "0.5")).stderr;
    let drawn = first["provenance"]["drawn"].as_str().expect("a time");
    assert!(said.contains(&format!("drawn at {drawn}; nothing was charged")), "{said}");
    let listed = posterity(&["budget", "history", &ledger, "--account", "a"]).stdout;
    assert!(
        listed.contains("cured of") && listed.contains("cryotherapy.csv") && listed.contains("lattice"),
        "{listed}"
    );
    assert_eq!(study.spent(), "0.5");
    let wide = document(&[&paid(&file, &ledger, "0.5")[..], &["--level", "0.99"]].concat());
    assert_eq!(wide["released_counts"], first["released_counts"]);
    assert_eq!(wide["noise_aware"]["level"], 0.99);
    assert_eq!(study.spent(), "0.5");
    let again = document(&[&paid(&file, &ledger, "0.5")[..], &["--again"]].concat());
    assert_eq!(again["n"], 90);
    assert_eq!(study.spent(), "1");
    // Another question, another charge; then there is too little left.
    document(&paid(&file, &ledger, "0.75"));
    let refused = posterity(&[&paid(&file, &ledger, "0.5")[..], &["--again"]].concat());
    assert_eq!((refused.code, refused.stdout.as_str()), (Some(1), ""), "{}", refused.stderr);
    assert!(refused.stderr.contains("0.25"), "{}", refused.stderr);
    assert_eq!(study.spent(), "1.75");
    assert_eq!(posterity(&["budget", "verify", &ledger]).code, Some(0));
}

/// An account where n is private says so, and refuses a release that publishes n before anything is charged.
#[test]
fn an_account_with_private_n_refuses_what_publishes_n() {
    let study = Study::new("1");
    let ledger = study.ledger();
    let create = |adjacency| {
        let line = "budget create {} --account {} --epsilon 1 --adjacency {}";
        posterity(&typed(line, &[&ledger, adjacency, adjacency]))
    };
    let made = create("add-remove");
    assert_eq!(made.code, Some(0), "{}", made.stderr);
    assert!(
        made.stdout.contains("record, n private") && made.stdout.contains("anyone is in the data at all")
    );
    let wrong = create("add");
    assert_eq!((wrong.code, wrong.stdout.as_str()), (Some(2), ""), "{}", wrong.stderr);
    assert!(wrong.stderr.contains("--adjacency") && wrong.stderr.contains("add-remove"), "{}", wrong.stderr);
    let shown = posterity(&["budget", "show", &ledger, "--account", "a"]).stdout;
    assert!(!shown.contains("private"), "{shown}");
    let file = example("cryotherapy.csv");
    let refused = posterity(&paid_by("add-remove", &file, &ledger, "0.5"));
    assert_eq!(refused.stdout, "", "{}", refused.stderr);
    assert!(
        refused.code != Some(0) && refused.stderr.contains("release with add-remove"),
        "{}",
        refused.stderr
    );
    let accounts = document(&["budget", "show", &ledger, "--format", "json"]);
    let told = |i: usize, field: &str| accounts[i][field].as_str().expect("a text").to_owned();
    assert_eq!((told(0, "adjacency"), told(1, "adjacency")), ("replace".into(), "add-remove".into()));
    assert_eq!(told(1, "spent_epsilon"), "0");
}

/// Counts that are typed have no name: two releases are two charges.
#[test]
fn typed_counts_are_charged_each_time() {
    let study = Study::new("2");
    let ledger = study.ledger();
    let line =
        ["release", "--counts", "4812,4256", "--epsilon", "0.5", "--ledger", &ledger, "--account", "a"];
    for _ in 0..2 {
        assert_eq!(posterity(&line).code, Some(0));
    }
    assert_eq!(study.spent(), "1");
    let history = document(&["budget", "history", &ledger, "--account", "a", "--format", "json"]);
    let question = history[0]["question"].as_str().expect("words");
    assert!(question.contains("counts") && !question.contains("4812"), "{question}");
}

/// Whatever is wrong with the data or the request, nothing is charged and nothing comes out. The message names what to
/// do, and holds no record.
#[test]
fn bad_data_costs_nothing() {
    let study = Study::new("2");
    let ledger = study.ledger();
    let secret = "s3cr3t";
    let good = study.file("good.csv", "cured,age\nyes,30\nno,40\n");
    let gone = study.path("gone.csv");
    let cases: Vec<(String, Vec<&str>, &str)> = vec![
        (gone, vec![], "gone.csv"),
        (study.file("wrong-column.csv", "healed\nyes\n"), vec![], "cured"),
        (study.file("malformed.csv", format!("cured\nyes\nyes,{secret},3\n")), vec![], "fields"),
        (study.file("bytes.csv", b"cured\nyes\n\xff\xfe\n"), vec![], "UTF-8"),
        (study.file("half.parquet", b"PAR1 this is not all"), vec![], "damaged or not parquet"),
        (study.file("outside.csv", format!("cured\nyes\n{secret}\n")), vec![], "--other"),
        (study.file("missing.csv", "cured,x\nyes,1\n,2\n"), vec![], "--missing"),
        (study.file("empty.csv", ""), vec![], "empty.csv"),
        (study.file("header.csv", "cured\n"), vec![], "no records"),
        (good.clone(), vec!["--where", "age > 100"], "no records"),
        (good.clone(), vec!["--where", "height > 3"], "--where"),
        (good.clone(), vec!["--where", "age >"], "--where"),
        (good.clone(), vec!["--unit", "person"], "person"),
        (good.clone(), vec!["--mechanism", "ehdl"], "no proven"),
        (good.clone(), vec!["--seed", "1"], "--seed"),
        (good.clone(), vec!["--prior", "1,1,1"], "--prior"),
        (good.clone(), vec!["--mechanism", "optimal", "--decode", "best"], "--decode"),
        (good, vec!["--categories", "a,b"], "--categories"),
    ];
    for (file, more, message) in cases {
        let run = posterity(&[&paid(&file, &ledger, "1")[..], &more].concat());
        assert!(matches!(run.code, Some(1 | 2)), "{file} {more:?}: {:?}", run.code);
        assert_eq!(run.stdout, "", "{file} {more:?}");
        assert!(run.stderr.contains(message), "{file} {more:?}: {}", run.stderr);
        assert!(!run.stderr.contains(secret) && !run.stderr.contains("panicked"), "{file}: {}", run.stderr);
        assert_eq!(study.spent(), "0", "{file} {more:?}");
    }
}

/// A ledger that is not one, or cannot be written, lets nothing out.
#[test]
fn bad_ledgers_release_nothing() {
    let study = Study::new("2");
    let file = example("cryotherapy.csv");
    let text = study.file("text.ledger", "not a database");
    let whole = std::fs::read(study.ledger()).expect("readable");
    let cut = study.file("cut.ledger", &whole[..whole.len() / 2]);
    for ledger in [text, cut, study.path("none.ledger"), study.path("no/folder.ledger")] {
        let run = posterity(&paid(&file, &ledger, "1"));
        assert_eq!((run.code, run.stdout.as_str()), (Some(1), ""), "{ledger}: {}", run.stderr);
        assert!(!run.stderr.contains("panicked"), "{}", run.stderr);
    }
    let run = posterity(&paid_by("b", &file, &study.ledger(), "1"));
    assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""), "{}", run.stderr);
}

/// Killed at any moment: a document that came out was charged and recorded, every charge has its record, the ledger
/// opens, and the chain holds. The moments are spread over the time that a release takes here.
#[test]
fn a_killed_release_is_never_out_without_its_charge() {
    /// How many moments there are; further rounds begin again.
    const MOMENTS: u64 = 40;
    let study = Study::new("1000");
    let (file, ledger) = (example("cryotherapy.csv"), study.ledger());
    let line = [&paid(&file, &ledger, "0.001")[..], &["--again"]].concat();
    let start = std::time::Instant::now();
    assert_eq!(posterity(&line).code, Some(0));
    let whole = start.elapsed();
    let mut out = 1;
    let rounds = trials(50);
    for round in 0..rounds {
        let mut child = Command::new(env!("CARGO_BIN_EXE_posterity"))
            .args(&line)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("starts");
        std::thread::sleep(whole.mul_f64((round % MOMENTS) as f64 / 32.0));
        // Already gone is fine.
        let _ = child.kill();
        let printed = child.wait_with_output().expect("ended").stdout;
        out += usize::from(serde_json::from_slice::<serde_json::Value>(&printed).is_ok());
        if round % MOMENTS > 0 && round + 1 < rounds {
            continue;
        }
        // What is on the books grows with the rounds, so it is read now and then.
        let history = document(&["budget", "history", &ledger, "--account", "a", "--format", "json"]);
        let lines = history.as_array().expect("a list");
        assert!(
            lines.iter().all(|line| line["status"] == "released"),
            "round {round}: a charge without a draw"
        );
        assert!(out <= lines.len(), "round {round}: {out} out, {} recorded", lines.len());
        assert_eq!(posterity(&["budget", "verify", &ledger]).code, Some(0), "round {round}");
    }
    assert!(Path::new(&ledger).exists() && whole < Duration::from_secs(60));
}

/// What is changed by hand is found, and a noted head shows what was cut off.
#[test]
fn verification_shows_tampering() {
    let study = Study::new("2");
    let ledger = study.ledger();
    let noted = document(&["budget", "verify", &ledger, "--format", "json"])["head"]
        .as_str()
        .expect("a head")
        .to_owned();
    document(&paid(&example("cryotherapy.csv"), &ledger, "1"));
    assert_eq!(posterity(&["budget", "verify", &ledger, "--head", &noted]).code, Some(0));
    let bytes = std::fs::read(&ledger).expect("readable");
    let place =
        bytes.windows(5).position(|window| window == b"yes\",").expect("the question names the categories");
    let mut changed = bytes;
    changed[place] = b'Y';
    std::fs::write(&ledger, changed).expect("writable");
    let run = posterity(&["budget", "verify", &ledger]);
    assert_eq!(run.code, Some(1), "{}", run.stderr);
    assert_eq!(posterity(&["budget", "export", &ledger]).code, Some(1));
    assert_eq!(posterity(&["budget", "verify", &ledger, "--head", "nonsense"]).code, Some(2));
}

/// A wrong name is a wrong argument, and a damaged file is not.
#[test]
fn a_wrong_account_is_usage_and_a_damaged_one_is_not() {
    let study = Study::new("1234.5");
    let (file, ledger) = (example("cryotherapy.csv"), study.ledger());
    let show = |name| posterity(&["budget", "show", &ledger, "--account", name]);
    let history = |name| posterity(&["budget", "history", &ledger, "--account", name]);
    let release = |name| posterity(&paid_by(name, &file, &ledger, "1"));
    let create = |name| posterity(&["budget", "create", &ledger, "--account", name, "--epsilon", "1"]);
    for run in [show("b"), history("b"), release("b"), create(""), create(" b")] {
        assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""), "{}", run.stderr);
        assert!(run.stderr.contains("--account"), "{}", run.stderr);
    }
    assert_eq!(create("a").code, Some(1), "the name is fine, and taken");
    // The budget as it is stored, with another digit.
    let mut bytes = std::fs::read(&ledger).expect("readable");
    let place = bytes.windows(6).position(|window| window == b"2469/2").expect("the entry of the account");
    bytes[place] = b'9';
    std::fs::write(&ledger, bytes).expect("writable");
    for run in [show("a"), release("a"), create("b")] {
        assert_eq!((run.code, run.stdout.as_str()), (Some(1), ""), "{}", run.stderr);
    }
    assert!(release("a").stderr.contains("was changed after it was written"), "{}", release("a").stderr);
}
