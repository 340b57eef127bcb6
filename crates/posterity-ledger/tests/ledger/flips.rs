//! Every single flipped bit of the file: it is harmless, or what it touches is refused. It never gives budget back.

use std::path::Path;

use posterity_ledger::{Ledger, LedgerError};
use rusqlite::Connection;

use crate::support::{Folder, amount, ask, at, charge};

/// What may still be charged in steps of 0.1.
const LEFT: u32 = 2;

/// A ledger with two accounts, of which `survey` has 0.2 left of 1. Small pages make it a small file.
fn sample(folder: &Folder) -> Vec<u8> {
    let mut ledger = folder.ledger("1", "0");
    ledger.create_account("trial", &amount("3"), &amount("0"), &at()).expect("new");
    for (i, price) in ["0.3", "0.2", "0.3"].into_iter().enumerate() {
        ask(&mut ledger, "survey", &charge(&format!("q{i}"), price), Some("{}")).expect("it fits");
        ask(&mut ledger, "trial", &charge(&format!("t{i}"), "0.1"), None).expect("it fits");
    }
    let path = ledger.path().to_owned();
    drop(ledger);
    let connection = Connection::open(&path).expect("a database");
    connection.execute_batch("PRAGMA page_size = 512; VACUUM").expect("smaller pages");
    drop(connection);
    std::fs::read(&path).expect("read")
}

/// Charges 0.1 again and again, opening the file anew each time, and says how often that worked. It also tries to make
/// the account a second time.
fn spend(path: &Path) -> u32 {
    let mut granted = 0;
    for i in 0..=LEFT {
        let Ok(mut ledger) = Ledger::open(path) else { break };
        let again = ledger.create_account("survey", &amount("1"), &amount("0"), &at());
        assert!(again.is_err(), "a second account of the same name");
        match ask(&mut ledger, "survey", &charge(&format!("more {i}"), "0.1"), Some("{}")) {
            Ok(_) => granted += 1,
            Err(LedgerError::Exceeded(_)) => break,
            Err(_) => break,
        }
    }
    granted
}

/// Flips every bit that is chosen, one at a time.
fn flip(chosen: impl Fn(usize) -> bool) {
    let folder = Folder::new();
    let sound = sample(&folder);
    let path = folder.file("flipped");
    let (mut tried, mut harmless) = (0_u32, 0_u32);
    for bit in (0..sound.len() * 8).filter(|bit| chosen(*bit)) {
        let mut bytes = sound.clone();
        bytes[bit / 8] ^= 1 << (bit % 8);
        std::fs::write(&path, &bytes).expect("written");
        let _ = std::fs::remove_file(folder.file("flipped-journal"));
        let granted = spend(&path);
        assert!(granted <= LEFT, "bit {bit} gave budget back: {granted} charges");
        tried += 1;
        harmless += u32::from(granted == LEFT);
    }
    println!(
        "{tried} bits of {} bytes flipped: {harmless} harmless, {} refused",
        sound.len(),
        tried - harmless
    );
    assert!(harmless > 0 && harmless < tried);
}

#[test]
fn a_sample_of_flipped_bits() {
    // A prime, so that all positions in bytes and cells come up.
    flip(|bit| bit % 499 == 0);
}

#[test]
#[ignore = "slow: every bit of a ledger, some minutes"]
fn every_flipped_bit() {
    flip(|_| true);
}
