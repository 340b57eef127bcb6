//! The charged path: what costs something, what costs nothing, and what the ledger remembers.
//!
//! The order of charge, draw and record is tested beside the publisher, where the draw can be seen.

mod common;

use common::{data, named, publisher};
use posterity::data::{Column, Question};
use posterity::ledger::{Answered, Charge, LedgerError, Status, Timestamp};
use posterity::{
    Amount, Data, Decoder, Ledger, Payment, Prior, PublishError, Publisher, Release, TermsError,
};
use posterity_core::calibrate::CalibrationError;
use posterity_core::mechanism::FitError;
use posterity_core::model::PriorError;
use posterity_testkit::fixture::{epsilon, spec};

const ACCOUNT: &str = "survey";

/// A ledger in a folder of its own, with one account.
struct Books {
    ledger: Ledger,
    folder: tempfile::TempDir,
}

impl Books {
    fn new(budget: &str) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let mut ledger = Ledger::create(folder.path().join("budget.ledger")).expect("created");
        ledger.create_account(ACCOUNT, &amount(budget), &Amount::ZERO, &at()).expect("created");
        Self { ledger, folder }
    }

    fn publish(&mut self, publisher: Publisher<'_>, data: &Data) -> Result<Release, PublishError> {
        publisher.charge(&mut self.ledger, ACCOUNT).at(at()).publish(data)
    }

    fn spent(&self) -> Amount {
        self.ledger.account(ACCOUNT).expect("there").spent_epsilon
    }
}

fn amount(text: &str) -> Amount {
    text.parse().expect("an amount")
}

fn at() -> Timestamp {
    "2026-01-31T23:59:59Z".parse().expect("a time")
}

fn charged(epsilon: &str, remaining: &str) -> Payment {
    Payment::Charged { epsilon: amount(epsilon), delta: Amount::ZERO, remaining: amount(remaining) }
}

fn is_recalled(release: &Release) -> bool {
    matches!(release.payment(), Payment::Recalled { .. })
}

#[test]
fn a_release_is_charged_and_recorded() {
    let mut books = Books::new("1");
    let release = books.publish(publisher("lattice"), &named("trial")).expect("released");
    assert_eq!(release.payment(), &charged("1", "0"));
    assert!(release.document().is_private());
    let history = books.ledger.history(ACCOUNT).expect("there");
    assert_eq!(history.len(), 1);
    assert_eq!(history[0].status, Status::Released { released: at() });
    let stored = books.ledger.find(ACCOUNT, &history[0].question).expect("there").expect("recorded");
    let recorded = posterity::Publication::recorded(&stored).expect("it was drawn just now");
    assert_eq!(recorded, [release.document().clone().into()]);
    books.ledger.verify().expect("intact");
}

/// Pinned: with another text the ledger does not recognise a question that it has answered.
#[test]
fn the_text_of_a_question_is_pinned() {
    let mut books = Books::new("1");
    books.publish(publisher("tight(ehds(gamma=0.5))"), &named("trial")).expect("released");
    let expected = r#"{"questions":[{"categories":["yes","no"],"data":"{\"memory\":\"trial\",\"missing\":null,\"other\":null,\"version\":1}","epsilon":"1","mechanism":"tight(ehds(gamma=0.5))","prior":[1.0,1.0]}],"version":1}"#;
    assert_eq!(books.ledger.history(ACCOUNT).expect("there")[0].question, expected);
}

#[test]
fn a_bad_request_costs_nothing() {
    let mut books = Books::new("10");
    let one = Prior::uniform(3).expect("valid");
    let length = TermsError::Prior(PriorError::WrongLength { found: 3, expected: 2 });
    let auto = TermsError::Calibration(CalibrationError::Fit(FitError::AutoGamma));
    let table = [
        (publisher("ehds").prior(one), PublishError::Terms(length)),
        (publisher("ehds(gamma=auto)"), PublishError::Terms(auto)),
    ];
    for (publisher, expected) in table {
        assert_eq!(books.publish(publisher, &named("trial")).expect_err("refused"), expected);
    }
    for level in [0.0, 1.0, -0.5, f64::NAN] {
        let error = books.publish(publisher("lattice").level(level), &named("trial")).expect_err("refused");
        assert!(matches!(error, PublishError::Level(_)), "{level}: {error}");
    }
    // What promises nothing has no price, whether it is allowed or not.
    for unproven in [publisher("mh"), publisher("mh").allow_unproven(), publisher("ehdl").allow_unproven()] {
        let error = books.publish(unproven, &named("trial")).expect_err("refused");
        assert!(matches!(error, PublishError::Unproven { .. }), "{error}");
    }
    let stranger = publisher("lattice").charge(&mut books.ledger, "nobody").publish(&named("trial"));
    let unknown = LedgerError::UnknownAccount { name: "nobody".into(), existing: vec![ACCOUNT.into()] };
    assert_eq!(stranger.expect_err("refused"), PublishError::Ledger(unknown));
    assert_eq!(books.ledger.account(ACCOUNT).expect("there").charges, 0);
}

/// mhg promises twice the epsilon that it is given, so that is what it costs, and what must be left.
#[test]
fn mhg_costs_twice_its_epsilon() {
    let mut books = Books::new("3");
    let release = books.publish(publisher("mhg"), &named("trial")).expect("released");
    assert_eq!(release.payment(), &charged("2", "1"));
    assert_eq!(books.spent(), amount("2"));
    let document = release.document();
    assert_eq!((document.epsilon(), document.guarantee().epsilon), (2.0, Some(2.0)));
    let error = books.publish(publisher("mhg"), &named("another")).expect_err("1 is left");
    assert!(matches!(error, PublishError::Ledger(_)), "{error}");
    assert_eq!(books.spent(), amount("2"));
}

#[test]
fn the_same_question_is_recalled_and_says_so() {
    let mut books = Books::new("1");
    let first = books.publish(publisher("lattice"), &named("trial")).expect("released");
    let second = books.publish(publisher("lattice"), &named("trial")).expect("recalled");
    assert_eq!(second.payment(), &Payment::Recalled { drawn: at() });
    assert_eq!(second.document(), first.document());
    let text = |release: &Release| serde_json::to_string(release.document()).expect("serialises");
    assert_eq!(text(&second), text(&first));
    assert_eq!(books.spent(), amount("1"));
}

/// How a draw is read afterwards is not part of the question.
#[test]
fn another_level_or_decoder_reads_the_same_draw_anew() {
    let mut books = Books::new("1");
    let first = books.publish(publisher("lattice"), &named("trial")).expect("released");
    let narrow = books.publish(publisher("lattice").level(0.5), &named("trial")).expect("recalled");
    let searched = publisher("lattice").decoder(Decoder::Best);
    let searched = books.publish(searched, &named("trial")).expect("recalled");
    let jeffreys = publisher("lattice").prior(Prior::new(vec![0.5, 0.5]).expect("valid"));
    let jeffreys = books.publish(jeffreys, &named("trial")).expect("recalled");
    for release in [&narrow, &searched, &jeffreys] {
        assert!(is_recalled(release));
        assert_eq!(release.document().drawn(), first.document().drawn());
    }
    assert_eq!(narrow.document().request().level(), 0.5);
    assert_ne!(jeffreys.document().posterior().parameters, first.document().posterior().parameters);
    let width = |release: &Release| {
        let [low, high] = release.document().best_summary().1[0];
        high - low
    };
    assert!(width(&narrow) < width(&first));
    let decoders = [&first, &searched].map(|release| release.document().decoder());
    assert_eq!(decoders, [Decoder::Projection, Decoder::Best]);
    assert_eq!(books.spent(), amount("1"));
}

#[test]
fn another_question_is_charged() {
    let mut books = Books::new("10");
    let mut spent = 0;
    let skewed = Prior::new(vec![1.0, 2.0]).expect("valid");
    let other_rules = data(48, 42).named("trial", Some("other"), None).expect("a name");
    let other_size = data(48, 43).named("trial", None, None).expect("a name");
    let questions = [
        (publisher("lattice"), named("trial")),
        (publisher("geometric"), named("trial")),
        (publisher("ehds"), named("trial")),
        (publisher("ehds(gamma=0.5)"), named("trial")),
        (publisher("tight(ehds)"), named("trial")),
        (publisher("ehds").prior(skewed), named("trial")),
        (publisher("lattice"), named("other-trial")),
        (publisher("lattice"), other_rules),
        (publisher("lattice"), other_size),
    ];
    for (publisher, data) in &questions {
        books.publish(publisher.clone(), data).expect("released");
        spent += 1;
        assert_eq!(books.spent(), amount(&spent.to_string()), "{publisher:?}");
    }
    let cheap = Publisher::new(epsilon("0.5"));
    assert_eq!(books.publish(cheap, &named("trial")).expect("released").payment(), &charged("0.5", "0.5"));
    // All of them are known now.
    for (publisher, data) in &questions {
        let release = books.publish(publisher.clone(), data).expect("recalled");
        assert!(is_recalled(&release), "{publisher:?}");
    }
}

#[test]
fn again_draws_and_charges() {
    let mut books = Books::new("3");
    books.publish(publisher("lattice"), &named("trial")).expect("released");
    let mut again = publisher("lattice").charge(&mut books.ledger, ACCOUNT).again(true);
    let release = again.publish(&named("trial")).expect("released");
    assert_eq!(release.payment(), &charged("1", "1"));
    assert_eq!(books.spent(), amount("2"));
    // The last draw is the one that is recalled.
    let recalled = books.publish(publisher("lattice"), &named("trial")).expect("recalled");
    assert_eq!(recalled.document(), release.document());
}

#[test]
fn more_than_what_is_left_is_refused() {
    let mut books = Books::new("1.5");
    books.publish(publisher("lattice"), &named("trial")).expect("released");
    let error = books.publish(publisher("geometric"), &named("trial")).expect_err("refused");
    assert!(matches!(&error, PublishError::Ledger(LedgerError::Exceeded(_))), "{error}");
    assert_eq!(books.spent(), amount("1"));
    // What was released before is still answered.
    let recalled = books.publish(publisher("lattice"), &named("trial")).expect("recalled");
    assert!(is_recalled(&recalled));
}

/// Nothing says what data such counts are of, so a ledger never takes two of them for the same.
#[test]
fn counts_without_a_name_are_charged_each_time_and_say_so() {
    let mut books = Books::new("2");
    for left in ["1", "0"] {
        let release = books.publish(publisher("lattice"), &data(48, 42)).expect("released");
        assert_eq!(release.payment(), &charged("1", left));
        let notes = release.document().notes();
        assert!(notes.iter().any(|note| note.contains("no name by which the ledger")), "{notes:?}");
    }
    let error = books.publish(publisher("lattice"), &data(48, 42)).expect_err("nothing is left");
    assert!(matches!(error, PublishError::Ledger(LedgerError::Exceeded(_))), "{error}");
}

#[test]
fn a_stored_text_that_is_no_document_is_refused_and_costs_nothing() {
    let mut books = Books::new("2");
    let first = books.publish(publisher("lattice"), &named("trial")).expect("released");
    let question = books.ledger.history(ACCOUNT).expect("there")[0].question.clone();
    let charge = Charge::batch(question, [amount("1")]).expect("a charge");
    let drawn =
        books.ledger.answer(ACCOUNT, &charge, |_| false, &at(), |_| Ok::<_, LedgerError>("{}".into()));
    assert!(matches!(drawn, Ok(Answered::Recorded(_))) && first.document().is_private());
    let error = books.publish(publisher("lattice"), &named("trial")).expect_err("no document");
    assert_eq!(error, PublishError::StoredDocument);
    assert_eq!(books.spent(), amount("2"));
}

/// A file is known by its path and by what is asked of it; its content may change.
#[test]
fn data_of_a_file_is_charged_and_recalled_too() {
    let mut books = Books::new("3");
    let path = books.folder.path().join("visits.csv");
    let read = |text: &str, categories: [&str; 2]| {
        std::fs::write(&path, text).expect("written");
        let question = Question::new(vec![Column::new("cured", categories)]);
        Data::read(path.to_string_lossy(), &question).expect("counted")
    };
    let ill = "cured\nyes\nno\nno\n";
    let first = books.publish(publisher("lattice"), &read(ill, ["yes", "no"])).expect("released");
    assert_eq!(first.payment(), &charged("1", "2"));
    assert_eq!(first.document().about().columns[0].name, "cured");
    let second = books.publish(publisher("lattice"), &read(ill, ["yes", "no"])).expect("recalled");
    assert!(is_recalled(&second));
    let well = "cured\nyes\nyes\nyes\n";
    let changed = books.publish(publisher("lattice"), &read(well, ["yes", "no"])).expect("recalled");
    assert!(is_recalled(&changed));
    assert_eq!(changed.document(), first.document());
    let turned = books.publish(publisher("lattice"), &read(ill, ["no", "yes"])).expect("released");
    assert_eq!(turned.payment(), &charged("1", "1"));
    let larger = "cured\nyes\nyes\nyes\nno\n";
    let larger = books.publish(publisher("lattice"), &read(larger, ["yes", "no"])).expect("released");
    assert_eq!(larger.payment(), &charged("1", "0"));
}

/// The price is that of the promise, whatever the mechanism is called with.
#[test]
fn tight_mechanisms_without_a_proof_are_charged() {
    let mut books = Books::new("1");
    let tight = Publisher::new(epsilon("0.5")).mechanism(spec("tight(mh)"));
    let release = books.publish(tight, &named("trial")).expect("released");
    assert_eq!(release.payment(), &charged("0.5", "0.5"));
    assert!(release.document().is_private());
}
