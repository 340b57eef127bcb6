//! The work of an answer does not grow with the history.

use std::time::Duration;

use crate::support::{Folder, amount, ask, charge};

/// The time that this process has used the processor, which does not depend on what else the machine does. Linux counts
/// it in hundredths of a second.
fn processor_time() -> Option<Duration> {
    let stat = std::fs::read_to_string("/proc/self/stat").ok()?;
    let fields: Vec<&str> = stat.rsplit_once(')')?.1.split_whitespace().collect();
    let ticks: u64 = fields.get(11)?.parse::<u64>().ok()? + fields.get(12)?.parse::<u64>().ok()?;
    Some(Duration::from_millis(10 * ticks))
}

/// 200 answers after 10,000 others take at most twice the time of the first 200. Run it alone, as `--exact` does.
#[test]
#[ignore = "slow: 10,400 answers twice, a minute"]
fn an_answer_does_not_grow_with_the_history() {
    const SAMPLE: u32 = 200;
    for delta in ["0", "1e-6"] {
        let folder = Folder::new();
        let mut ledger = folder.ledger("1000000", delta);
        let mut answers = |from: u32, count: u32| {
            let before = processor_time();
            for i in from..from + count {
                let price = format!("{}/1000000", i + 1);
                let asked = charge(&format!("question {i}"), &price);
                ask(&mut ledger, "survey", &asked, Some("{}")).expect("it fits");
            }
            Some(processor_time()?.saturating_sub(before?) / count)
        };
        let first = answers(0, SAMPLE);
        answers(SAMPLE, 10_000);
        let last = answers(SAMPLE + 10_000, SAMPLE);
        println!(
            "delta {delta}: {first:?} of processor time for each answer at first, {last:?} after 10,000"
        );
        if let (Some(first), Some(last)) = (first, last) {
            assert!(last <= 2 * first + Duration::from_millis(1), "{first:?} {last:?}");
        }
        assert_eq!(ledger.account("survey").expect("there").charges, u64::from(2 * SAMPLE + 10_000));
        assert!(ledger.account("survey").expect("there").sum_epsilon > amount("50"));
    }
}
