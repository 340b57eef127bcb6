//! Pieces of a page.

use posterity_present::html::escaped;

/// A page that is written line by line.
#[derive(Debug, Default)]
pub(crate) struct Page(String);

impl Page {
    pub(crate) fn line(&mut self, text: impl AsRef<str>) {
        self.0 += text.as_ref();
        self.0.push('\n');
    }

    /// A paragraph of plain text.
    pub(crate) fn say(&mut self, text: impl AsRef<str>) {
        self.line(format!("<p>{}</p>", escaped(text.as_ref())));
    }

    pub(crate) fn text(self) -> String {
        self.0
    }
}
