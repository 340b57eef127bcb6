//! What every kind of release must do. A kind of the list is checked as soon as it has an [`Example`].

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use arrow_array::{ArrayRef, RecordBatch, StringArray};
use parquet::arrow::ArrowWriter;
use posterity_core::model::Adjacency;
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

    /// Whether the values are not declared, but found in the data.
    const FINDS_VALUES: bool = false;

    /// Such a question where it is protected, too, whether anyone is in the data at all.
    fn example_of_private_n(path: &Path, randomness: Randomness) -> Ask<'static, Self>;
}

/// The id, the ward and the outcome of each record of this many people.
fn rows(people: usize) -> Vec<[String; 3]> {
    let row = |row: usize| {
        let (id, ward) = (row % people, ["A", "B", "C"][row * 7 % 11 % 3]);
        [id.to_string(), ward.to_owned(), ["yes", "no"][row % 7 / 4].to_owned()]
    };
    (0..people + 20).map(row).collect()
}

/// The document that these bits draw, as a release that promises something.
fn drawn<K: Example>(mut ask: Ask<'static, K>, seed: u64) -> Document<K> {
    // Units are sampled by a seed, so that two documents can be compared. It is the noise that is looked at here.
    ask.seeded = false;
    Document::new(ask.draw.take().expect("counted")(None, &mut SeededBits::new(seed)).expect("drawn"), None)
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
        self.write_rows(&rows(people));
    }

    fn write_rows(&self, rows: &[[String; 3]]) {
        let lines: String = rows.iter().map(|row| row.join(",") + "\n").collect();
        std::fs::write(self.path(), format!("id,ward,cured\n{lines}")).expect("written");
    }

    fn path(&self) -> PathBuf {
        self.folder.path().join("people.csv")
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
            Price::Rho(..) => NewAccount::new("office", amount(epsilon), amount("1e-6")),
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
                // The absolute value has no number that stays: -2 times 1.5 plus 1 is -2.
                Value::Number(number) => (number.as_f64().expect("a number").abs() * 1.5 + 1.0).into(),
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

/// Copies the ledger as it stands on disk, with the journal of its transaction: what a process leaves that is killed now.
struct Killer {
    folder: PathBuf,
    copies: Vec<PathBuf>,
}

impl Killer {
    fn kill(&mut self) {
        let copy = self.folder.join(format!("killed-{}", self.copies.len()));
        std::fs::create_dir(&copy).expect("a folder");
        for entry in std::fs::read_dir(&self.folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            let name = path.file_name().expect("a name").to_string_lossy().into_owned();
            if name.starts_with("9.ledger") {
                std::fs::copy(&path, copy.join(name)).expect("copied");
            }
        }
        self.copies.push(copy.join("9.ledger"));
    }
}

/// Bits during whose draw the process is killed, at first and later.
struct Killed {
    bits: SeededBits,
    taken: u32,
    killer: Arc<Mutex<Killer>>,
}

impl BitSource for Killed {
    fn next_u64(&mut self) -> Result<u64, SourceError> {
        if self.taken < 2 {
            self.killer.lock().expect("one thread").kill();
        }
        self.taken += 1;
        self.bits.next_u64()
    }
}

/// If this fails, whoever dies has paid for nothing, or has seen what is not paid for.
#[test]
fn killed_at_any_moment_there_is_nothing_or_the_whole_answer() {
    fn check<K: Example>() {
        let (scene, name) = (Scene::new(), K::NAME);
        let mut ledger = scene.ledger::<K>("9");
        let folder = scene.folder.path().to_owned();
        let killer = Arc::new(Mutex::new(Killer { folder, copies: Vec::new() }));
        let observer = Arc::clone(&killer);
        ledger.observe(move |_| observer.lock().expect("one thread").kill());
        // The same records of each person each time, so that the same noise gives the same answer.
        let asked = || Ask { seeded: false, ..K::example(&scene.path(), Randomness::Seed(3)) };
        let mut bits = Killed { bits: SeededBits::new(5), taken: 0, killer: Arc::clone(&killer) };
        let whole = charge_one(asked(), Payer::new(&mut ledger, "office"), &mut bits);
        let (whole, _) = whole.expect("charged");
        let copies = std::mem::take(&mut killer.lock().expect("one thread").copies);
        assert!(copies.len() >= 7, "{name}: {copies:?}");
        let mut answered = 0;
        for (moment, path) in copies.iter().enumerate() {
            let mut left = Ledger::open(path).expect("a killed process leaves a ledger");
            left.verify().expect("sound");
            let history = left.history("office").expect("there");
            let released = |status: &Status| matches!(status, Status::Released { .. });
            assert!(history.iter().all(|line| released(&line.status)), "{name}, {moment}: {history:?}");
            answered += history.len();
            // Asked again, it is paid for once in all, and an answer that was paid for is the same.
            let mut bits = SeededBits::new(5);
            let again = charge_one(asked(), Payer::new(&mut left, "office"), &mut bits);
            let (again, payment) = again.expect("answered");
            assert_eq!(paid(&payment), history.is_empty(), "{name}, {moment}");
            assert!(again.drawn() == whole.drawn(), "{name}, {moment}");
            assert_eq!(left.account("office").expect("there").charges, 1, "{name}, {moment}");
        }
        assert_eq!(answered, 1, "{name}: it is there after the commit, and not before");
    }
    of_each!(check);
}

/// Where the parts of a document are, without what they hold.
fn shape(value: &Value) -> BTreeSet<String> {
    let mut paths = Vec::new();
    leaves(value, "", &mut paths);
    paths.into_iter().collect()
}

/// If this fails, a document tells by its form what one person says, or who is there.
#[test]
fn adjacent_data_has_documents_of_one_form() {
    fn check<K: Example>() {
        let name = K::NAME;
        let (scene, other) = (Scene::new(), Scene::new());
        let mut changed = rows(240);
        let replaced = scene.ask::<K>().adjacency == Adjacency::Replace;
        if replaced {
            // All records of one person become others.
            for row in changed.iter_mut().filter(|row| row[0] == "7") {
                *row = ["7".to_owned(), "C".to_owned(), "no".to_owned()];
            }
        } else {
            changed.retain(|row| row[0] != "7");
        }
        assert_ne!(changed, rows(240));
        other.write_rows(&changed);
        for seed in 0..3 {
            let [one, two] = [&scene, &other].map(|scene| {
                let ask = K::example(&scene.path(), Randomness::Seed(3));
                let document = serde_json::to_value(drawn(ask, seed)).expect("JSON");
                let text = document.to_string().replace(&*scene.folder.path().to_string_lossy(), "FOLDER");
                serde_json::from_str::<Value>(&text).expect("JSON")
            });
            for part in ["kind", "version", "request", "promise"] {
                assert_eq!(one.get(part), two.get(part), "{name}: {part}");
            }
            // Which values are named depends on the noise.
            if replaced {
                assert_eq!(shape(&one["drawn"]), shape(&two["drawn"]), "{name}");
            }
        }
    }
    of_each!(check);
}

/// If this fails, one person's missing or undeclared value stops a release, or is told by it, although it is protected
/// that they are there.
#[test]
fn where_n_is_private_a_record_without_a_declared_value_is_silent() {
    fn check<K: Example>() {
        let name = K::NAME;
        let (scene, other) = (Scene::new(), Scene::new());
        let mut more = rows(240);
        for [id, ward, cured] in [["new", "", "yes"], ["other", "X", "perhaps"], ["", "A", ""], ["7", "", ""]]
        {
            more.push([id, ward, cured].map(ToOwned::to_owned));
        }
        other.write_rows(&more);
        let [one, two] = [&scene, &other].map(|scene| {
            let document = drawn(K::example_of_private_n(&scene.path(), Randomness::Seed(3)), 5);
            assert_eq!(document.promise().adjacency(), Adjacency::AddRemove, "{name}");
            let notes = document.notes();
            let text = serde_json::to_string(&document).expect("JSON");
            let text = text.replace(&*scene.folder.path().to_string_lossy(), "FOLDER");
            (serde_json::from_str::<Value>(&text).expect("JSON"), notes)
        });
        for part in ["kind", "version", "request", "promise"] {
            assert_eq!(one.0.get(part), two.0.get(part), "{name}: {part}");
        }
        assert_eq!(one.1, two.1, "{name}");
        // Where values are declared, such records are no input of the noise at all.
        if !K::FINDS_VALUES {
            assert_eq!(one.0["drawn"], two.0["drawn"], "{name}");
        }
    }
    of_each!(check);
}

/// If this fails, an answer depends on the format in which somebody happened to store the data.
#[test]
fn the_same_data_gives_the_same_document_in_every_format() {
    fn check<K: Example>() {
        let (scene, name) = (Scene::new(), K::NAME);
        let folder = scene.folder.path();
        let json: String = rows(240)
            .iter()
            .map(|[id, ward, cured]| {
                serde_json::json!({ "id": id, "ward": ward, "cured": cured }).to_string() + "\n"
            })
            .collect();
        std::fs::write(folder.join("people.jsonl"), json).expect("written");
        write_parquet(&folder.join("people.parquet"), &rows(240));
        let document = |file: &str| {
            let ask = K::example(&folder.join(file), Randomness::Seed(3));
            let text = serde_json::to_string(&drawn(ask, 5)).expect("JSON");
            text.replace(file, "people.csv")
        };
        let csv = document("people.csv");
        for file in ["people.jsonl", "people.parquet"] {
            assert_eq!(document(file), csv, "{name}: {file}");
        }
    }
    of_each!(check);
}

/// Writes the records as texts.
fn write_parquet(path: &Path, rows: &[[String; 3]]) {
    let column = |index: usize| {
        let texts = rows.iter().map(|row| row[index].as_str());
        Arc::new(StringArray::from_iter_values(texts)) as ArrayRef
    };
    let columns = ["id", "ward", "cured"].into_iter().enumerate().map(|(index, name)| (name, column(index)));
    let batch = RecordBatch::try_from_iter(columns).expect("columns of one length");
    let file = std::fs::File::create(path).expect("a file");
    let mut writer = ArrowWriter::try_new(file, batch.schema(), None).expect("a schema");
    writer.write(&batch).expect("written");
    writer.close().expect("written");
}
