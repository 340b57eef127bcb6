//! Files that are no ledgers, or that may not be read or written.

use std::fs;
use std::path::{Path, PathBuf};

use posterity_ledger::{Ledger, LedgerError};
use rusqlite::Connection;

use crate::support::{Folder, ask, at, charge};

type Expected = fn(PathBuf) -> LedgerError;

/// Makes a file in a way, and says what opening and opening or creating it give: no error means that it works.
#[test]
fn table() {
    let sql = |path: &Path, sql: &str| {
        Connection::open(path).and_then(|connection| connection.execute_batch(sql)).expect(sql);
    };
    type Make<'a> = Box<dyn Fn(&Path) + 'a>;
    let missing: Expected = |path| LedgerError::Missing { path };
    let empty: Expected = |path| LedgerError::Empty { path };
    let foreign: Expected = |path| LedgerError::NotALedger { path };
    let folder: Expected = |path| LedgerError::Folder { path };
    let later: Expected = |path| LedgerError::OtherFormat { path, found: 2, known: 1 };
    let none: Expected = |path| LedgerError::OtherFormat { path, found: 0, known: 1 };
    let cases: Vec<(&str, Make<'_>, Option<Expected>, Option<Expected>)> = vec![
        ("nothing", Box::new(|_| ()), Some(missing), None),
        ("empty", Box::new(|path| fs::write(path, "").expect("written")), Some(empty), None),
        ("text", Box::new(|path| fs::write(path, "hello\n").expect("written")), Some(foreign), Some(foreign)),
        (
            "zeros",
            Box::new(|path| fs::write(path, [0; 9000]).expect("written")),
            Some(foreign),
            Some(foreign),
        ),
        ("folder", Box::new(|path| fs::create_dir(path).expect("made")), Some(folder), Some(folder)),
        ("another database", Box::new(|path| sql(path, "CREATE TABLE t (x)")), Some(foreign), Some(foreign)),
        (
            "another program's",
            Box::new(|path| sql(path, "PRAGMA application_id = 7; PRAGMA user_version = 1")),
            Some(foreign),
            Some(foreign),
        ),
        (
            "a blank database",
            Box::new(|path| sql(path, "CREATE TABLE t (x); DROP TABLE t")),
            Some(empty),
            None,
        ),
        (
            "a later format",
            Box::new(|path| {
                drop(Ledger::create(path).expect("new"));
                sql(path, "PRAGMA user_version = 2");
            }),
            Some(later),
            Some(later),
        ),
        (
            "no format",
            Box::new(|path| {
                drop(Ledger::create(path).expect("new"));
                sql(path, "PRAGMA user_version = 0");
            }),
            Some(none),
            Some(none),
        ),
        ("a ledger", Box::new(|path| drop(Ledger::create(path).expect("new"))), None, None),
        (
            "a ledger with a write-ahead log",
            Box::new(|path| {
                drop(Ledger::create(path).expect("new"));
                sql(path, "PRAGMA journal_mode = WAL");
            }),
            None,
            None,
        ),
    ];
    for (name, make, open, create) in cases {
        let place = Folder::new();
        let path = place.file("file");
        make(&path);
        let before = fs::read(&path).ok();
        let opened = Ledger::open(&path).map(|_| ());
        assert_eq!(opened, open.map_or(Ok(()), |error| Err(error(path.clone()))), "open {name}");
        if open.is_some() {
            assert_eq!(fs::read(&path).ok(), before, "open {name}: nothing is created or changed");
        }
        let created = Ledger::open_or_create(&path).map(|_| ());
        assert_eq!(created, create.map_or(Ok(()), |error| Err(error(path.clone()))), "create {name}");
        if create.is_some() && path.is_file() {
            assert_eq!(fs::read(&path).ok(), before, "create {name}: nothing is changed");
        } else if create.is_none() {
            assert_eq!(Ledger::create(&path).map(|_| ()), Err(LedgerError::Exists { path }), "{name}");
        }
    }
}

#[test]
fn names_that_mean_something_else() {
    let place = Folder::new();
    let text = place.file("text");
    fs::write(&text, "hello").expect("written");
    for path in [place.file("no/such/folder"), text.join("below")] {
        assert_eq!(Ledger::open(&path).map(|_| ()), Err(LedgerError::MissingFolder { path: path.clone() }));
        assert_eq!(Ledger::create(&path).map(|_| ()), Err(LedgerError::MissingFolder { path: path.clone() }));
    }
    for name in [":memory:", "file:x?mode=memory", ""] {
        assert_eq!(
            Ledger::open(name).map(|_| ()),
            Err(LedgerError::Missing { path: name.into() }),
            "{name:?}"
        );
    }
    assert!(matches!(Ledger::create(""), Err(LedgerError::CannotOpen { .. })));
    let odd = place.file("?mode=memory&x=%00 é");
    drop(Ledger::create(&odd).expect("a name like any other"));
    assert!(odd.is_file());
}

#[cfg(unix)]
#[test]
fn devices_are_no_ledgers() {
    let path = Path::new("/dev/null");
    for opened in [Ledger::open(path), Ledger::create(path)] {
        assert_eq!(opened.map(|_| ()), Err(LedgerError::NotALedger { path: path.into() }));
    }
}

/// A ledger cut off anywhere never opens and verifies as if it were whole.
#[test]
fn truncated() {
    let place = Folder::new();
    let mut ledger = place.ledger("1", "0");
    for i in 0..20 {
        let asked = charge(&i.to_string(), "0.01");
        ask(&mut ledger, "survey", &asked, Some(&"x".repeat(1000))).expect("it fits");
    }
    let whole = fs::read(ledger.path()).expect("read");
    drop(ledger);
    let path = place.file("cut");
    for length in (1..whole.len()).step_by(1021).chain([99, 100, 511, 512, 4096, whole.len() - 1]) {
        fs::write(&path, &whole[..length]).expect("written");
        let error = Ledger::open(&path).and_then(|ledger| ledger.verify()).expect_err("cut");
        assert!(
            matches!(
                error,
                // The last page may lose bytes and still be a page; then the chain shows it.
                LedgerError::NotALedger { .. } | LedgerError::Damaged { .. } | LedgerError::Broken { .. }
            ),
            "{length} of {}: {error:?}",
            whole.len()
        );
    }
    fs::write(&path, &whole).expect("written");
    Ledger::open(&path).and_then(|ledger| ledger.verify()).expect("whole");
}

/// Bytes overwritten anywhere: an error or, in unused space, the ledger as it was. Never a panic, never another
/// balance.
#[test]
fn scribbled() {
    let place = Folder::new();
    let mut ledger = place.ledger("1", "0");
    for i in 0..10 {
        ask(&mut ledger, "survey", &charge(&i.to_string(), "0.01"), Some("{}")).expect("it fits");
    }
    let head = ledger.verify().expect("sound").head;
    let whole = fs::read(ledger.path()).expect("read");
    drop(ledger);
    let path = place.file("scribbled");
    let mut random = posterity_testkit::Random::new(3);
    let mut found = 0;
    for _ in 0..300 {
        let mut bytes = whole.clone();
        let start = random.below(bytes.len() as u64 - 8) as usize;
        for byte in &mut bytes[start..start + 8] {
            *byte = random.bits() as u8;
        }
        fs::write(&path, &bytes).expect("written");
        match Ledger::open(&path).and_then(|ledger| Ok((ledger.verify()?, ledger.account("survey")?))) {
            Ok((verified, account)) => assert_eq!((verified.head, account.charges), (head, 10), "at {start}"),
            Err(_) => found += 1,
        }
    }
    println!("seed 3: {found} of 300 scribbles were found, the others fell into unused space");
    assert!(found > 0);
}

#[cfg(unix)]
#[test]
fn moved_while_open() {
    let place = Folder::new();
    let mut ledger = place.ledger("1", "0");
    let path = ledger.path().to_owned();
    fs::rename(&path, place.file("elsewhere")).expect("moved");
    assert_eq!(
        ask(&mut ledger, "survey", &charge("q", "0.1"), Some("{}")),
        Err(LedgerError::Moved { path: path.clone() })
    );
    assert!(!path.exists());
}

/// Permissions, as a user who is bound by them: the super-user hands the work to a child without privileges.
#[cfg(unix)]
#[test]
fn permissions() {
    use std::os::unix::fs::{MetadataExt, PermissionsExt};
    use std::os::unix::process::CommandExt;
    use std::process::Command;

    use crate::worker;

    let place = Folder::new();
    let allow = |path: &Path, mode| fs::set_permissions(path, fs::Permissions::from_mode(mode)).expect("set");
    allow(place.path(), 0o755);
    // The child may not be able to reach this program where it is.
    let program = place.file("program");
    fs::copy(std::env::current_exe().expect("this program"), &program).expect("copied");
    allow(&program, 0o755);
    let super_user = fs::metadata(place.path()).expect("there").uid() == 0;
    let try_it = |path: &Path| {
        let mut command = Command::new(&program);
        command.current_dir("/");
        if super_user {
            const NOBODY: u32 = 65534;
            command.uid(NOBODY).gid(NOBODY);
        }
        let mut worker = worker::start_with(command, "report", path, "");
        let message = worker.hear().expect("a report");
        worker.wait();
        message
    };
    // Mode of the folder, mode of the file (none: no file), what happens.
    for (i, (folder_mode, file_mode, expected)) in [
        (0o777, Some(0o666), "charged"),
        (0o777, Some(0o444), "charge ReadOnlyFile"),
        (0o555, Some(0o666), "charge ReadOnlyFolder"),
        (0o555, Some(0o444), "charge ReadOnlyFile"),
        (0o777, Some(0o000), "open CannotOpen"),
        (0o000, Some(0o666), "open CannotOpen"),
        (0o555, None, "open CannotOpen"),
        (0o777, None, "charge UnknownAccount"),
    ]
    .into_iter()
    .enumerate()
    {
        let folder = place.file(&i.to_string());
        fs::create_dir(&folder).expect("made");
        let path = folder.join("ledger");
        if let Some(mode) = file_mode {
            let mut ledger = Ledger::create(&path).expect("new");
            ledger
                .create_account("survey", &"1".parse().expect("one"), &posterity_ledger::Amount::ZERO, &at())
                .expect("new");
            allow(&path, mode);
        }
        allow(&folder, folder_mode);
        let message = try_it(&path);
        allow(&folder, 0o755);
        assert_eq!(message, expected, "folder {folder_mode:o}, file {file_mode:?}");
    }
}
