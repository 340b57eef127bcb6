//! One charge for pure releases and others with a price in rho: docs/proofs/composition.md, theorem 1b.

use std::path::PathBuf;

use posterity_ledger::{Adjacency, Amount, Charge, LedgerError, NewAccount, Price, rho_of};

use crate::adjacency::forgeries_are_found;
use crate::support::{Folder, amount, ask, at, charge, each_is_recalled};

fn mixed(question: &str, epsilons: &[&str], rho: &str) -> Charge {
    Charge::mixed(question, epsilons.iter().map(|text| amount(text)), amount(rho)).expect("valid")
}

fn value(amount: &Amount) -> f64 {
    amount.rational().to_f64().value()
}

/// If this fails, a study costs more or less than its questions one by one.
#[test]
fn it_costs_what_its_releases_cost_one_by_one() {
    let folder = Folder::new();
    let mut ledger = folder.ledger("3", "1e-6");
    ledger.create_account("other", &amount("3"), &amount("1e-6"), &at()).expect("new");
    ask(&mut ledger, "survey", &mixed("study", &["0.1", "0.2", "0.1"], "0.03"), Some("{}")).expect("it fits");
    let rho = Charge::concentrated("rho", amount("0.03")).expect("valid");
    for one in [charge("a", "0.1"), rho, charge("b", "0.2"), charge("c", "0.1")] {
        ask(&mut ledger, "other", &one, Some("{}")).expect("it fits");
    }
    let [whole, parts] = ["survey", "other"].map(|name| ledger.account(name).expect("there"));
    assert_eq!((whole.charges, parts.charges), (1, 4));
    assert_eq!(
        (&whole.spent_epsilon, &whole.remaining_epsilon),
        (&parts.spent_epsilon, &parts.remaining_epsilon)
    );
    assert_eq!((&whole.sum_epsilon, &whole.sum_rho), (&amount("0.4"), &amount("0.03")));
    assert_eq!((&whole.sum_epsilon, &whole.sum_rho), (&parts.sum_epsilon, &parts.sum_rho));
    assert_eq!(whole.affordable_rho(Adjacency::Replace), parts.affordable_rho(Adjacency::Replace));
    ledger.verify().expect("sound");
    let line = serde_json::to_value(ledger.history("survey").expect("there")).expect("JSON");
    let parts = serde_json::json!([{ "epsilon": "0.1", "releases": 2 }, { "epsilon": "0.2", "releases": 1 }]);
    assert_eq!((&line[0]["rho"], &line[0]["parts"], line[0].get("epsilon")), (&"0.03".into(), &parts, None));
}

/// Sums say nothing of rho; and what does not fit is refused as a whole.
#[test]
fn it_is_charged_as_a_whole_or_not_at_all() {
    let folder = Folder::new();
    let mut ledger = folder.ledger("5", "0");
    let refused = ask(&mut ledger, "survey", &mixed("q", &["0.1"], "0.001"), Some("{}"));
    assert_eq!(refused, Err(LedgerError::NoFilter { account: "survey".into() }));
    ledger.create_account("small", &amount("1"), &amount("1e-6"), &at()).expect("new");
    let refused = ask(&mut ledger, "small", &mixed("q", &["0.3", "0.3"], "0.02"), Some("{}"));
    let Err(LedgerError::Exceeded(exceeded)) = refused else { unreachable!("{refused:?}") };
    assert_eq!((&exceeded.asked, exceeded.beside.as_ref()), (&amount("0.02"), Some(&amount("0.6"))));
    for account in ["survey", "small"] {
        assert_eq!(ledger.account(account).expect("there").charges, 0);
    }
    // What is said to remain beside the pure releases does.
    assert!(exceeded.remaining > Amount::ZERO && exceeded.remaining < amount("0.02"), "{exceeded}");
    let most = exceeded.remaining.to_string();
    ask(&mut ledger, "small", &mixed("q", &["0.3", "0.3"], &most), Some("{}")).expect("it fits");
    ledger.verify().expect("sound");
}

#[test]
fn private_n_is_converted_part_by_part() {
    let folder = Folder::new();
    let mut ledger = folder.ledger("3", "1e-6");
    let charge = mixed("q", &["0.1", "0.05"], "0.001").adjacency(Adjacency::AddRemove);
    ask(&mut ledger, "survey", &charge, Some("{}")).expect("it fits");
    let line = ledger.history("survey").expect("there").remove(0);
    assert_eq!(line.price, mixed("q", &["0.2", "0.1"], "0.004").promise().price);
    assert_eq!(&line.release, charge.promise());
    let hidden = NewAccount::new("hidden", amount("3"), amount("1e-6")).adjacency(Adjacency::AddRemove);
    ledger.open_account(&hidden, &at()).expect("new");
    assert_eq!(
        ledger.account("hidden").expect("there").price_of(&charge),
        Ok(charge.promise().price.clone())
    );
    ledger.verify().expect("sound");
}

/// The price is part of what is recalled, with each of its releases.
#[test]
fn an_answer_is_recalled_by_all_of_its_price() {
    let folder = Folder::new();
    let mut ledger = folder.ledger("5", "1e-6");
    each_is_recalled(
        &mut ledger,
        &[
            mixed("q", &["0.1", "0.1"], "0.01"),
            mixed("q", &["0.2"], "0.01"),
            mixed("q", &["0.1", "0.1"], "0.02"),
            mixed("q", &[], "0.01"),
            mixed("q", &["0.1", "0.1"], "0.01").adjacency(Adjacency::AddRemove),
        ],
    );
}

/// Entries: 1 account, 2 mixed charge, 4 charge of rho, 6 mixed charge with private n, each with a record.
fn sample(folder: &Folder) -> PathBuf {
    let mut ledger = folder.ledger("1", "1e-6");
    let rho = Charge::concentrated("b", amount("0.001")).expect("valid");
    let private = mixed("c", &["0.05"], "0.001").adjacency(Adjacency::AddRemove);
    for charge in [mixed("a", &["0.1", "0.05"], "0.002"), rho, private] {
        ask(&mut ledger, "survey", &charge, Some("{}")).expect("it fits");
    }
    ledger.path().to_owned()
}

/// If this fails, somebody can make a study cheaper afterwards.
#[test]
fn a_forged_part_is_found_although_all_hashes_fit() {
    forgeries_are_found(
        sample,
        &[
            ("UPDATE entry SET parts = 'rho 1/500' WHERE sequence = 2", 2),
            ("UPDATE entry SET parts = 'rho 1/500 1/20*2' WHERE sequence = 2", 2),
            ("UPDATE entry SET parts = 'rho 1/1000 1/20*1,1/10*1' WHERE sequence = 2", 2),
            ("UPDATE entry SET parts = 'rho 1/500 1/10*1,1/20*1' WHERE sequence = 2", 2),
            ("UPDATE entry SET parts = 'rho 1/500 1/20*1,1/10*1 ' WHERE sequence = 2", 2),
            (
                "UPDATE entry SET parts = '1/20*1,1/10*1', epsilon = '3/20', delta = '0/1' WHERE sequence = 2",
                2,
            ),
            ("UPDATE entry SET parts = 'rho 1/1000 1/20*1' WHERE sequence = 4", 4),
            ("UPDATE entry SET rule = 'add-remove rho 1/1000' WHERE sequence = 6", 6),
        ],
    );
}

/// The delta of a batch at an epsilon: this many randomised responses beside discrete Gaussian noise of a sum that one
/// record changes by 1, whose rho is `1/(2 variance)` (Canonne, Kamath and Steinke 2020, theorem 4). Every answer is
/// enumerated, up to 40 standard deviations.
fn delta_of(responses: u32, size: f64, rho: f64, epsilon: f64) -> f64 {
    let variance = 1.0 / (2.0 * rho);
    let reach = (40.0 * variance.sqrt()) as i64;
    let weight = |x: i64| (-((x * x) as f64) / (2.0 * variance)).exp();
    let all: f64 = (-reach..=reach).map(weight).sum();
    let (likely, mut ways, mut sum) = (size.exp() / (1.0 + size.exp()), 1.0, 0.0);
    for times in 0..=responses {
        let others = responses - times;
        let mass = ways * likely.powi(times as i32) * (1.0 - likely).powi(others as i32);
        let lost = (f64::from(times) - f64::from(others)) * size;
        let beyond = |x: i64| {
            let lost = lost + (1.0 - 2.0 * x as f64) / (2.0 * variance);
            weight(x) / all * (-(epsilon - lost).exp_m1()).max(0.0)
        };
        sum += mass * (-reach..=reach).map(beyond).sum::<f64>();
        ways *= f64::from(others) / f64::from(times + 1);
    }
    sum
}

/// Theorem 1b, by enumeration: the sum of the epsilons, and what an account says was spent, are at least what the law of
/// the batch needs at its delta. If this fails, a study promises more than it keeps.
#[test]
fn the_law_of_a_mixed_batch_keeps_its_promise() {
    let folder = Folder::new();
    let mut ledger = folder.ledger("1", "0");
    for (responses, size, rest, delta) in [
        (1_u32, "0.5", "0.5", "1e-6"),
        (20, "0.05", "1", "1e-9"),
        (3, "1", "0.2", "1e-3"),
        (8, "0.1", "2", "1e-6"),
    ] {
        let rho = rho_of(&amount(rest), &amount(delta)).expect("there is a delta");
        let [each, rest_value, delta_value] = [size, rest, delta].map(|text| value(&amount(text)));
        let promised = f64::from(responses) * each + rest_value;
        let law = |epsilon: f64| delta_of(responses, each, value(&rho), epsilon);
        assert!(law(promised) <= delta_value, "{responses} of {size} and {rest}: {}", law(promised));
        assert!(law(0.5 * promised) > 0.0, "the enumeration sees something");
        let name = format!("{responses} {size} {rest} {delta}");
        let account = NewAccount::new(&name, amount("10"), amount(delta));
        ledger.open_account(&account, &at()).expect("new");
        let epsilons = vec![size; responses as usize];
        ask(&mut ledger, &name, &mixed("q", &epsilons, &rho.to_string()), Some("{}")).expect("it fits");
        let spent = value(&ledger.account(&name).expect("there").spent_epsilon);
        println!("{name}: promised {promised}, spent of an account {spent}, delta there {:.2e}", law(spent));
        assert!(law(spent) <= delta_value, "{name}: {spent}");
    }
}

#[test]
fn a_mixed_price_has_no_epsilon_of_its_own() {
    let price = mixed("q", &["0.1", "1/3"], "0.01").promise().price.clone();
    assert_eq!((price.epsilon(), price.delta(), price.rho()), (None, None, Some(&amount("0.01"))));
    assert_eq!(price.sum_epsilon(), Some(amount("13/30")));
    assert_eq!(Price::concentrated(amount("1")).sum_epsilon(), None);
}
