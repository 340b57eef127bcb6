//! Temporary folders of the server.

use std::env::temp_dir;
use std::io;

use posterity_study::Scratch;

/// How their names begin.
const BEGIN: &str = "posterity-web-";

/// A new one, which only its owner may enter, and which is removed with its value.
pub(crate) fn folder() -> io::Result<Scratch> {
    Scratch::new(&temp_dir(), BEGIN)
}

/// Removes those of servers that died.
pub(crate) fn clean() {
    Scratch::clean(&temp_dir(), BEGIN, |_| ());
}
