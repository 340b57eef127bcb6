//! Messages on standard error.

use std::fmt::Display;
use std::io::Write;

use anstyle::Style;
use posterity::Adjacency;
use posterity::hidden::shown;

use crate::failure::Failure;
use crate::output::{style, width_of_messages, wrapped};

/// Says something that the user may want to know.
pub(crate) fn note(text: impl Display) {
    say("note:", style::HEADER, text);
}

/// Says something that the user must not miss.
pub(crate) fn warn(text: impl Display) {
    say("note:", style::WARNING, text);
}

/// Warns of an epsilon without a delta that is so large that it protects hardly anybody.
pub(crate) fn warn_of_large(adjacency: Adjacency, epsilon: Option<f64>) {
    let epsilon = epsilon.unwrap_or_default();
    posterity::meaning::warnings(adjacency, epsilon, 0.0, None).iter().for_each(warn);
}

/// Says why there is no result, and returns the exit code.
pub(crate) fn report(failure: Failure) -> u8 {
    let (message, code) = match failure {
        Failure::Closed => return 0,
        Failure::NotChecked => return 3,
        Failure::Usage(message) => (message, 2),
        Failure::Refused(message) => (message, 1),
    };
    say("error:", style::ALARM, message);
    if code == 2 {
        eprintln!("\nFor more information, try '--help'.");
    }
    code
}

/// Wraps the message if it goes to a terminal. Programs get it in one line. Names that it quotes do not drive the
/// terminal.
fn say(lead: &str, style: Style, text: impl Display) {
    let text = text.to_string();
    let text = text.lines().map(shown).collect::<Vec<_>>().join("\n");
    let indent = lead.len() + 1;
    let text = match width_of_messages() {
        Some(width) => {
            let lines = text.lines().map(|line| wrapped(line, width.saturating_sub(indent), 0));
            lines.collect::<Vec<_>>().join("\n").replace('\n', &format!("\n{}", " ".repeat(indent)))
        }
        None => text,
    };
    // Where messages cannot be written, there is nobody to tell.
    let _ = writeln!(anstream::stderr(), "{style}{lead}{style:#} {text}");
}
