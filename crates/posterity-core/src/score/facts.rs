//! What there is to know about a score, for people and for programs.

/// The facts of a score.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Facts {
    /// The name as it is written everywhere.
    pub name: &'static str,
    /// The name with a parameter, if it needs one.
    pub example: &'static str,
    /// One line on what it is.
    pub summary: &'static str,
    /// Whether it is a metric, so that its local sensitivity is the score of an adjacent data set.
    pub metric: bool,
}
