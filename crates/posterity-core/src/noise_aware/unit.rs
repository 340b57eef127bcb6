//! The unit in which weights are written.

/// The unit in which weights are given: `exp(ln)` times the tilted weight of the anchor.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Unit {
    pub(crate) anchor: u64,
    pub(crate) ln: f64,
}
