//! Tables of many columns in studies: what is planned, charged, drawn, recalled and shown.

use std::path::{Path, PathBuf};

use posterity::batch::BatchError;
use posterity::ledger::{Adjacency, Amount, Charge, Ledger, LedgerError, NewAccount, now_utc, rho_of};
use posterity::plan::{PlannedMargins, PlannedQuestion};
use posterity::{Payment, Publication};
use posterity_study::{
    Answer, Answers, Folder, PlanFile, Study, StudyError, StudyVerificationError, check_requirements,
    verify_folder,
};

const PLAN: &str = r#"
title = "What goes with what"
source = "people.csv"
epsilon = 1
delta = 1e-6
[columns]
ward = ["A", "B", "C"]
cured = ["yes", "no"]
smokes = ["yes", "no"]
age = { bins = [0, 40, 120] }
[[question]]
columns = ["ward", "cured"]
read = ["cured=yes | ward"]
share = 3
[[question]]
columns = ["age"]
[[margins]]
name = "pairs"
sets = 2
share = 2
read = ["cured=yes | smokes", "smokes"]
compare = ["cured=yes | smokes: yes - no"]
"#;

fn amount(text: &str) -> Amount {
    text.parse().expect(text)
}

/// Four columns of 600 people in three wards, each with two records.
fn scene() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let row = |row: usize| {
        let truth = |holds: bool| if holds { "yes" } else { "no" };
        let (ward, smokes) = (["A", "B", "C"][row % 3], truth(row % 5 < 2));
        format!("{},{ward},{},{smokes},{}\n", row / 2, truth((row * 7) % 11 < 6), row % 97)
    };
    let rows: String = (0..1_200).map(row).collect();
    std::fs::write(folder.path().join("people.csv"), format!("person,ward,cured,smokes,age\n{rows}"))
        .expect("written");
    folder
}

fn study(text: &str, folder: &Path) -> Study {
    Study::new(PlanFile::parse(text, folder).expect("valid")).expect("valid")
}

fn ledger(folder: &Path, account: &NewAccount) -> Ledger {
    let mut ledger = Ledger::create(folder.join("budget.ledger")).expect("created");
    ledger.open_account(account, &now_utc()).expect("new");
    ledger
}

/// Shares divide epsilon among all, and delta among the tables of many columns.
#[test]
fn shares_are_exact_parts_of_the_budget() {
    let two = format!("{PLAN}[[margins]]\nname = \"few\"\nsets = \"age, cured; smokes\"\nshare = 4\n");
    let plan = PlanFile::parse(&two, Path::new("")).expect("valid").plan().clone();
    let epsilons: Vec<String> = plan.questions().map(|one| one.epsilon().rational().to_string()).collect();
    let margins: Vec<&PlannedMargins> = plan.all().collect();
    assert_eq!(epsilons, ["3/10", "1/10", "1/5", "2/5"]);
    let deltas: Vec<&Amount> = margins.iter().map(|one| &one.terms().delta).collect();
    assert_eq!(deltas, [&amount("1/3000000"), &amount("2/3000000")]);
    assert_eq!((plan.epsilon().to_string(), plan.delta()), ("1".into(), Some(&amount("1e-6"))));
    let rho =
        |epsilon: &str, delta: &str| rho_of(&amount(epsilon), &amount(delta)).expect("there is a delta");
    assert_eq!(plan.rho(), Some(rho("1/5", "1/3000000") + &rho("2/5", "2/3000000")));
    // Every column that is declared, or those of the sets alone.
    let columns = |index: usize| -> Vec<&str> {
        let question = margins[index].question();
        question.columns.iter().map(|column| column.name.as_str()).collect()
    };
    assert_eq!(columns(0), ["ward", "cured", "smokes", "age"]);
    assert_eq!(columns(1), ["cured", "smokes", "age"]);
    assert_eq!(plan.questions().filter_map(PlannedQuestion::tables).collect::<Vec<_>>(), [10, 4]);
    // Without readings, each column by itself.
    let read: Vec<String> = margins[1].shown().iter().map(ToString::to_string).collect();
    assert_eq!(read, ["cured", "smokes", "age"]);
}

/// Each with words of the message.
#[test]
fn rejects() {
    let table = [
        ("delta = 1e-6\n", "", "delta: tables of many columns and discovered categories need one"),
        ("delta = 1e-6", "delta = 0", "delta: write a number strictly between 0 and 1"),
        ("delta = 1e-6", "delta = 1", "between 0 and 1"),
        ("delta = 1e-6", "delta = \"small\"", "between 0 and 1"),
        ("sets = 2\n", "", "a table [[margins]] has no \"sets\"; add sets = 2"),
        ("sets = 2", "sets = \"ward, wrd\"", "there is one named \"ward\""),
        ("sets = 2", "sets = 9", "9"),
        ("sets = 2", "sets = \"ward,,age\"", "a name is missing"),
        ("sets = 2", "sets = 2\ncolumns = [\"ward\", \"weight\"]", "\"weight\""),
        (
            "sets = 2",
            "sets = 2\nmechanism = \"lattice\"",
            "there is no key \"mechanism\" in a table [[margins]]",
        ),
        (
            "\"smokes\"]\ncompare",
            "\"cured | smokes, ward\"]\ncompare",
            "no released table has ward, cured, smokes together",
        ),
        ("yes - no", "yes - maybe", "maybe"),
        ("name = \"pairs\"", "name = \"age\"", "two questions are named \"age\""),
        ("name = \"pairs\"", "name = \"study\"", "which every study writes"),
        ("epsilon = 1\n", "epsilon = 1\nwithin = \"age > 30\"\n", "within: a private filter cannot be used"),
        (
            "epsilon = 1\n",
            "epsilon = 1\nunit = \"person\"\nper-unit = \"mode\"\n",
            "choose random or latest COLUMN",
        ),
        (
            "epsilon = 1\n",
            "epsilon = 1\nunit = \"person\"\nper-unit = \"all 2\"\nadjacency = \"add-remove\"\n",
            "one record",
        ),
        (
            "sets = 2",
            "sets = 2\ninterval-kind = \"credible\"\nread = [\"count\"]\ncompare = []\n[[margins]]\nname = \"more\"\nsets = 2",
            "interval-kind: a release of many tables has credible intervals of shares, means and comparisons, but not",
        ),
    ];
    for (from, to, said) in table {
        assert!(PLAN.contains(from), "{from}");
        let error = PlanFile::parse(&PLAN.replacen(from, to, 1), Path::new("")).expect_err(to).to_string();
        assert!(error.contains(said), "{to}: {error}");
    }
    let pure = &PLAN[..PLAN.find("[[margins]]").expect("there")];
    let error = PlanFile::parse(pure, Path::new("")).expect_err("a delta for nothing").to_string();
    assert!(error.contains("line 5: delta: this is for many columns"), "{error}");
    // A plan may have tables of many columns alone.
    let alone = format!("{}{}", &PLAN[..PLAN.find("[[question]]").expect("there")], &PLAN[pure.len()..]);
    let alone = PlanFile::parse(&alone, Path::new("")).expect("valid");
    assert!(alone.plan().questions().all(|asked| asked.kind() == "margins"));
}

/// What is drawn, of questions and of tables of many columns.
fn drawn(answers: &Answers) -> Vec<String> {
    let documents = answers.answers().iter().map(|one| serde_json::to_value(one.document()).expect("JSON"));
    documents.map(|one| one["drawn"].to_string()).collect()
}

/// The first of the tables of many columns.
fn margins(answers: &Answers) -> &Answer {
    answers.answers().iter().find(|one| one.document().kind() == "margins").expect("there are some")
}

/// If this fails, an experiment cannot be repeated.
#[test]
fn the_same_seed_gives_the_same_digits() {
    let folder = scene();
    let study = study(PLAN, folder.path());
    let [one, again, other] = [7, 7, 8].map(|seed| study.experiment(seed, &()).expect("drawn"));
    assert_eq!(drawn(&one), drawn(&again));
    assert_ne!(drawn(&one), drawn(&other));
    assert!(
        !one.private() && margins(&one).document().seed() == Some(9),
        "seeds follow those of the questions"
    );
}

/// One charge for all of it, of exactly what its answers promise; and none for the same again, even without the data.
#[test]
fn the_charge_is_what_the_answers_promise() {
    let folder = scene();
    let study = study(PLAN, folder.path());
    let mut ledger = ledger(folder.path(), &NewAccount::new("survey", amount("3"), amount("1e-5")));
    assert!(study.recall(&ledger, "survey", &()).expect("read").is_none());
    let told = study.price().expect("valid");
    let first = study.charge(&mut ledger, "survey", false, &()).expect("released");
    let promised =
        first.answers().iter().filter_map(|one| one.document().posterior()?.promise().epsilon().cloned());
    let promised = promised.map(|epsilon| Amount::from_rational(epsilon.rational().clone()).expect("short"));
    let rho = margins(&first).document().promise().rho().expect("private").clone();
    assert_eq!(Some(&rho), rho_of(&amount("1/3"), &amount("1e-6")).as_ref());
    let history = ledger.history("survey").expect("there");
    assert_eq!(history.len(), 1);
    assert_eq!((told.question(), &told.promise().price), (history[0].question.as_str(), &history[0].price));
    assert_eq!(history[0].price, Charge::mixed("q", promised, rho.clone()).expect("valid").promise().price);
    let Payment::ChargedRho { rho: paid, epsilon, .. } = first.payment() else { unreachable!("{first:?}") };
    assert_eq!((paid, epsilon), (&rho, &Some(amount("2/3"))));
    // Each part by itself.
    assert!(
        matches!(first.answers()[0].payment(), Payment::Charged { epsilon, .. } if *epsilon == amount("0.5"))
    );
    assert!(matches!(margins(&first).payment(), Payment::ChargedRho { epsilon: None, .. }));
    std::fs::remove_file(folder.path().join("people.csv")).expect("removed");
    let again = study.charge(&mut ledger, "survey", false, &()).expect("recalled");
    assert!(matches!(again.payment(), Payment::Recalled { .. }));
    assert_eq!(drawn(&first), drawn(&again));
    assert_eq!(margins(&first).document(), margins(&again).document());
    assert_eq!(ledger.account("survey").expect("there").charges, 1);
    // What the ledger holds, read as is usual.
    let stored = ledger.find("survey", &study.question().expect("valid")).expect("read").expect("recorded");
    let recorded = Publication::recorded(&stored).expect("read");
    assert!(matches!(
        recorded.as_slice(),
        [Publication::Table(_), Publication::Table(_), Publication::Margins(_)]
    ));
    ledger.verify().expect("sound");
}

/// Other readings, titles and levels are the same question; other tables and shares are not.
#[test]
fn the_question_names_the_law() {
    let question = |from: &str, to: &str| {
        assert!(PLAN.contains(from), "{from}");
        study(&PLAN.replacen(from, to, 1), Path::new("/somewhere")).question().expect("valid")
    };
    let plain = question("sets = 2", "sets = 2");
    assert_eq!(plain, question("\"cured=yes | smokes\", \"smokes\"", "\"smokes | ward\""));
    assert_eq!(plain, question("sets = 2", "sets = 2\nlevel = 0.5\ntitle = \"All pairs\""));
    for (from, to) in [
        ("sets = 2", "sets = 3"),
        ("share = 2", "share = 2.5"),
        ("delta = 1e-6", "delta = 2e-6"),
        ("sets = 2", "sets = \"2; ward, age = 3\""),
        ("epsilon = 1\n", "epsilon = 1\nedition = \"2026\"\n"),
    ] {
        assert_ne!(plain, question(from, to), "{to}");
    }
}

/// If this fails, something is drawn that an account cannot count.
#[test]
fn an_account_without_delta_refuses_with_the_remedy() {
    let folder = scene();
    let study = study(PLAN, folder.path());
    let mut ledger = ledger(folder.path(), &NewAccount::new("survey", amount("9"), Amount::ZERO));
    let error = study.charge(&mut ledger, "survey", false, &()).expect_err("refused");
    assert!(matches!(&error, StudyError::Batch(BatchError::Ledger(LedgerError::NoFilter { .. }))), "{error}");
    assert!(error.to_string().contains("create an account with delta"), "{error}");
    assert_eq!(ledger.account("survey").expect("there").charges, 0);
    let small = NewAccount::new("small", amount("0.9"), amount("1e-6"));
    ledger.open_account(&small, &now_utc()).expect("new");
    let error = study.charge(&mut ledger, "small", false, &()).expect_err("too dear").to_string();
    assert!(error.contains("beside epsilon") && error.contains("nothing was charged"), "{error}");
    assert_eq!(ledger.account("small").expect("there").charges, 0);
}

/// An account that counts n as public pays twice the epsilons and four times the rho.
#[test]
fn private_n_costs_what_it_costs() {
    let folder = scene();
    let text =
        PLAN.replacen("delta = 1e-6", "delta = 1e-6\nadjacency = \"add-remove\"\nunit = \"person\"", 1);
    let study = study(&text, folder.path());
    let account = |name: &str| {
        let unit = posterity::ledger::Unit::column("person").expect("a name");
        NewAccount::new(name, amount("9"), amount("1e-5")).unit(unit)
    };
    let mut ledger = ledger(folder.path(), &account("public"));
    let hidden = account("hidden").adjacency(Adjacency::AddRemove).reason("a test");
    ledger.open_account(&hidden, &now_utc()).expect("new");
    let rho = rho_of(&amount("1/3"), &amount("1e-6")).expect("there is a delta");
    for (account, epsilon, rho) in [("public", amount("4/3"), rho.times(4)), ("hidden", amount("2/3"), rho)] {
        let answers = study.charge(&mut ledger, account, false, &()).expect("released");
        assert_eq!(answers.n(), None);
        let price = ledger.history(account).expect("there").remove(0).price;
        let told = ledger.account(account).and_then(|one| one.price_of(&study.price().expect("valid")));
        assert_eq!(told, Ok(price.clone()), "{account}");
        assert_eq!((price.sum_epsilon(), price.rho()), (Some(epsilon), Some(&rho)), "{account}");
    }
}

fn written(text: &str, folder: &Path) -> (PathBuf, Ledger) {
    let study = study(text, folder);
    let mut ledger = ledger(folder, &NewAccount::new("survey", amount("3"), amount("1e-5")));
    let answers = study.charge(&mut ledger, "survey", false, &()).expect("released");
    let out = Folder::take(&folder.join("results")).expect("a folder");
    (out.write(study.plan(), &answers, None, &()).expect("written"), ledger)
}

/// If this fails, somebody can change what a study says or promises, and nobody sees it.
#[test]
fn the_results_can_be_verified() {
    let folder = scene();
    let (path, ledger) = written(PLAN, folder.path());
    let verified = verify_folder(&path, &()).expect("as it was written");
    let files: Vec<&str> = verified.documents().iter().map(|(file, _)| file.as_str()).collect();
    assert_eq!(files, ["ward-cured.json", "age.json", "pairs.json"]);
    for (file, document) in verified.documents() {
        let verdict = document.by_ledger(&ledger).expect(file);
        assert_eq!((verdict.epsilon, verdict.rho.is_some()), (Some(amount("2/3")), true), "{file}");
    }
    verified.case("results").expect("all of it can be described together");
    let changed = |name: &str, from: &str, to: &str, said: &str| {
        let file = path.join(name);
        let text = std::fs::read_to_string(&file).expect(name);
        assert!(text.contains(from), "{name}: {from}");
        std::fs::write(&file, text.replacen(from, to, 1)).expect(name);
        let error = verify_folder(&path, &()).expect_err(name).to_string();
        assert!(error.contains(said), "{name}: {error}");
        std::fs::write(&file, text).expect(name);
    };
    changed("pairs-smokes.csv", "yes", "no", "pairs-smokes.csv");
    changed("report.html", "(1, 0.000001)", "(0.1, 0.000001)", "report.html");
    changed("study.json", "\"delta\": 1e-6", "\"delta\": 1e-7", "says otherwise what is promised");
    changed("study.json", "\"epsilon\": 1.0,", "\"epsilon\": 0.5,", "says otherwise what is promised");
    changed("pairs.json", "\"rho\": \"", "\"rho\": \"1", "pairs.json");
    let taken = path.join("pairs.json");
    std::fs::copy(path.join("age.json"), &taken).expect("copied");
    let error = verify_folder(&path, &()).expect_err("another kind");
    assert!(matches!(&error, StudyVerificationError::NotAStudy { .. }), "{error}");
}

/// What people read of it.
#[test]
fn the_report_says_what_is_promised_and_what_was_found() {
    let folder = scene();
    let (path, _) = written(PLAN, folder.path());
    let report = std::fs::read_to_string(path.join("report.html")).expect("there");
    for said in [
        "3 questions were asked of people.csv. 1200 records were counted.",
        "The promise is (1, 0.000001)-differential privacy per record, for all of this page together.",
        "The questions are 0.666667-differentially private together, without any delta. The tables of many columns have noise that is \
         zero-concentrated differentially private with rho = 0.00",
        "<h2 id=\"pairs\">Every table of up to 2 columns</h2>",
        "Tables: 4 of 1 column (expected L1 error ",
        "More can be read from them at no cost: <code>posterity read pairs.json</code>. It was given 0.333334 of the budget of 1.",
        "<h3>Compared</h3>",
        "<code>pairs-cured-yes-by-smokes.csv</code>",
        "(0.33333333333333337, 0.000001)-differential privacy per record: replacing any one record",
    ] {
        assert!(report.contains(said), "{said}\n{report}");
    }
    assert!(!report.contains("NOT PRIVATE") && !report.contains("<script"), "it stands alone");
    let picture = std::fs::read_to_string(path.join("pairs-cured-yes-by-smokes.svg")).expect("there");
    assert!(picture.contains("<svg"), "{picture}");
}

/// A committee may require something of tables of many columns too.
#[test]
fn requirements_are_forecast_and_checked() {
    let folder = scene();
    let text = format!("{PLAN}[[require]]\nread = \"cured=yes | smokes\"\npoints = 20\ngroup = 300\n");
    let study = study(&text, folder.path());
    let words =
        |verdicts: Vec<posterity_study::Verdict>| verdicts.iter().map(|one| one.word()).collect::<Vec<_>>();
    let forecast = |n| study.file().forecast(n, &|_| ()).expect("a forecast");
    assert_eq!(words(forecast(1_200).requirements), ["met", "met"]);
    assert_eq!(words(forecast(100).requirements), ["not met", "not met"]);
    let answers = study.experiment(1, &()).expect("drawn");
    assert_eq!(words(check_requirements(study.plan().requirements(), &answers)), ["met", "met"]);
    // The forecast beside what was released: shares and groups here are near those that it assumes.
    let expected = forecast(1_200).questions.pop().expect("of the tables");
    assert_eq!((expected.name.as_str(), expected.readings.len()), ("pairs", 2));
    for (one, table) in expected.readings.iter().zip(margins(&answers).tables()) {
        let half = table.rows.iter().map(|row| 0.5 * (row.interval[1] - row.interval[0])).sum::<f64>();
        let half = half / table.rows.len() as f64;
        assert!((half / one.half_width - 1.0).abs() < 0.25, "{}: {half} {}", one.reading, one.half_width);
        assert!(one.half_width > one.without_privacy, "{one:?}");
    }
}

/// A unit counts once, by one of its records in all tables: the table of ward by cured is the same in a question and among
/// the pairs, but for noise that is tiny at this budget.
#[test]
fn one_record_of_a_unit_counts_in_all_tables() {
    let folder = scene();
    let text = r#"
source = "people.csv"
epsilon = 4000
delta = 1e-6
unit = "person"
[columns]
ward = ["A", "B", "C"]
cured = ["yes", "no"]
[[question]]
columns = ["ward", "cured"]
read = ["ward, cured"]
[[margins]]
sets = 2
read = ["ward, cured"]
"#;
    let answers = study(text, folder.path()).experiment(3, &()).expect("drawn");
    assert_eq!(answers.n(), Some(600));
    let question = answers.answers()[0].tables()[0].rows.iter();
    for (one, other) in question.zip(&margins(&answers).tables()[0].rows) {
        assert_eq!(one.cell, other.cell);
        let (one, other) = (600.0 * one.shown(), 600.0 * other.shown());
        assert!((one - other).abs() < 0.5, "{one} {other}");
    }
}

/// The example runs, and is what docs/wide.md says that it is.
#[test]
fn the_example() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let text = std::fs::read_to_string(root.join("examples/rand-health-wide-study.toml")).expect("there");
    let study = study(&text, &root.join("examples"));
    let tables: Vec<Option<usize>> = study.plan().questions().map(PlannedQuestion::tables).collect();
    assert_eq!(tables, [None, Some(36)]);
    let answers = study.experiment(1, &()).expect("drawn");
    assert_eq!(answers.n(), Some(20_190));
    let verdicts = check_requirements(study.plan().requirements(), &answers);
    assert!(verdicts.iter().all(|verdict| verdict.met == Some(true)), "{verdicts:?}");
    let folder = tempfile::tempdir().expect("a folder");
    let out = Folder::take(&folder.path().join("results")).expect("a folder");
    let path = out.write(study.plan(), &answers, None, &()).expect("written");
    verify_folder(&path, &()).expect("as it was written");
}
