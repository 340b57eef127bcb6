//! A watch for examples that measure.

use std::time::Instant;

/// The processor seconds of all threads of this process so far. Linux only; nothing elsewhere.
fn processor() -> Option<f64> {
    let stat = std::fs::read_to_string("/proc/self/stat").ok()?;
    // The name of the command may contain spaces; the fields after it do not. User and system time are in hundredths.
    let fields: Vec<&str> = stat.rsplit(')').next()?.split_whitespace().collect();
    Some((fields.get(11)?.parse::<f64>().ok()? + fields.get(12)?.parse::<f64>().ok()?) / 100.0)
}

/// The seconds that have passed, and the processor seconds.
pub(crate) struct Watch(Instant, f64);

impl Watch {
    pub(crate) fn start() -> Self {
        Self(Instant::now(), processor().unwrap_or(0.0))
    }

    pub(crate) fn read(&self) -> (f64, f64) {
        (self.0.elapsed().as_secs_f64(), processor().unwrap_or(0.0) - self.1)
    }
}
