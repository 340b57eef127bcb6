//! Accounts and releases with public n (replace) and private n (add-remove).

use std::path::{Path, PathBuf};

use posterity_ledger::{
    Adjacency, Amount, Answered, Breach, Charge, DrawError, Exceeded, Ledger, LedgerError, NewAccount, Part,
    Price, Promise, Unit,
};
use rusqlite::types::Value;
use rusqlite::{Connection, params};
use sha2::{Digest, Sha256};

use crate::support::{Folder, amount, ask, at, charge};

/// A ledger with one account for each adjacency and way to add up.
fn accounts(folder: &Folder) -> Ledger {
    let mut ledger = Ledger::create(folder.file("ledger")).expect("new");
    for adjacency in Adjacency::ALL {
        for (kind, delta) in [("pure", "0"), ("filter", "1e-6"), ("sums", "1e-5")] {
            let name = format!("{adjacency} {kind}");
            let new = NewAccount::new(name, amount("5"), amount(delta)).adjacency(adjacency);
            let new = if kind == "sums" { new.adds_up() } else { new };
            assert_eq!(ledger.open_account(&new, &at()).expect("new").adjacency, adjacency);
        }
    }
    ledger
}

fn private(question: &str, epsilon: &str, delta: &str) -> Charge {
    Charge::new(question, amount(epsilon), amount(delta)).expect("valid").adjacency(Adjacency::AddRemove)
}

fn price(epsilon: &str, delta: &str) -> Price {
    Price::new(amount(epsilon), amount(delta))
}

/// What is charged, recorded, shown and summed is the converted price, and what the release promises stands beside it.
#[test]
fn a_release_with_private_n_costs_more_where_n_is_public() {
    let folder = Folder::new();
    let mut ledger = accounts(&folder);
    for (account, epsilon, delta, charged) in [
        ("add-remove pure", "0.1", "0", price("0.1", "0")),
        ("add-remove filter", "0.1", "0", price("0.1", "0")),
        ("add-remove sums", "1", "1e-6", price("1", "1e-6")),
        ("replace pure", "0.1", "0", price("0.2", "0")),
        ("replace filter", "0.1", "0", price("0.2", "0")),
        ("replace sums", "1", "1e-6", price("2", "0.00000371828182846")),
    ] {
        let asked = private("q", epsilon, delta);
        assert_eq!(ledger.account(account).and_then(|one| one.price_of(&asked)), Ok(charged.clone()));
        ask(&mut ledger, account, &asked, Some("{}")).expect("it fits");
        let own = Promise { adjacency: Adjacency::AddRemove, price: price(epsilon, delta) };
        let line = ledger.history(account).expect("there").remove(0);
        assert_eq!((&line.price, &line.release), (&charged, &own));
        let found = ledger.find(account, "q").expect("sound").expect("recorded");
        assert_eq!((found.price, found.release), (charged.clone(), own));
        let account = ledger.account(account).expect("there");
        assert_eq!(Price::new(account.sum_epsilon, account.spent_delta), charged);
    }
    assert_eq!(ledger.verify().expect("sound").charges, 6);
}

/// A filter prices a converted release, and each release of a batch, like a release with public n at twice its epsilon.
#[test]
fn a_filter_prices_a_converted_release_at_twice_its_epsilon() {
    let folder = Folder::new();
    let mut ledger = accounts(&folder);
    let other = NewAccount::new("other", amount("5"), amount("1e-6"));
    ledger.open_account(&other, &at()).expect("new");
    let batch =
        |size: &str| Charge::batch("b", vec![amount(size), amount(size), amount("0.3")]).expect("valid");
    let own = Charge::batch("b", ["0.05", "0.05", "0.15"].map(amount)).expect("valid");
    for (converted, plain) in
        [(private("q", "0.05", "0"), charge("q", "0.1")), (own.adjacency(Adjacency::AddRemove), batch("0.1"))]
    {
        ask(&mut ledger, "replace filter", &converted, Some("{}")).expect("it fits");
        ask(&mut ledger, "other", &plain, Some("{}")).expect("it fits");
        let line = ledger.history("replace filter").expect("there").pop().expect("a charge");
        assert_eq!(line.price.parts(), plain.parts());
        assert_eq!(&line.release, converted.promise());
    }
    let [a, b] = ["replace filter", "other"].map(|name| ledger.account(name).expect("there"));
    assert_eq!(a.spent_epsilon, b.spent_epsilon);
    assert_eq!(a.releases_of(&amount("0.1")), b.releases_of(&amount("0.1")));
    assert!(a.releases_of(&amount("0.1")) > 50, "it is the filter that counts");
    // The first charge may be priced by exact composition: 100 of 0.05 are 100 of 0.1, at 4.7746.
    let first = NewAccount::new("first", amount("4.78"), amount("1e-6"));
    ledger.open_account(&first, &at()).expect("new");
    let many =
        Charge::batch("many", vec![amount("0.05"); 100]).expect("valid").adjacency(Adjacency::AddRemove);
    ask(&mut ledger, "first", &many, Some("{}")).expect("it fits");
    let spent = ledger.account("first").expect("there").spent_epsilon;
    assert!(spent >= amount("4.7745") && spent <= amount("4.7747"), "{spent}");
    ledger.verify().expect("sound");
}

#[test]
fn a_release_that_publishes_n_is_refused_where_n_is_private() {
    let folder = Folder::new();
    let mut ledger = accounts(&folder);
    for kind in ["pure", "filter", "sums"] {
        let account = format!("add-remove {kind}");
        let refused = LedgerError::PublishesN { account: account.clone() };
        let mut drawn = false;
        let answered = ledger.answer(
            &account,
            &charge("q", "0.1"),
            |_| true,
            &at(),
            |_| {
                drawn = true;
                Ok::<_, String>("{}".into())
            },
        );
        assert_eq!(answered, Err(DrawError::Ledger(refused.clone())));
        assert!(!drawn, "nothing may be drawn for a refused charge");
        let account = ledger.account(&account).expect("there");
        assert_eq!((account.price_of(&charge("q", "0.1")), account.charges), (Err(refused), 0));
    }
    let told = LedgerError::PublishesN { account: "a".into() }.to_string();
    assert!(told.contains("release with add-remove") && told.contains("adjacency replace"), "{told}");
}

/// The budget is compared with the converted price, and the message says both numbers.
#[test]
fn a_converted_price_may_exceed_the_budget() {
    let folder = Folder::new();
    let mut ledger = accounts(&folder);
    ask(&mut ledger, "replace pure", &private("q", "2.5", "0"), Some("{}")).expect("just all of it");
    let exceeded = |account: &str, part, asked: &str, release: &str, remaining: &str, budget: &str| {
        let account = account.to_owned();
        let (asked, release) = (amount(asked), Some(amount(release)));
        let (remaining, budget) = (amount(remaining), amount(budget));
        LedgerError::from(Box::new(Exceeded {
            account,
            part,
            asked,
            beside: None,
            stated: None,
            release,
            remaining,
            budget,
        }))
    };
    assert_eq!(
        ask(&mut ledger, "replace pure", &private("q2", "1e-9", "0"), Some("{}")),
        Err(exceeded("replace pure", Part::Epsilon, "2e-9", "1e-9", "0", "5"))
    );
    // (1 + e) 3e-6 is more than 1e-5, and 3e-6 is not.
    assert_eq!(
        ask(&mut ledger, "replace sums", &private("q", "1", "3e-6"), Some("{}")),
        Err(exceeded("replace sums", Part::Delta, "0.0000111548454854", "3e-6", "1e-5", "1e-5"))
    );
    let refused = private("q", "2", "0.2");
    let nothing = LedgerError::NothingUnderReplace {
        account: "replace sums".into(),
        release: Box::new(refused.promise().clone()),
    };
    let told = nothing.to_string();
    assert!(told.contains("at epsilon 2 and delta 0.2 promises nothing"), "{told}");
    assert_eq!(ask(&mut ledger, "replace sums", &refused, Some("{}")), Err(nothing));
    // A filter takes no delta, converted or not.
    for account in ["replace filter", "add-remove filter"] {
        let refused = ask(&mut ledger, account, &private("q", "0.1", "1e-9"), Some("{}"));
        assert_eq!(refused, Err(LedgerError::NotPure { account: account.into() }));
    }
}

/// The same text at the same price is another question if its release promises something else.
#[test]
fn an_answer_is_recalled_by_what_its_release_promises() {
    let folder = Folder::new();
    let mut ledger = accounts(&folder);
    let mut asked = |account: &str, charge: &Charge| {
        let answered = ledger.answer(account, charge, |_| true, &at(), |_| Ok::<_, String>("{}".into()));
        matches!(answered.expect("it fits"), Answered::Recalled(_))
    };
    let batch = |parts: [&str; 2]| {
        Charge::batch("q", parts.map(amount)).expect("valid").adjacency(Adjacency::AddRemove)
    };
    for (charge, account) in [
        (private("q", "0.1", "0"), "replace pure"),
        (charge("q", "0.1"), "replace pure"),
        (charge("q", "0.2"), "replace pure"),
        (private("q", "0.2", "0"), "replace pure"),
        (private("q", "0.1", "1e-9"), "replace sums"),
        (private("q", "0.1", "2e-9"), "replace sums"),
        (private("q", "0.1", "0"), "add-remove pure"),
        (batch(["0.1", "0.3"]), "replace pure"),
        (batch(["0.2", "0.2"]), "replace pure"),
    ] {
        assert!(!asked(account, &charge), "{charge:?} is on file");
        assert!(asked(account, &charge), "{charge:?} is not on file");
    }
}

#[test]
fn the_export_says_both() {
    let folder = Folder::new();
    let mut ledger = accounts(&folder);
    ask(&mut ledger, "replace pure", &private("q", "0.1", "0"), Some("{}")).expect("it fits");
    ask(&mut ledger, "replace pure", &charge("q", "0.1"), Some("{}")).expect("it fits");
    let json = serde_json::to_value(ledger.export().expect("sound")).expect("JSON");
    let adjacencies: Vec<&str> = json["accounts"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|one| one["adjacency"].as_str().expect("a word"))
        .collect();
    assert_eq!(adjacencies, [["replace"; 3], ["add-remove"; 3]].concat());
    assert_eq!(
        (&json["entries"][0]["adjacency"], &json["entries"][3]["adjacency"]),
        (&"replace".into(), &"add-remove".into())
    );
    let charged = &json["entries"][6];
    assert_eq!((&charged["kind"], &charged["epsilon"]), (&"charge".into(), &"0.2".into()));
    let own = serde_json::json!({ "adjacency": "add-remove", "epsilon": "0.1", "delta": "0" });
    assert_eq!(charged["release"], own);
    let own = serde_json::json!({ "adjacency": "replace", "epsilon": "0.1", "delta": "0" });
    assert_eq!(json["entries"][8]["release"], own);
}

/// The columns in the order in which an entry is hashed, as `docs/ledger.md` says.
const HASHED: &str = "sequence, kind, at, account, epsilon, delta, question, key, charge, document, unit, population, rule, \
                      parts, before, tally";

/// Runs SQL as somebody with the file would who also knows how entries are hashed: every hash, the head and the last
/// entries of the accounts are made to fit again.
fn forge(path: &Path, sql: &str) {
    let connection = Connection::open(path).expect("a database");
    let triggers: Vec<String> = ["no_update", "no_delete"]
        .map(|name| {
            let query = "SELECT sql FROM sqlite_schema WHERE name = ?1";
            let statement = connection.query_row(query, [name], |row| row.get(0)).expect("a trigger");
            connection.execute_batch(&format!("DROP TRIGGER {name}")).expect("dropped");
            statement
        })
        .into();
    connection.execute_batch(sql).expect(sql);
    let mut previous = "0".repeat(64);
    let entries: u32 =
        connection.query_row("SELECT count(*) FROM entry", [], |row| row.get(0)).expect("a number");
    for sequence in 1..=entries {
        let query = format!("SELECT {HASHED} FROM entry WHERE sequence = ?1");
        let hash = connection.query_row(&query, [sequence], |row| {
            let mut hashed = Vec::new();
            let mut field = |bytes: Option<&[u8]>| match bytes {
                None => hashed.push(0),
                Some(bytes) => {
                    hashed.push(1);
                    hashed.extend((bytes.len() as u64).to_be_bytes());
                    hashed.extend(bytes);
                }
            };
            field(Some(b"posterity ledger entry, format 1"));
            field(Some(previous.as_bytes()));
            for column in 0..16 {
                match row.get::<_, Value>(column)? {
                    Value::Integer(number) => field(Some(&number.to_be_bytes())),
                    Value::Text(text) => field(Some(text.as_bytes())),
                    _ => field(None),
                }
            }
            Ok(Sha256::digest(hashed).iter().map(|byte| format!("{byte:02x}")).collect::<String>())
        });
        let hash = hash.expect("an entry");
        let update = "UPDATE entry SET previous = ?2, hash = ?3 WHERE sequence = ?1";
        connection.execute(update, params![sequence, previous, hash]).expect("updated");
        previous = hash;
    }
    connection.execute("UPDATE head SET hash = ?1", [previous]).expect("updated");
    let update = "UPDATE standing SET hash = (SELECT hash FROM entry WHERE sequence = standing.entry)";
    connection.execute(update, []).expect("updated");
    connection.execute_batch(&triggers.join(";")).expect("put back");
}

/// Checks that each forgery of a ledger of three charges is found, at its entry.
pub(crate) fn forgeries_are_found(sample: impl Fn(&Folder) -> PathBuf, forgeries: &[(&str, u64)]) {
    let folder = Folder::new();
    let path = sample(&folder);
    forge(&path, "SELECT 1");
    let sound = Ledger::open(&path).and_then(|ledger| ledger.verify());
    assert_eq!(sound.map(|verified| verified.charges), Ok(3), "the forger must know how entries are hashed");
    for &(sql, entry) in forgeries {
        let folder = Folder::new();
        let path = sample(&folder);
        forge(&path, sql);
        let found = Ledger::open(&path).and_then(|ledger| ledger.verify()).expect_err(sql);
        assert_eq!(found, LedgerError::Broken { path, entry, breach: Breach::Impossible }, "{sql}");
    }
}

/// Entries: 1 account replace, 2 account add-remove, 3 and 5 charges to the first, 7 to the second, each with a record.
fn sample(folder: &Folder) -> PathBuf {
    let mut ledger = folder.ledger("1", "0");
    let private_n = NewAccount::new("private", amount("1"), Amount::ZERO).adjacency(Adjacency::AddRemove);
    ledger.open_account(&private_n, &at()).expect("new");
    for (account, charge) in [
        ("survey", private("a", "0.1", "0")),
        ("survey", charge("b", "0.2")),
        ("private", private("c", "0.1", "0")),
    ] {
        ask(&mut ledger, account, &charge, Some("{}")).expect("it fits");
    }
    ledger.path().to_owned()
}

/// If this fails, somebody can make a release cheaper afterwards, or count a release where it promises nothing.
#[test]
fn a_forged_adjacency_is_found_although_all_hashes_fit() {
    forgeries_are_found(
        sample,
        &[
            // The account counts otherwise than its charges were priced.
            ("UPDATE entry SET rule = 'add-remove sum' WHERE sequence = 1", 3),
            ("UPDATE entry SET rule = 'sum' WHERE sequence = 2", 7),
            ("UPDATE entry SET rule = 'replace sum' WHERE sequence = 2", 2),
            ("UPDATE entry SET rule = 'add-remove add-remove sum' WHERE sequence = 2", 2),
            // The release is charged at its own price.
            (
                "UPDATE entry SET epsilon = '1/10', tally = '1 1/10 0/1  -' WHERE sequence = 3; \
             UPDATE entry SET tally = '2 3/10 0/1  -' WHERE sequence = 5",
                3,
            ),
            // It promised something else.
            ("UPDATE entry SET rule = 'add-remove 1/20 0/1 -' WHERE sequence = 3", 3),
            ("UPDATE entry SET rule = 'add-remove 1/10 1/1000000 -' WHERE sequence = 3", 3),
            ("UPDATE entry SET rule = 'add-remove 1/10 0/1 1/20*2' WHERE sequence = 3", 3),
            ("UPDATE entry SET rule = 'add-remove 1/10 0/1 1/20*1' WHERE sequence = 3", 3),
            ("UPDATE entry SET rule = 'replace 1/5 0/1 -' WHERE sequence = 3", 3),
            ("UPDATE entry SET rule = 'add-remove 1/5 0/1 -' WHERE sequence = 5", 5),
            // It published n.
            ("UPDATE entry SET rule = NULL WHERE sequence = 7", 7),
        ],
    );
}

/// An edit without new hashes, and one that a charge meets.
#[test]
fn an_edited_adjacency_is_found() {
    for (sql, entry) in [
        ("UPDATE entry SET rule = 'add-remove sum' WHERE sequence = 1", 1),
        ("UPDATE entry SET rule = NULL WHERE sequence = 3", 3),
    ] {
        let folder = Folder::new();
        let path = sample(&folder);
        let connection = Connection::open(&path).expect("a database");
        let query = "SELECT sql FROM sqlite_schema WHERE name = 'no_update'";
        let trigger: String = connection.query_row(query, [], |row| row.get(0)).expect("a trigger");
        connection.execute_batch(&format!("DROP TRIGGER no_update; {sql}; {trigger}")).expect(sql);
        let mut ledger = Ledger::open(&path).expect("a ledger");
        let broken = LedgerError::Broken { path, entry, breach: Breach::Changed };
        assert_eq!(ledger.verify().map(|_| ()), Err(broken.clone()));
        if entry == 1 {
            assert_eq!(ask(&mut ledger, "survey", &charge("q", "0.1"), Some("{}")), Err(broken));
        }
    }
}

/// A file that was written before accounts had an adjacency. It is opened, verified and charged, and the same history
/// has the same head today.
#[test]
fn an_older_file_is_a_ledger_with_public_n() {
    const HEAD: &str = "11:c9c09d969864f897783b5965c9bbffc625500c0b21fbd0159c13fd89bf1bfe1a";
    let folder = Folder::new();
    let path = folder.file("old");
    std::fs::write(&path, include_bytes!("before-adjacency.ledger")).expect("written");
    let mut old = Ledger::open(&path).expect("a ledger");
    assert_eq!(old.verify().expect("sound").head.to_string(), HEAD);
    let accounts = old.accounts().expect("readable");
    assert!(accounts.len() == 3 && accounts.iter().all(|one| one.adjacency == Adjacency::Replace));
    let line = old.history("sums").expect("there").remove(0);
    assert_eq!(line.release, Promise { adjacency: Adjacency::Replace, price: price("0.5", "1e-7") });
    assert!(old.find("survey", "pure").expect("sound").is_some());
    ask(&mut old, "survey", &private("q", "0.1", "0"), Some("{}")).expect("it fits");
    let private_n = NewAccount::new("private", amount("1"), Amount::ZERO).adjacency(Adjacency::AddRemove);
    old.open_account(&private_n, &at()).expect("new");
    assert_eq!(old.account("survey").expect("there").sum_epsilon, amount("47/60"));
    old.verify().expect("sound");

    let mut new = folder.ledger("1", "0");
    let patient = Unit::column("patient").expect("a name");
    let ward = NewAccount::new("ward", amount("4.8"), amount("1e-6")).population("all of 2026");
    new.open_account(&ward, &at()).expect("new");
    new.decide_unit("ward", &patient, None, &at()).expect("no charges");
    let sums = NewAccount::new("sums", amount("2"), amount("1e-6")).adds_up();
    new.open_account(&sums, &at()).expect("new");
    let batch = Charge::batch("batch", vec![amount("0.1"); 100]).expect("valid").unit(patient);
    let delta = Charge::new("with delta", amount("0.5"), amount("1e-7")).expect("valid");
    for (account, charge) in [("survey", charge("pure", "1/3")), ("ward", batch), ("sums", delta)] {
        ask(&mut new, account, &charge, Some(&format!("an answer for {account}"))).expect("it fits");
    }
    ask(&mut new, "survey", &charge("lost", "0.25"), None).expect("it fits");
    assert_eq!(new.verify().expect("sound").head.to_string(), HEAD);
}
