//! Every single edit of the results of a study is found: of each file, of each leaf of its JSON, and of the list of files.

use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};

use posterity::ledger::{Ledger, NewAccount, now_utc};
use posterity::signing::{PublicKey, SecretKey};
use posterity::verification::verify_document;
use posterity_study::{Folder, PlanFile, Study, verify_folder};
use serde_json::Value;

const PLAN: &str = r#"
title = "Who was cured"
description = "A test of what can be changed."
source = "people.csv"
epsilon = 2
delta = 1e-6
[columns]
ward = ["A", "B"]
cured = ["yes", "no"]
[[question]]
columns = ["ward", "cured"]
title = "The wards"
description = "By ward."
read = ["cured=yes | ward"]
compare = ["cured=yes | ward: A - B"]
[[margins]]
name = "pairs"
sets = 1
read = ["cured"]
[[require]]
read = "cured=yes | ward"
points = 40
"#;

/// A folder with the signed results of a study, and its ledger.
struct Scene {
    _folder: tempfile::TempDir,
    results: PathBuf,
    ledger: PathBuf,
    key: SecretKey,
}

/// The results of a scene in a folder of its own, in which they are edited.
struct Copied {
    _folder: tempfile::TempDir,
    results: PathBuf,
    ledger: Ledger,
    key: PublicKey,
}

impl Scene {
    fn new() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let row = |row: usize| format!("{},{}\n", ["A", "B"][row % 2], ["yes", "no"][row % 7 / 4]);
        let rows: String = (0..400).map(row).collect();
        std::fs::write(folder.path().join("people.csv"), format!("ward,cured\n{rows}")).expect("written");
        let key = SecretKey::generate().expect("random bits");
        let study = Study::new(PlanFile::parse(PLAN, folder.path()).expect("valid")).expect("valid");
        let study = study.sign(key.clone());
        let path = folder.path().join("budget.ledger");
        let mut ledger = Ledger::create(&path).expect("created");
        let amount = |text: &str| text.parse().expect("an amount");
        ledger
            .open_account(&NewAccount::new("survey", amount("9"), amount("1e-5")), &now_utc())
            .expect("new");
        let answers = study.charge(&mut ledger, "survey", false, &()).expect("released");
        let out = Folder::take(&folder.path().join("results")).expect("a folder");
        let results = out.write(study.plan(), &answers, Some(&key), &()).expect("written");
        Self { _folder: folder, results, ledger: path, key }
    }

    /// The results in a folder of their own.
    fn copied(&self) -> Copied {
        let folder = tempfile::tempdir().expect("a folder");
        for file in self.files() {
            let name = file.file_name().expect("a name");
            std::fs::copy(&file, folder.path().join(name)).expect("copied");
        }
        let (results, key) = (folder.path().to_owned(), self.key.public_key());
        Copied { _folder: folder, results, ledger: Ledger::open(&self.ledger).expect("there"), key }
    }

    fn files(&self) -> Vec<PathBuf> {
        let entries = std::fs::read_dir(&self.results).expect("a folder");
        let mut files: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
        files.sort();
        files
    }
}

impl Copied {
    /// What is wrong with the folder, by itself, by the key or by the ledger; nothing if nothing is found.
    fn wrong(&self) -> Option<String> {
        let found = || -> Result<bool, posterity_study::StudyVerificationError> {
            let verified = verify_folder(&self.results, &())?;
            verified.by_key(&self.key)?;
            let (_, same_plan) = verified.by_ledger(&self.ledger)?;
            Ok(same_plan && verified.not_checked().is_empty())
        };
        match found() {
            Ok(true) => None,
            Ok(false) => Some("the plan is another one, or not all was checked".to_owned()),
            Err(error) => Some(error.to_string()),
        }
    }

    /// Whether an edit of a file is found. The file is put back.
    fn finds(&self, name: &str, edit: Edit<'_>) -> bool {
        let path = &self.results.join(name);
        let genuine = std::fs::read(path).ok();
        match edit {
            Edit::Write(text) => std::fs::write(path, text).expect("written"),
            Edit::Remove => std::fs::remove_file(path).expect("removed"),
        }
        let found = self.wrong().is_some();
        match genuine {
            Some(genuine) => std::fs::write(path, genuine).expect("written"),
            None => std::fs::remove_file(path).expect("removed"),
        }
        found
    }
}

#[derive(Clone, Copy)]
enum Edit<'a> {
    Write(&'a str),
    Remove,
}

/// The paths to all leaves, and those to all objects and lists.
fn paths(value: &Value, path: &str, leaves: &mut Vec<String>, nodes: &mut Vec<String>) {
    let escaped = |key: &str| key.replace('~', "~0").replace('/', "~1");
    match value {
        Value::Object(object) => {
            nodes.push(path.to_owned());
            object
                .iter()
                .for_each(|(key, one)| paths(one, &format!("{path}/{}", escaped(key)), leaves, nodes));
        }
        Value::Array(list) => {
            nodes.push(path.to_owned());
            list.iter().enumerate().for_each(|(at, one)| paths(one, &format!("{path}/{at}"), leaves, nodes));
        }
        _ => leaves.push(path.to_owned()),
    }
}

/// What a leaf may be changed to.
fn forgeries(leaf: &Value) -> Vec<Value> {
    match leaf {
        Value::Number(number) if number.is_f64() => {
            let number = number.as_f64().expect("a number");
            vec![(number * 1.01 + 1e-3).into(), 0.0.into(), (-number).into()]
        }
        Value::Number(number) => {
            let number = number.as_i64().expect("a whole number");
            vec![(number + 1).into(), 0.into(), (-number).into()]
        }
        Value::Bool(truth) => vec![(!truth).into()],
        Value::String(text) => vec![format!("{text}x").into(), "".into()],
        Value::Null | Value::Array(_) | Value::Object(_) => vec![1.into()],
    }
}

/// All single edits of a JSON file: each leaf changed, zeroed and of the other sign, each word changed and empty, each key
/// and element removed, one added to each object and list.
fn edits(text: &str) -> Vec<(String, String)> {
    let whole: Value = serde_json::from_str(text).expect("JSON");
    let (mut leaves, mut nodes) = (Vec::new(), Vec::new());
    paths(&whole, "", &mut leaves, &mut nodes);
    let mut all = Vec::new();
    let mut add = |what: String, forged: &Value| {
        // An edit that changes nothing is none: zero has no other sign.
        if *forged != whole {
            all.push((what, serde_json::to_string_pretty(forged).expect("JSON")));
        }
    };
    for path in &leaves {
        for forgery in forgeries(whole.pointer(path).expect("there")) {
            let mut forged = whole.clone();
            *forged.pointer_mut(path).expect("there") = forgery.clone();
            add(format!("{path} = {forgery}"), &forged);
        }
    }
    for path in &nodes {
        let size = match whole.pointer(path).expect("there") {
            Value::Object(object) => object.len(),
            Value::Array(list) => list.len(),
            _ => 0,
        };
        for index in 0..=size {
            let mut forged = whole.clone();
            match forged.pointer_mut(path).expect("there") {
                Value::Object(object) => match object.keys().nth(index).cloned() {
                    Some(key) => drop(object.remove(&key)),
                    None => drop(object.insert("added".to_owned(), 1.into())),
                },
                Value::Array(list) if index < size => drop(list.remove(index)),
                Value::Array(list) => list.push(list.last().cloned().unwrap_or(Value::from(1))),
                _ => {}
            }
            add(format!("{path}: part {index} of {size} removed or added"), &forged);
        }
    }
    all
}

/// If this fails, somebody can change what a signed study says, and `verify` with the key and the ledger does not see it.
/// This looks at one edit in 97, each by a whole verification.
#[test]
fn single_edits_of_a_study_are_found() {
    walk(97, false);
}

/// If this fails, somebody can change what a signed study says, and `verify` with the key and the ledger does not see it.
#[test]
#[ignore = "slow: every single edit takes minutes"]
fn every_single_edit_of_a_study_is_found() {
    walk(1, true);
}

/// An edit of a file, which writes this text, or removes the file.
struct Forgery {
    file: String,
    what: String,
    text: Option<String>,
}

/// Removes, empties and lengthens each file, and makes one in `one_in` of the edits of its JSON. Each must be found. The
/// verification of a folder ends where one of its documents is wrong by itself, so a walk may look at that document first,
/// and at the folder only if nothing is found in it.
fn walk(one_in: usize, documents_first: bool) {
    let scene = Scene::new();
    assert_eq!(scene.copied().wrong(), None);
    let mut all =
        vec![Forgery { file: "more.txt".into(), what: "a file more".into(), text: Some("genuine".into()) }];
    for path in scene.files() {
        let file = path.file_name().expect("a name").to_string_lossy().into_owned();
        let text = std::fs::read_to_string(&path).expect("text");
        let mut add =
            |what: &str, text| all.push(Forgery { file: file.clone(), what: what.to_owned(), text });
        add("removed", None);
        add("emptied", Some(String::new()));
        // White space behind the list of all files says nothing.
        if file != "study.json" {
            add("a byte more", Some(format!("{text}\n")));
        }
        if file.ends_with(".json") {
            let edits = edits(&text);
            assert!(edits.len() > 50, "{file}: {}", edits.len());
            edits.into_iter().step_by(one_in).for_each(|(what, text)| add(&what, Some(text)));
        }
    }
    let by_itself = |forgery: &Forgery| {
        let is_document = forgery.file.ends_with(".json") && forgery.file != "study.json";
        let text = forgery.text.as_deref().filter(|_| documents_first && is_document);
        text.is_some_and(|text| verify_document(text).is_err())
    };
    let next = AtomicUsize::new(0);
    let work = || {
        let copied = scene.copied();
        let mut missed = Vec::new();
        while let Some(forgery) = all.get(next.fetch_add(1, Ordering::Relaxed)) {
            let edit = forgery.text.as_deref().map_or(Edit::Remove, Edit::Write);
            if !by_itself(forgery) && !copied.finds(&forgery.file, edit) {
                missed.push(format!("{}: {}", forgery.file, forgery.what));
            }
        }
        missed
    };
    let threads = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let missed: Vec<String> = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        workers.into_iter().flat_map(|worker| worker.join().expect("no panic")).collect()
    });
    println!("{} edits", all.len());
    assert!(missed.is_empty(), "{} edits are not found:\n{}", missed.len(), missed.join("\n"));
}
