//! Threads, progress, an early end, and memory.

use std::cell::Cell;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;

use posterity_core::sampler::SeededBits;
use posterity_count::{DataError, PerUnit, Question, Resources, Source, count};

use crate::scratch::{Scratch, about, go_on};

#[test]
fn progress_ends_with_all_rows() {
    let scratch = Scratch::new();
    let path = scratch.write("a.csv", format!("cured\n{}", "yes\nno\n".repeat(50_000)));
    let seen = Cell::new(0);
    let progress = |rows: u64| {
        assert!(seen.replace(rows) <= rows, "progress never goes back");
        ControlFlow::Continue(())
    };
    let question = about("cured", &["yes", "no"]);
    let resources = Resources::default();
    let mut bits = SeededBits::new(1);
    let counted = count(&Source::files(path), &question, &mut bits, &resources, &progress).expect("counted");
    assert_eq!(seen.get(), 100_000);
    assert_eq!(counted.rows_scanned, Some(100_000));
}

#[test]
fn a_count_can_be_stopped() {
    let scratch = Scratch::new();
    // Some seconds of work, which is asked every tenth of a second whether to go on.
    let text = format!("id,cured\n{}", "some-long-name-of-a-person,yes\n".repeat(3_000_000));
    let path = scratch.write("a.csv", text);
    let question = Question { unit: Some("id".into()), ..about("cured", &["yes", "no"]) };
    let resources = Resources { threads: NonZeroUsize::MIN, ..Resources::default() };
    let stop = |_| ControlFlow::Break(());
    let stopped = count(&Source::files(path), &question, &mut SeededBits::new(1), &resources, &stop);
    assert_eq!(stopped, Err(DataError::Stopped));
}

/// More units than fit into the memory, so that temporary files are used.
#[test]
fn units_beyond_memory() {
    let scratch = Scratch::new();
    let mut text = String::from("id,cured\n");
    for i in 0..200_000 {
        text.push_str(&format!(
            "person-number-{:07},{}\n",
            i % 150_000,
            if i % 3 == 0 { "yes" } else { "no" }
        ));
    }
    let path = scratch.write("a.csv", text);
    let small = Resources { memory: 1 << 20, threads: NonZeroUsize::MIN };
    for rule in [PerUnit::First, PerUnit::Mode, PerUnit::Random, PerUnit::Latest("cured".into())] {
        let question =
            Question { unit: Some("id".into()), per_unit: rule.clone(), ..about("cured", &["yes", "no"]) };
        let mut bits = SeededBits::new(1);
        let source = Source::files(&path);
        let counted = count(&source, &question, &mut bits, &small, &go_on).expect("counted");
        // Of 0..150,000 every third is yes, and so is every third of the 50,000 that come again; 150,000 is a multiple
        // of 3.
        assert_eq!(counted.counts.as_slice(), [50_000, 100_000], "{rule}");
    }
}
