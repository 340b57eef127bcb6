//! The place of a panel's axes on the page.

/// The rectangle between the axes, in units of the page.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Frame {
    pub(crate) left: f64,
    pub(crate) right: f64,
    pub(crate) top: f64,
    pub(crate) bottom: f64,
}

impl Frame {
    /// Whether a place lies between the axes, or at most two units outside. The place of a value without a logarithm
    /// does not.
    pub(crate) fn contains(self, (x, y): (f64, f64)) -> bool {
        let slack = 2.0;
        (self.left - slack..=self.right + slack).contains(&x)
            && (self.top - slack..=self.bottom + slack).contains(&y)
    }
}
