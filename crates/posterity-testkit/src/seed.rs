//! The seed of a named case.

/// A seed that depends on what the case is called and on nothing else, so that a new case changes no other (FNV-1a,
/// Fowler, Noll and Vo 1991).
#[must_use]
pub fn seed_of(case: &str) -> u64 {
    case.bytes()
        .fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}
