//! An earlier answer to the same question, at another number of records.

use std::path::Path;

use posterity::document::Kind;
use posterity::ledger::{Head, LedgerError};
use posterity::number::grouped;
use posterity::{Document, Ledger, Payment, Provenance, Publication};

/// Says of a release that was charged that the ledger holds an earlier answer to its question, at another n: the data has
/// changed, and the account paid for both. Nothing if there is none, or if n is private. The release is drawn, so a ledger
/// that cannot be read now is no reason to withhold it.
#[must_use]
pub fn answered_at_other_n<K: Kind>(
    paid: &Payment,
    ledger: &Path,
    account: &str,
    document: &Document<K>,
) -> Option<String> {
    answer_at_other_n(paid, ledger, account, (document.provenance(), document.n()))
}

/// What [`answered_at_other_n`] says, of an answer that comes from there and is about n records, if n is public.
#[must_use]
pub fn answer_at_other_n(
    paid: &Payment,
    ledger: &Path,
    account: &str,
    answer: (Option<&Provenance>, Option<u64>),
) -> Option<String> {
    let found = || Ledger::open(ledger).and_then(|ledger| earlier(&ledger, account, answer)).ok().flatten();
    if matches!(paid, Payment::Charged { .. } | Payment::ChargedRho { .. }) { found() } else { None }
}

fn earlier(
    ledger: &Ledger,
    account: &str,
    (provenance, n): (Option<&Provenance>, Option<u64>),
) -> Result<Option<String>, LedgerError> {
    let noted = provenance.and_then(|provenance| provenance.head.parse::<Head>().ok());
    let (Some(noted), Some(n)) = (noted, n) else { return Ok(None) };
    let history = ledger.history(account)?;
    let Some(own) = history.iter().find(|line| line.entry == noted.entries) else { return Ok(None) };
    let others = history.iter().rev().filter(|line| line.entry < own.entry && line.question == own.question);
    for line in others {
        let Some(stored) = ledger.release_at(line.entry)? else { continue };
        let before = Publication::recorded(&stored).ok().and_then(|all| all.first()?.n());
        if let Some(before) = before.filter(|before| *before != n) {
            return Ok(Some(format!(
                "the ledger also holds an answer to this question at n = {}, drawn at {}. The data has changed since, so this is another \
                 answer, and both are paid for",
                grouped(&before.to_string()),
                stored.recorded
            )));
        }
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use posterity::ledger::now_utc;
    use posterity::{Amount, Data, Publisher};

    use super::*;

    #[test]
    fn a_changed_file_is_told() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.ledger");
        let mut ledger = Ledger::create(&path).expect("new");
        ledger.create_account("a", &Amount::ONE, &Amount::ZERO, &now_utc()).expect("new");
        let mut ask = |yes: u64, name: &str| {
            let data = Data::counts([("yes", yes), ("no", 42)]).expect("valid");
            let data = data.named(name, None, None).expect("a name");
            let publisher = Publisher::new("0.1".parse().expect("positive"));
            let release = publisher.charge(&mut ledger, "a").publish(&data).expect("it fits");
            answered_at_other_n(release.payment(), &path, "a", release.document())
        };
        assert_eq!(ask(48, "visits"), None);
        assert_eq!(ask(48, "visits"), None, "the same records are recalled");
        assert_eq!(ask(48, "others"), None, "another question");
        let said = ask(49, "visits").expect("another n");
        assert!(
            said.starts_with("the ledger also holds an answer to this question at n = 90, drawn at "),
            "{said}"
        );
    }
}
