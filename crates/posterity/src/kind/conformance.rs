//! What every kind of release must do. A kind of the list is checked as soon as it has an [`Example`].

use std::fmt::Write as _;
use std::path::Path;

use posterity_core::sampler::{BitSource, SeededBits, SourceError};
use posterity_ledger::{Ledger, LedgerError, NewAccount, Status, Unit, now_utc};
use serde_json::Value;

use super::Publication;
use crate::ask::{Ask, Price};
use crate::charging::{Payer, charge_one};
use crate::paper::{Document, Kind};
use crate::publish_error::PublishError;
use crate::randomness::Randomness;
use crate::release::Payment;
use crate::verification::{VerificationError, verify_document};

/// A question that shows what a kind does.
pub(crate) trait Example: Kind {
    /// Counts a file of people with the columns `id` (one row for each person, some with two), `ward` (A, B or C) and
    /// `cured` (yes or no), each person by one record drawn at random. The budget is 1, with a delta of 1e-9 if there is
    /// one.
    fn example(path: &Path, randomness: Randomness) -> Ask<'static, Self>;
}

/// A folder with a file of people and a ledger whose account can pay for the example.
struct Scene {
    folder: tempfile::TempDir,
}

impl Scene {
    fn new() -> Self {
        let scene = Self { folder: tempfile::tempdir().expect("a folder") };
        scene.write(240);
        scene
    }

    /// Writes the file anew, with this many people.
    fn write(&self, people: usize) {
        let mut text = "id,ward,cured\n".to_owned();
        for row in 0..people + 20 {
            let (id, ward) = (row % people, ["A", "B", "C"][row * 7 % 11 % 3]);
            writeln!(text, "{id},{ward},{}", ["yes", "no"][row % 7 / 4]).expect("text");
        }
        std::fs::write(self.folder.path().join("people.csv"), text).expect("written");
    }

    fn ask<K: Example>(&self) -> Ask<'static, K> {
        K::example(&self.folder.path().join("people.csv"), Randomness::System)
    }

    /// A ledger with an account of this budget.
    fn ledger<K: Example>(&self, epsilon: &str) -> Ledger {
        let ask = self.ask::<K>();
        let mut ledger = Ledger::create(self.folder.path().join(format!("{epsilon}.ledger"))).expect("new");
        let amount = |text: &str| text.parse().expect("an amount");
        let account = match ask.price.as_ref().expect("it is private") {
            Price::Epsilon(_, delta) if delta.is_zero() => {
                NewAccount::new("office", amount(epsilon), amount("0"))
            }
            Price::Epsilon(..) => NewAccount::new("office", amount(epsilon), amount("1e-6")).adds_up(),
            Price::Rho(_) => NewAccount::new("office", amount(epsilon), amount("1e-6")),
        };
        let unit = ask.unit.as_deref().map_or(Unit::RECORD, |unit| Unit::column(unit).expect("a name"));
        let account = account.adjacency(crate::charging::in_ledger(ask.adjacency)).unit(unit);
        ledger.open_account(&account, &now_utc()).expect("new");
        ledger
    }
}

/// What an account pays for the example.
fn paid(payment: &Payment) -> bool {
    matches!(payment, Payment::Charged { .. } | Payment::ChargedRho { .. })
}

/// Bits that fail: whoever draws from them is found out.
struct Broken;

impl BitSource for Broken {
    fn next_u64(&mut self) -> Result<u64, SourceError> {
        Err(SourceError { reason: "broken".to_owned() })
    }
}

/// If this fails, the same question of the same data is paid for twice, or its answer changes.
#[test]
fn a_question_is_charged_once_and_recalled() {
    fn check<K: Example>() {
        let (scene, name) = (Scene::new(), K::NAME);
        let mut ledger = scene.ledger::<K>("9");
        let (first, payment) = scene.ask::<K>().charge(Payer::new(&mut ledger, "office")).expect("charged");
        assert!(paid(&payment) && first.is_private(), "{name}: {payment:?}");
        assert_eq!(first.seed(), None);
        let again = charge_one(scene.ask::<K>(), Payer::new(&mut ledger, "office"), &mut Broken);
        let (again, payment) = again.expect("recalled");
        assert!(matches!(payment, Payment::Recalled { .. }), "{name}: {payment:?}");
        assert_eq!(again, first, "{name}");
        // What the ledger holds is the same document.
        let history = ledger.history("office").expect("there");
        assert_eq!(history.len(), 1);
        let stored = ledger.find("office", &history[0].question).expect("read").expect("recorded");
        assert_eq!(Publication::recorded(&stored).expect("read").len(), 1);
        let payer = Payer { again: true, ..Payer::new(&mut ledger, "office") };
        let (_, payment) = scene.ask::<K>().charge(payer).expect("charged");
        assert!(paid(&payment), "{name}");
        assert_eq!(ledger.account("office").expect("there").charges, 2);
    }
    of_each!(check);
}

/// If this fails, something is drawn that is not paid for, or a draw that failed costs nothing although some of it may have
/// been seen.
#[test]
fn a_draw_is_paid_for_before() {
    fn check<K: Example>() {
        let (scene, name) = (Scene::new(), K::NAME);
        let mut poor = scene.ledger::<K>("0.1");
        let refused = charge_one(scene.ask::<K>(), Payer::new(&mut poor, "office"), &mut Broken);
        let refused = refused.expect_err("too dear");
        assert!(matches!(refused, PublishError::Ledger(LedgerError::Exceeded(_))), "{name}: {refused}");
        assert_eq!(poor.account("office").expect("there").charges, 0);
        let mut ledger = scene.ledger::<K>("9");
        let failed = charge_one(scene.ask::<K>(), Payer::new(&mut ledger, "office"), &mut Broken);
        assert!(matches!(failed, Err(PublishError::Release(_))), "{name}");
        let history = ledger.history("office").expect("there");
        assert_eq!(history.iter().map(|line| &line.status).collect::<Vec<_>>(), [&Status::NotReleased]);
    }
    of_each!(check);
}

/// If this fails, a seed passes for the randomness of the system.
#[test]
fn a_seed_protects_nothing_and_says_so() {
    fn check<K: Example>() {
        let (scene, name) = (Scene::new(), K::NAME);
        let path = scene.folder.path().join("people.csv");
        let drawn = |seed| K::example(&path, Randomness::Seed(3)).experiment(seed).expect("drawn");
        let document = drawn(7);
        assert_eq!((document.seed(), document.is_private()), (Some(7), false), "{name}");
        assert_eq!(document.promise().epsilon(), None);
        assert!(document.guarantee().statement.starts_with("No privacy is promised"), "{name}");
        assert!(document.notes().iter().any(|note| note.contains("seed 7")), "{name}");
        assert_eq!(drawn(7), document);
        // A draw of one number may be the same by chance.
        assert!((8..28).any(|seed| drawn(seed).drawn() != document.drawn()), "{name}");
        // Records that a seed chose are not released as private.
        let seeded = || K::example(&path, Randomness::Seed(3));
        assert!(matches!(seeded().publish(), Err(PublishError::SeededData)), "{name}");
        let mut ledger = scene.ledger::<K>("9");
        let charged = seeded().charge(Payer::new(&mut ledger, "office"));
        assert!(matches!(charged, Err(PublishError::SeededData)), "{name}");
        assert_eq!(ledger.account("office").expect("there").charges, 0);
    }
    of_each!(check);
}

/// Every path to a leaf of a document.
fn leaves(value: &Value, path: &str, found: &mut Vec<String>) {
    match value {
        Value::Object(object) => {
            for (key, value) in object {
                leaves(value, &format!("{path}/{}", key.replace('~', "~0").replace('/', "~1")), found);
            }
        }
        Value::Array(list) => {
            for (index, value) in list.iter().enumerate() {
                leaves(value, &format!("{path}/{index}"), found);
            }
        }
        _ => found.push(path.to_owned()),
    }
}

/// If this fails, a changed document verifies, or what was written cannot be read again.
#[test]
fn a_document_is_read_back_and_every_change_is_found() {
    fn check<K: Example>()
    where
        Publication: From<Document<K>>,
    {
        let (scene, name) = (Scene::new(), K::NAME);
        let mut ledger = scene.ledger::<K>("9");
        let (document, _) = scene.ask::<K>().charge(Payer::new(&mut ledger, "office")).expect("charged");
        let text = serde_json::to_string(&document).expect("JSON");
        // For whoever wants to see a document of each kind.
        if let Some(folder) = std::env::var_os("POSTERITY_KINDS") {
            std::fs::write(Path::new(&folder).join(format!("{name}.json")), &text).expect("written");
        }
        let read: Publication = serde_json::from_str(&text).expect("read");
        assert_eq!((read.kind(), &read), (name, &Publication::from(document.clone())));
        let verified = verify_document(&text).expect("unchanged");
        assert!(verified.not_checked().is_empty(), "{name}: {:?}", verified.not_checked());
        assert_eq!(verified.by_ledger(&ledger).expect("charged").answers, 1);
        let whole: Value = serde_json::from_str(&text).expect("JSON");
        let mut paths = Vec::new();
        leaves(&whole, "", &mut paths);
        assert!(paths.len() > 20, "{name}");
        for path in paths {
            let mut forged = whole.clone();
            let leaf = forged.pointer_mut(&path).expect("there");
            *leaf = match &*leaf {
                Value::Number(number) => (number.as_f64().expect("a number") * 1.5 + 1.0).into(),
                Value::Bool(truth) => (!truth).into(),
                Value::String(text) => format!("{text} ").into(),
                Value::Null | Value::Array(_) | Value::Object(_) => 1.into(),
            };
            assert!(verify_document(&forged.to_string()).is_err(), "{name}: {path}");
        }
        // Of another kind there is no such document.
        for other in Publication::KINDS.iter().filter(|other| **other != name) {
            let forged = text.replacen(&format!("\"kind\":\"{name}\""), &format!("\"kind\":\"{other}\""), 1);
            let refused = verify_document(&forged);
            assert!(matches!(refused, Err(VerificationError::Unreadable { .. })), "{name} as {other}");
        }
    }
    of_each!(check);
}

/// If this fails, an answer about other people is given back for these, or the size of private data is told.
#[test]
fn a_file_that_grew_is_another_question_where_n_is_public() {
    fn check<K: Example>() {
        let (scene, name) = (Scene::new(), K::NAME);
        let mut ledger = scene.ledger::<K>("9");
        let (first, _) = scene.ask::<K>().charge(Payer::new(&mut ledger, "office")).expect("charged");
        scene.write(250);
        let (second, payment) = scene.ask::<K>().charge(Payer::new(&mut ledger, "office")).expect("answered");
        assert_eq!(paid(&payment), first.n().is_some(), "{name}");
        assert_eq!(second.n(), first.n().map(|n| n + 10), "{name}");
    }
    of_each!(check);
}

/// If this fails, a reader is told nothing of a kind, or half a sentence.
#[test]
fn every_kind_has_its_words() {
    fn check<K: Example>() {
        let scene = Scene::new();
        let document = scene.ask::<K>().publish().expect("released");
        let is_sentence = |text: &str| text.ends_with('.') && text.starts_with(char::is_uppercase);
        assert!(is_sentence(&document.holds()), "{}", document.holds());
        assert!(is_sentence(K::FOLLOWS) && (K::INTERVALS.is_empty() || is_sentence(K::INTERVALS)));
        assert!(document.beside().is_none_or(|said| is_sentence(&said)));
        assert!(is_sentence(document.composition()));
        assert!(document.promise_in_short().starts_with(", "));
        assert!(!document.mechanism_in_words().is_empty() && !document.name_in_short().is_empty());
        assert!(!K::TITLE.is_empty() && !K::TITLE.starts_with(char::is_uppercase));
        assert!(document.guarantee().statement.contains("differential privacy per id"), "{}", K::NAME);
        assert_eq!(document.promised().as_ref(), Ok(document.promise()), "{}", K::NAME);
        assert!(!Kind::readings(document.answer()).is_empty() && !document.pictured().is_empty());
        for table in Kind::readings(document.answer()).iter() {
            let read = Kind::read(document.answer(), &table.reading).expect("what is shown can be read");
            assert_eq!(read.rows.len(), table.rows.len(), "{}", table.reading);
            assert_eq!(table.level, document.ways().level);
        }
        // The same bits give the same draw, whatever is read from it.
        let drawn = || {
            let mut ask = scene.ask::<K>();
            ask.seeded = false;
            ask.draw.take().expect("counted")(None, &mut SeededBits::new(5)).expect("drawn")
        };
        assert_eq!(drawn().promise(), document.promise());
    }
    of_each!(check);
}
