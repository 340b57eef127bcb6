//! A question on a new ledger and on one with a history, beside the least that the disk allows.
//!
//! The files are in the folder for temporary files. `TMPDIR=/dev/shm cargo bench -p posterity-ledger --bench charge`
//! shows what the ledger itself costs; `cargo bench -p posterity-ledger --bench charge -- disk` adds what the disk
//! costs, and leaves out the long histories, which take many minutes to write there.

use std::cell::{LazyCell, RefCell};
use std::fs::File;
use std::io::{Seek, Write};
use std::path::Path;

use criterion::{Criterion, criterion_group, criterion_main};
use posterity_ledger::{Amount, Charge, Ledger, LedgerError, Timestamp};

const HISTORY: u64 = 10_000;

fn at() -> Timestamp {
    Timestamp::from_unix_seconds(1_767_225_600)
}

fn amount(text: &str) -> Amount {
    text.parse().expect(text)
}

/// Charges a question, and records a document of this many bytes.
fn ask(ledger: &mut Ledger, charge: &Charge, bytes: usize) {
    let draw = |_| Ok::<_, LedgerError>("x".repeat(bytes));
    let _ = ledger.answer("survey", charge, |_| false, &at(), draw).expect("it fits");
}

/// A ledger with this many charges of one price, or of as many prices, that add up or pass a filter.
fn ledger(path: &Path, charges: u64, different: bool, delta: &str) -> Ledger {
    let mut ledger = Ledger::create(path).expect("new");
    ledger.create_account("survey", &amount("1000000"), &amount(delta), &at()).expect("new");
    for i in 0..charges {
        let price = if different { format!("{}/1000000", i + 1) } else { "0.1".to_owned() };
        let charge = Charge::new(format!("question {i}"), amount(&price), Amount::ZERO).expect("valid");
        ask(&mut ledger, &charge, 2);
    }
    ledger
}

fn charges(criterion: &mut Criterion) {
    let folder = tempfile::tempdir().expect("a folder");
    let mut group = criterion.benchmark_group("charge");
    group.sample_size(50);
    let mut file = File::create(folder.path().join("plain")).expect("new");
    group.bench_function("the disk: one page written and synced", |bencher| {
        bencher.iter(|| {
            file.rewind()
                .and_then(|()| file.write_all(&[1; 4096]))
                .and_then(|()| file.sync_all())
                .expect("written");
        });
    });
    let cheap = Charge::new("question", amount("1e-9"), Amount::ZERO).expect("valid");
    for (name, history, different, delta) in [
        ("no history (disk)", 0, false, "0"),
        ("10,000 charges of one price", HISTORY, false, "0"),
        ("10,000 charges of 10,000 prices", HISTORY, true, "0"),
        ("10,000 charges through a filter", HISTORY, true, "1e-6"),
    ] {
        let path = folder.path().join(name);
        let made = LazyCell::new(|| RefCell::new(ledger(&path, history, different, delta)));
        group.bench_function(format!("{name}: the balance alone"), |bencher| {
            let ledger = made.borrow();
            bencher.iter(|| ledger.account("survey").expect("there"));
        });
        group.bench_function(name, |bencher| {
            let mut ledger = made.borrow_mut();
            bencher.iter(|| ask(&mut ledger, &cheap, 2));
        });
    }
    group.finish();
}

fn others(criterion: &mut Criterion) {
    let folder = tempfile::tempdir().expect("a folder");
    let made = LazyCell::new(|| {
        let mut ledger = ledger(&folder.path().join("ledger"), HISTORY, false, "0");
        let asked = Charge::new("answered", amount("1e-9"), Amount::ZERO).expect("valid");
        ask(&mut ledger, &asked, 2_000);
        ledger
    });
    let mut group = criterion.benchmark_group("10,000 charges");
    group.sample_size(20);
    group.bench_function("find", |bencher| bencher.iter(|| made.find("survey", "answered").expect("sound")));
    group.bench_function("verify", |bencher| bencher.iter(|| made.verify().expect("sound")));
    group.finish();
}

criterion_group!(benches, charges, others);
criterion_main!(benches);
