//! The ledger's figures beside those of Google's dp-accounting.

use std::path::Path;

use posterity_ledger::{Account, Amount, Charge, LedgerError, NewAccount, Rule, exact_composition};
use posterity_testkit::{Peer, Random, trials};

use crate::support::{Folder, amount, ask, at};

fn value(amount: &Amount) -> f64 {
    amount.rational().to_f64().value()
}

/// The orders of the filter of an account.
fn orders(account: &Account) -> Vec<f64> {
    let Rule::Renyi(orders) = &account.rule else { unreachable!("it has a delta") };
    orders.iter().map(|order| value(order.order())).collect()
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

/// Over random histories, what an account says was spent is never below dp-accounting's figure for the same,
/// neither by its privacy loss distributions nor by the same Renyi orders; and exact composition lies between its
/// optimistic and its pessimistic value, up to 0.1 %. If this fails, an account promises more than it keeps, or a batch
/// costs too much.
#[test]
#[ignore = "slow: installs dp-accounting from the package index, some minutes"]
fn never_below_dp_accounting() {
    const SEED: u64 = 7;
    let histories: usize = trials(100);
    let (mut random, folder) = (Random::new(SEED), Folder::new());
    let mut ledger = folder.ledger("1", "0");
    let (mut cases, mut found) = (Vec::new(), Vec::new());
    let mut accounts = 0;
    while cases.len() < histories {
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
        let orders = orders(&account);
        let parts: Vec<(f64, u64)> =
            releases.iter().map(|(size, count)| (value(&amount(size)), *count)).collect();
        let delta: f64 = delta.parse().expect("a number");
        cases.push(serde_json::json!({ "releases": parts, "orders": orders, "delta": delta }).to_string());
        found.push((value(&ledger.account(&name).expect("there").spent_epsilon), value(&exact), releases));
    }
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tools/composition.py");
    let answers = Peer::DP_ACCOUNTING.ask(Path::new(env!("CARGO_TARGET_TMPDIR")), &script, &[], &cases);
    assert_eq!(answers.len(), histories);
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
        "seed {SEED}: {histories} histories; spent is at least {closest:.4} times dp-accounting's optimistic value"
    );
}

/// A random charge for an account with this epsilon: a release without delta, or one with a price in rho.
fn mixed(random: &mut Random, i: usize, budget: f64) -> (Charge, f64) {
    if random.chance(50) {
        let epsilon = budget * random.log_uniform(0.003, 0.3);
        let text = format!("{epsilon:.9}");
        return (
            Charge::new(format!("q{i}"), amount(&text), Amount::ZERO).expect("valid"),
            value(&amount(&text)),
        );
    }
    let rho = budget * budget * random.log_uniform(1e-6, 0.01);
    let text = format!("{rho:.12}");
    (Charge::concentrated(format!("q{i}"), amount(&text)).expect("valid"), value(&amount(&text)))
}

/// Over random histories that mix pure releases and releases with a price in rho, each as long as its account admits:
/// what the account says was spent is never below dp-accounting's figure, and so is its budget. If this fails, an account
/// with both promises more than it keeps.
#[test]
#[ignore = "slow: installs dp-accounting from the package index, some minutes"]
fn never_below_dp_accounting_with_rho() {
    const SEED: u64 = 8;
    let histories: usize = trials(60);
    let (mut random, folder) = (Random::new(SEED), Folder::new());
    let mut ledger = folder.ledger("1", "0");
    let (mut cases, mut found) = (Vec::new(), Vec::new());
    for name in (0..histories).map(|i| i.to_string()) {
        let (budget, delta) = (random.log_uniform(0.1, 8.0), format!("1e-{}", 4 + random.below(8)));
        let new = NewAccount::new(&name, amount(&format!("{budget:.6}")), amount(&delta));
        let account = ledger.open_account(&new, &at()).expect("new");
        let (mut releases, mut rhos, mut refused) = (Vec::new(), Vec::new(), 0);
        while refused < 3 && releases.len() + rhos.len() < 40 {
            let (charge, size) = mixed(&mut random, releases.len() + rhos.len(), budget);
            match ask(&mut ledger, &name, &charge, None) {
                Ok(_) if charge.rho().is_some() => rhos.push((size, 1)),
                Ok(_) => releases.push((size, 1)),
                Err(LedgerError::Exceeded(_)) => refused += 1,
                Err(error) => unreachable!("{error}"),
            }
        }
        let (orders, delta): (_, f64) = (orders(&account), delta.parse().expect("a number"));
        let case =
            serde_json::json!({ "releases": releases, "rhos": rhos, "orders": orders, "delta": delta });
        cases.push(case.to_string());
        let spent = value(&ledger.account(&name).expect("there").spent_epsilon);
        found.push((spent, value(&account.epsilon), rhos.is_empty(), case));
    }
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tools/composition.py");
    let answers = Peer::DP_ACCOUNTING.ask(Path::new(env!("CARGO_TARGET_TMPDIR")), &script, &[], &cases);
    assert_eq!(answers.len(), histories);
    let mut closest = f64::INFINITY;
    for (line, (spent, budget, pure, case)) in answers.iter().zip(&found) {
        let [optimistic, _, renyi]: [f64; 3] = serde_json::from_str(line).expect("three numbers");
        assert!(*spent >= optimistic, "{case}: {spent} is below {optimistic}");
        assert!(*budget >= optimistic, "{case}: {budget} is below {optimistic}");
        assert!(*pure || *spent >= renyi - 1e-9, "{case}: {spent} is below {renyi}");
        closest = closest.min(spent / optimistic.max(1e-9));
    }
    let mixed = found.iter().filter(|(_, _, pure, _)| !pure).count();
    assert!(mixed > histories * 9 / 10, "only {mixed} histories have a rho");
    println!(
        "seed {SEED}: {histories} histories, {mixed} with rho; spent is at least {closest:.4} times dp-accounting's optimistic value"
    );
}
