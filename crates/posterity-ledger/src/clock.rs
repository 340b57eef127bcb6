//! The system's clock, for callers that have no other.

use std::time::{SystemTime, UNIX_EPOCH};

use crate::timestamp::Timestamp;

/// The present time to the second. A clock that stands before 1970 gives the start of 1970.
#[must_use]
pub fn now_utc() -> Timestamp {
    #[expect(clippy::disallowed_methods, reason = "the one place that asks the system for the time")]
    let now = SystemTime::now();
    Timestamp::from_unix_seconds(now.duration_since(UNIX_EPOCH).unwrap_or_default().as_secs())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_the_clock() {
        let (first, second) = (now_utc(), now_utc());
        assert!(first.as_str().parse::<Timestamp>().is_ok());
        assert!(first.as_str() > "2025-01-01T00:00:00Z", "{first}");
        assert!(first.as_str() <= second.as_str(), "{first} {second}");
    }
}
