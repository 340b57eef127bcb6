//! A charge, a draw and a record in one transaction, and nothing of it on the disk before.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex};

use posterity_ledger::{Answered, DrawError, Ledger, LedgerError};

use crate::support::{Folder, amount, ask, at, charge};
use crate::worker::{self, DRAWN};

type Drawn = Result<String, &'static str>;

fn statuses(ledger: &Ledger) -> Vec<String> {
    ledger.history("survey").expect("there").iter().map(|line| line.status.to_string()).collect()
}

#[test]
fn it_is_charged_drawn_recorded_and_recalled() {
    let folder = Folder::new();
    let mut ledger = folder.ledger("1", "0");
    let asked = charge("q", "0.4");
    let log = Arc::new(Mutex::new(Vec::new()));
    let sink = Arc::clone(&log);
    ledger.observe(move |step| sink.lock().expect("one thread").push(format!("{step:?}")));
    let answered = ledger.answer(
        "survey",
        &asked,
        |_| true,
        &at(),
        |head| {
            log.lock().expect("one thread").push("draw".to_owned());
            Drawn::Ok(format!("answer at {head}"))
        },
    );
    let Ok(Answered::Recorded(release)) = answered else { unreachable!("{answered:?}") };
    assert_eq!((release.entry, &release.document), (2, &format!("answer at {}", release.head)));
    let steps = ["Locked", "Checked", "Appended", "draw", "Drawn", "Appended", "Committed"];
    assert_eq!(*log.lock().expect("one thread"), steps);

    let untouched = |_| -> Drawn { unreachable!("the answer is on file") };
    let recalled = ledger.answer("survey", &asked, |_| true, &at(), untouched);
    // What was given is what is on file.
    assert_eq!(ledger.release_at(2), Ok(Some(release.clone())));
    assert_eq!(recalled, Ok(Answered::Recalled(release)));
    let again = ledger.answer("survey", &asked, |_| false, &at(), |_| Drawn::Ok("new".into()));
    let Ok(Answered::Recorded(again)) = again else { unreachable!("{again:?}") };
    assert_eq!((again.entry, again.document.as_str()), (4, "new"));
    assert_eq!(ledger.account("survey").expect("there").spent_epsilon, amount("0.8"));
    assert_eq!(ledger.verify().expect("sound").releases, 2);
}

#[test]
fn what_does_not_fit_is_refused_before_the_draw() {
    let folder = Folder::new();
    let mut ledger = folder.ledger("1", "0");
    let undrawn = |_| -> Drawn { unreachable!("nothing is drawn") };
    let refused = ledger.answer("survey", &charge("q", "1.1"), |_| false, &at(), undrawn);
    assert!(matches!(refused, Err(DrawError::Ledger(LedgerError::Exceeded(_)))), "{refused:?}");
    assert_eq!(ledger.verify().expect("sound").charges, 0);
}

/// Whether a draw fails may depend on the data, so a failure is charged.
#[test]
fn a_draw_that_fails_or_panics_leaves_the_charge() {
    let folder = Folder::new();
    let mut ledger = folder.ledger("1", "0");
    let asked = charge("q", "0.1");
    let failed = ledger.answer("survey", &asked, |_| false, &at(), |_| Drawn::Err("no bits"));
    assert_eq!(failed, Err(DrawError::Draw { entry: 2, error: "no bits" }));
    let panicked = catch_unwind(AssertUnwindSafe(|| {
        let draw = |_| -> Drawn { std::panic::resume_unwind(Box::new("a bug")) };
        ledger.answer("survey", &asked, |_| false, &at(), draw)
    }));
    assert_eq!(panicked.expect_err("it goes on").downcast_ref(), Some(&"a bug"));
    assert_eq!(statuses(&ledger), ["not released"; 2]);
    // The ledger can be used afterwards.
    let last = ledger.answer("survey", &charge("q", "0.8"), |_| false, &at(), |_| Drawn::Ok("a".into()));
    assert_eq!(last.map(|answered| answered.release().document.clone()), Ok("a".to_owned()));
    assert_eq!(ledger.account("survey").expect("there").remaining_epsilon, amount("0"));
}

/// While it draws, others read the state before, and wait if they want to write.
#[test]
fn others_see_nothing_before_the_commit() {
    let folder = Folder::new();
    let mut ledger = folder.ledger("1", "0");
    let path = ledger.path().to_owned();
    let answered = ledger.answer(
        "survey",
        &charge("q", "0.1"),
        |_| false,
        &at(),
        |_| {
            let mut other = Ledger::open(&path).expect("reading is free");
            other.set_patience(std::time::Duration::from_millis(1)).expect("set");
            assert_eq!(other.account("survey").expect("reading is free").charges, 0);
            let refused = ask(&mut other, "survey", &charge("other", "0.1"), Some("{}"));
            assert!(matches!(refused, Err(LedgerError::Busy { .. })), "{refused:?}");
            Drawn::Ok("a".into())
        },
    );
    assert_eq!(answered.map(|answered| answered.release().entry), Ok(2));
}

/// A document of 50 MB, which is more than SQLite's cache holds. Until the commit the file stays as it was, and no file
/// beside it holds anything of the draw. Another process looks, as this one would lose its locks by closing the file.
#[test]
fn a_large_answer_is_not_on_the_disk_before_the_commit() {
    let (folder, elsewhere) = (Folder::new(), Folder::new());
    let mut ledger = folder.ledger("1", "0");
    let (path, copy) = (ledger.path().to_owned(), elsewhere.file("copy"));
    std::fs::copy(&path, &copy).expect("copied");
    let log = Arc::new(Mutex::new(Vec::new()));
    let sink = Arc::clone(&log);
    ledger.observe(move |step| {
        let mut worker = worker::start("look", &path, copy.to_str().expect("text"));
        let found = worker.hear().expect("an answer");
        worker.wait();
        sink.lock().expect("one thread").push(format!("{step:?}: {found}"));
    });
    let draw = |_| Drawn::Ok(DRAWN.repeat(50_000_000 / DRAWN.len()));
    let answered = ledger.answer("survey", &charge("q", "0.1"), |_| false, &at(), draw);
    assert_eq!(answered.map(|answered| answered.release().document.len()), Ok(50_000_000));
    let before = ["Locked", "Checked", "Appended", "Drawn", "Appended"]
        .map(|step| format!("{step}: unchanged, 0 files with the draw"));
    let log = log.lock().expect("one thread");
    let (last, others) = log.split_last().expect("six steps");
    assert_eq!(others, before);
    assert_eq!(last, "Committed: changed, 1 files with the draw");
}

/// How long a document is may depend on the data, so one that is too long is charged.
#[test]
#[ignore = "slow: takes 1 GB of memory"]
fn a_document_that_is_too_long_leaves_the_charge() {
    let folder = Folder::new();
    let mut ledger = folder.ledger("1", "0");
    let bytes = 900_000_001;
    let long =
        ledger.answer("survey", &charge("q", "0.1"), |_| false, &at(), |_| Drawn::Ok("x".repeat(bytes)));
    assert_eq!(long, Err(DrawError::TooLong { entry: 2, bytes }));
    assert_eq!(statuses(&ledger), ["not released"]);
}
