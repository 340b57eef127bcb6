//! The ledger's figures beside those of Google's dp-accounting.

use std::path::Path;

use posterity_ledger::{Amount, Charge, LedgerError, NewAccount, Rule, exact_composition};
use posterity_testkit::{Peer, Random};

use crate::support::{Folder, amount, ask, at};

fn value(amount: &Amount) -> f64 {
    amount.rational().to_f64().value()
}

/// A random history: up to four sizes of releases, from 0.01 to 1, up to 60 of each.
fn history(random: &mut Random) -> Vec<(String, u64)> {
    (0..1 + random.below(4))
        .map(|_| {
            let size =
                [0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.5, 1.0][usize::try_from(random.below(8)).expect("small")];
            (format!("{size}"), 1 + random.below(60))
        })
        .collect()
}

/// Over 500 random histories, what an account says was spent is never below dp-accounting's figure for the same,
/// neither by its privacy loss distributions nor by the same Renyi orders; and exact composition lies between its
/// optimistic and its pessimistic value, up to 0.1 %. If this fails, an account promises more than it keeps, or a batch
/// costs too much.
#[test]
#[ignore = "slow: installs dp-accounting from the package index, some minutes"]
fn never_below_dp_accounting() {
    const SEED: u64 = 7;
    const HISTORIES: usize = 500;
    let (mut random, folder) = (Random::new(SEED), Folder::new());
    let mut ledger = folder.ledger("1", "0");
    let (mut cases, mut found) = (Vec::new(), Vec::new());
    let mut accounts = 0;
    while cases.len() < HISTORIES {
        let (releases, delta) = (history(&mut random), format!("1e-{}", 4 + random.below(6)));
        let list: Vec<Amount> = releases
            .iter()
            .flat_map(|(size, count)| vec![amount(size); usize::try_from(*count).expect("small")])
            .collect();
        let exact = exact_composition(&list, &amount(&delta)).expect("small enough");
        // A budget that may just do, so that the orders are those of an account that somebody would have made.
        let budget =
            value(&exact) * (1.02 + 0.002 * f64::from(u32::try_from(random.below(100)).expect("small")));
        // Some budgets do not suffice; the next history has an account of its own.
        accounts += 1;
        let name = accounts.to_string();
        let new = NewAccount::new(&name, amount(&format!("{budget:.6}")), amount(&delta));
        let account = ledger.open_account(&new, &at()).expect("new");
        // One release first: the rest is then no first batch, and is priced by the filter or the sum.
        let first = Charge::batch("first", list[..1].to_vec()).expect("valid");
        ask(&mut ledger, &name, &first, None).expect("one fits");
        let rest = if list.len() > 1 { Charge::batch("rest", list[1..].to_vec()).ok() } else { None };
        match rest.map(|rest| ask(&mut ledger, &name, &rest, None)) {
            None | Some(Ok(_)) => {}
            Some(Err(LedgerError::Exceeded(_))) => continue,
            Some(Err(error)) => unreachable!("{error}"),
        }
        let Rule::Renyi(orders) = account.rule else { unreachable!("it has a delta") };
        let orders: Vec<f64> = orders.iter().map(|order| value(order.order())).collect();
        let parts: Vec<(f64, u64)> =
            releases.iter().map(|(size, count)| (value(&amount(size)), *count)).collect();
        let delta: f64 = delta.parse().expect("a number");
        cases.push(serde_json::json!({ "releases": parts, "orders": orders, "delta": delta }).to_string());
        found.push((value(&ledger.account(&name).expect("there").spent_epsilon), value(&exact), releases));
    }
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tools/composition.py");
    let answers = Peer::DP_ACCOUNTING.ask(Path::new(env!("CARGO_TARGET_TMPDIR")), &script, &[], &cases);
    assert_eq!(answers.len(), HISTORIES);
    let mut closest = f64::INFINITY;
    for (line, (spent, exact, releases)) in answers.iter().zip(found) {
        let [optimistic, pessimistic, renyi]: [f64; 3] = serde_json::from_str(line).expect("three numbers");
        let sum: f64 = releases.iter().map(|(size, count)| value(&amount(size).times(*count))).sum();
        assert!(spent >= optimistic, "{releases:?}: {spent} is below {optimistic}");
        assert!(spent >= renyi.min(sum) - 1e-9, "{releases:?}: {spent} is below {renyi}");
        assert!(exact >= optimistic - 1e-9, "{releases:?}: {exact} is below {optimistic}");
        assert!(exact <= pessimistic * 1.001 + 1e-6, "{releases:?}: {exact} is above {pessimistic}");
        closest = closest.min(spent / optimistic);
    }
    println!(
        "seed {SEED}: {HISTORIES} histories; spent is at least {closest:.4} times dp-accounting's optimistic value"
    );
}
