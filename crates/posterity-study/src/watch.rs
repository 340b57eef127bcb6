//! How far a study is.

use std::ops::ControlFlow;

/// Follows how far a study is, and may end it before anything is charged.
pub trait Watch {
    /// This many rows of the source were read. A break ends the study.
    fn rows(&self, _rows: u64) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    /// Something to warn of that is known before anything is drawn or charged: about a question, or about the whole plan.
    fn warning(&self, _question: Option<&str>, _text: &str) {}

    /// Some parts of the results are computed, of this number in all.
    fn results(&self, _done: usize, _of: usize) {}
}

/// Nobody watches.
impl Watch for () {}
