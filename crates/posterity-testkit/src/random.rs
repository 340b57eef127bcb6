//! Seeded random inputs for tests.

/// A small generator for test inputs (splitmix64, Steele, Lea and Flood 2014). It must not be used for privacy noise.
#[derive(Clone, Debug)]
pub struct Random {
    state: u64,
}

impl Random {
    /// The stream of a seed.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self { state: seed }
    }

    /// The next 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number between two bounds.
    pub fn uniform(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * (self.bits() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// A positive number whose logarithm is uniform.
    pub fn log_uniform(&mut self, low: f64, high: f64) -> f64 {
        self.uniform(low.ln(), high.ln()).exp()
    }

    /// A whole number below a bound. It has a tiny bias, which does not matter for test inputs.
    pub fn below(&mut self, bound: u64) -> u64 {
        self.bits() % bound
    }

    /// The index of one of this many things; zero if there are none.
    pub fn index(&mut self, end: usize) -> usize {
        (self.bits() % end.max(1) as u64) as usize
    }

    /// One of these.
    pub fn pick<'a, T: ?Sized>(&mut self, from: &[&'a T]) -> &'a T {
        from[self.index(from.len())]
    }

    /// True so often in a hundred times.
    pub fn chance(&mut self, percent: usize) -> bool {
        self.index(100) < percent
    }

    /// `k` prior parameters from `low` to `high`, uniform in the logarithm.
    pub fn prior(&mut self, k: usize, low: f64, high: f64) -> Vec<f64> {
        (0..k).map(|_| self.log_uniform(low, high)).collect()
    }

    /// `k` counts that sum to `n`. Some of them are often zero.
    pub fn counts(&mut self, k: usize, n: u64) -> Vec<u64> {
        let mut cuts: Vec<u64> = (1..k).map(|_| self.below(n + 1)).collect();
        cuts.sort_unstable();
        cuts.push(n);
        let mut before = 0;
        cuts.into_iter().map(|cut| cut - std::mem::replace(&mut before, cut)).collect()
    }
}
