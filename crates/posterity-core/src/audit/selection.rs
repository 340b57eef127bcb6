//! The pairs of data sets that are compared exactly.

/// The pairs that are compared exactly.
pub(super) struct Selection {
    pub(super) pairs: Vec<usize>,
    /// For the loss and each delta, an upper bound over the pairs that may have the largest value and were left out.
    pub(super) others: Vec<f64>,
}

impl Selection {
    /// No pair is left out.
    pub(super) fn everything(epsilons: usize) -> Self {
        Self { pairs: Vec::new(), others: vec![f64::NEG_INFINITY; 1 + epsilons] }
    }

    /// A bound on the loss of the pairs that were left out.
    pub(super) fn other_loss(&self) -> f64 {
        self.others[0]
    }

    /// Bounds on the deltas of the pairs that were left out.
    pub(super) fn other_deltas(&self) -> &[f64] {
        &self.others[1..]
    }
}
