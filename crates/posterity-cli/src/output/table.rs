//! Aligned tables and wrapped sentences.

use std::ops::Range;

use anstyle::{AnsiColor, Style};
use posterity::hidden::shown;
use posterity_present::{AlignedCell, Setting, Sheet, Value, aligned};

use super::page::{Page, Paragraph, Part, Tone};
use super::wrap::{lines, wrapped};

/// The colours of all that the command prints.
pub(crate) mod style {
    use super::{AnsiColor, Style};

    pub(crate) const HEADER: Style = Style::new().bold();
    pub(crate) const WARNING: Style = AnsiColor::Yellow.on_default().bold();
    pub(crate) const ALARM: Style = AnsiColor::Red.on_default().bold();
}

/// The text of a page, with colours, and with its prose wrapped at this width.
pub(super) fn export(page: Page<'_>, width: usize, explain: bool) -> String {
    let mut text = String::new();
    let mut before = None;
    for part in page.parts {
        let (kind, written) = match part {
            Part::Sheet(sheet) => (PartKind::Sheet, table(sheet, width)),
            Part::Said(said) => (PartKind::Said, paragraph(&said, width)),
            Part::Brief(said) if !explain => (PartKind::Said, paragraph(&said, width)),
            Part::Explained(said) if explain => {
                (PartKind::Explained, said().iter().map(|said| paragraph(said, width)).collect())
            }
            Part::Brief(_) | Part::Explained(_) => continue,
            Part::Pause => {
                before = Some(PartKind::Pause);
                continue;
            }
        };
        // Paragraphs of one kind stand below each other; all else is set apart.
        if before.is_some_and(|before| before != kind || kind == PartKind::Sheet) {
            text.push('\n');
        }
        before = Some(kind);
        text += &written;
    }
    text
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum PartKind {
    Sheet,
    Said,
    Explained,
    Pause,
}

fn table(sheet: Sheet<'_>, width: usize) -> String {
    aligned(sheet, &|cell| match cell.column.setting {
        Setting::Wrapped => wrapped_cell(cell, width),
        Setting::Left | Setting::Right => styled(cell.text, style_of(cell)),
    })
}

/// How the text of a cell looks.
fn style_of(cell: &AlignedCell<'_>) -> Style {
    match cell.value {
        None => style::HEADER,
        Some(Value::Warning(_)) => style::ALARM,
        Some(Value::Truth(false)) => style::WARNING,
        Some(_) => Style::new(),
    }
}

/// A cell of the last column that holds prose: it goes on below itself in the next lines.
fn wrapped_cell(cell: &AlignedCell<'_>, width: usize) -> String {
    const NARROWEST: usize = 24;
    let room = width.saturating_sub(cell.begin).max(NARROWEST);
    let text = wrapped(cell.text, room, 0).replace('\n', &format!("\n{}", " ".repeat(cell.begin)));
    styled(&text, style_of(cell))
}

/// A paragraph, wrapped, with its lines below the first indented behind the lead.
fn paragraph(paragraph: &Paragraph, width: usize) -> String {
    let (mut text, mut styles) = (String::new(), Vec::new());
    let lead = paragraph.lead.map(|lead| (style::HEADER, format!("{lead} ")));
    let spans = paragraph.spans.iter().map(|(tone, span)| (tone.style(), shown(span).into_owned()));
    for (style, span) in lead.into_iter().chain(spans) {
        let begin = text.len();
        text += &span;
        styles.push((begin..text.len(), style));
    }
    let indent = paragraph.lead.map_or(0, |lead| length(lead) + 1);
    let mut written = String::new();
    for (index, line) in lines(&text, width, width.saturating_sub(indent)).into_iter().enumerate() {
        written += &" ".repeat(if index == 0 { 0 } else { indent });
        written += &styled_line(&text, line, &styles);
        written.push('\n');
    }
    written
}

/// The part of a text that is one line, in the styles of its spans.
fn styled_line(text: &str, line: Range<usize>, styles: &[(Range<usize>, Style)]) -> String {
    let inside = |span: &Range<usize>| span.start.max(line.start)..span.end.min(line.end);
    let pieces = styles.iter().map(|(span, style)| (inside(span), *style));
    pieces.filter(|(piece, _)| !piece.is_empty()).map(|(piece, style)| styled(&text[piece], style)).collect()
}

impl Tone {
    fn style(self) -> Style {
        match self {
            Self::Plain => Style::new(),
            Self::Head => style::HEADER,
            Self::Warning => style::WARNING,
            Self::Alarm => style::ALARM,
        }
    }
}

fn styled(text: &str, style: Style) -> String {
    if style.is_plain() { text.to_owned() } else { format!("{style}{text}{style:#}") }
}

fn length(text: &str) -> usize {
    text.chars().count()
}

#[cfg(test)]
mod tests {
    use posterity_present::Column;

    use super::*;

    /// The text without colours.
    fn plain(page: Page<'_>, width: usize, explain: bool) -> String {
        anstream::adapter::strip_str(&export(page, width, explain)).to_string()
    }

    fn page() -> Page<'static> {
        let mut page = Page::default();
        let columns = vec![Column::text("name"), Column::number("value"), Column::prose("why")];
        let rows = vec![
            vec![Value::text("one"), Value::Real(0.25), Value::text("because it is so and not otherwise")],
            vec![Value::text("a longer name"), Value::Missing, Value::text("")],
            vec![Value::text("up\u{1b}[2Jset"), Value::Truth(false), Value::text("x")],
        ];
        page.sheet(Sheet::new(columns, rows));
        page.say(
            Paragraph::default().plain("A posterior, ").alarm("NOT PRIVATE").plain(": for reading only."),
        );
        page.explain(Paragraph::led(
            "Note:",
            "these words are shown on request only, indented below the first.",
        ));
        page
    }

    #[test]
    fn columns_are_aligned_and_prose_is_wrapped() {
        let expected = "\
name             value  why
one             0.2500  because it is so and not
                        otherwise
a longer name
up\\u001b[2Jset      no  x

A posterior, NOT PRIVATE: for reading only.
";
        let found = plain(page(), 47, false);
        assert_eq!(found, expected);
        assert!(found.lines().all(|line| line == line.trim_end()));
        let explained = plain(page(), 40, true);
        let note = "\nNote: these words are shown on request\n      only, indented below the first.\n";
        assert!(explained.ends_with(note), "{explained}");
    }

    #[test]
    fn what_must_not_be_missed_is_red_in_every_line_it_is_in() {
        let red = |text: &str| styled(text, style::ALARM);
        assert!(export(page(), 80, false).contains(&red("NOT PRIVATE")));
        let broken = export(page(), 20, false);
        assert!(broken.contains(&format!("{}\n{}", red("NOT"), red("PRIVATE"))), "{broken}");
    }
}
