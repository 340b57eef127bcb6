//! Many records under little budget, in larger units.

/// The units in which a forecast counts. The noise of a small budget spreads over many counts. Noise of rate epsilon on
/// n records is, in units of s records, nearly the same noise of rate `s epsilon` on `n/s` units. This holds for every
/// mechanism that adds noise of a rate proportional to epsilon.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Coarse {
    /// Units in all.
    pub(super) n: u64,
    /// Records in a unit.
    pub(super) records: f64,
    /// The rate of the noise, in units.
    pub(super) epsilon: f64,
}

/// The rate per unit at which units are fine enough: the variance of discrete noise differs from that of continuous
/// noise by `rate^2/12`, which is below 0.1 %.
const MAX_RATE_PER_UNIT: f64 = 0.1;

/// The least number of units, for each unit of the prior's total.
const UNITS_PER_PRIOR: f64 = 200.0;

impl Coarse {
    /// The units for n records, a budget and the sum of the prior's parameters.
    pub(super) fn new(n: u64, epsilon: f64, total: f64) -> Self {
        let least = UNITS_PER_PRIOR * total.max(2.0);
        let units = libm::round((n as f64 * epsilon / MAX_RATE_PER_UNIT).max(least));
        if epsilon >= 0.5 * MAX_RATE_PER_UNIT || units >= 0.7 * n as f64 {
            return Self { n, records: 1.0, epsilon };
        }
        let records = n as f64 / units;
        Self { n: units as u64, records, epsilon: epsilon * records }
    }

    /// Whether a unit is a record.
    pub(super) fn is_exact(&self) -> bool {
        self.records == 1.0
    }
}
