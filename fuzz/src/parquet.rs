//! Files of the format parquet.

use crate::formats::count;

/// Counts the records of a file.
pub fn look(bytes: &[u8]) {
    count(bytes, "data.parquet");
}
