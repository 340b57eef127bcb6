//! A panic becomes one sentence that quotes nothing.

use std::panic::{AssertUnwindSafe, catch_unwind, set_hook};

use crate::failure::Failure;

/// Does the work. The message of a panic is not printed, because it may quote private data; one sentence says that it
/// happened.
pub(crate) fn guarded(work: impl FnOnce() -> Result<(), Failure>) -> Result<(), Failure> {
    set_hook(Box::new(|_| ()));
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|_| {
        Err(Failure::refused(
            "posterity failed in a way that was not foreseen; that is a mistake in posterity, and not in what you asked. If a \
             ledger was given, its history says whether something was charged",
        ))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_one_sentence_that_quotes_nothing() {
        #[allow(clippy::panic, reason = "the test is about a panic")]
        let failure = guarded(|| panic!("Mallory")).expect_err("refused");
        let Failure::Refused(message) = failure else { unreachable!("{failure:?}") };
        assert!(message.contains("not foreseen") && !message.contains("Mallory"), "{message}");
    }
}
