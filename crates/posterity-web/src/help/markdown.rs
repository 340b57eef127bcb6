//! The little of Markdown that the glossary uses: headings, paragraphs, links and code.

use maud::{Markup, html};

/// A text as headings and paragraphs. Its title and what stands before the first heading are left out.
pub(super) struct Text(Vec<Block>);

enum Block {
    Heading { id: String, name: String },
    Paragraph(Markup),
}

impl Text {
    pub(super) fn new(markdown: &str) -> Self {
        let blocks = markdown.split("\n\n").map(|block| block.trim().replace('\n', " "));
        let blocks = blocks.skip_while(|block| !block.starts_with("## ")).filter(|block| !block.is_empty());
        Self(blocks.map(|block| Block::new(&block)).collect())
    }

    /// The headings, with the names that links use.
    pub(super) fn headings(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().filter_map(|block| match block {
            Block::Heading { id, name } => Some((id.as_str(), name.as_str())),
            Block::Paragraph(_) => None,
        })
    }

    pub(super) fn html(&self) -> Markup {
        html! {
            @for block in &self.0 {
                @match block {
                    Block::Heading { id, name } => { h2 id=(id) { (name) } },
                    Block::Paragraph(text) => { p { (text) } },
                }
            }
        }
    }
}

impl Block {
    fn new(text: &str) -> Self {
        match text.strip_prefix("## ") {
            Some(name) => Self::Heading { id: anchor(name), name: name.to_owned() },
            None => Self::Paragraph(inline(text)),
        }
    }
}

/// The name of a heading in links: its letters and numbers, with dashes for blanks.
fn anchor(name: &str) -> String {
    let kept = name.to_lowercase().replace(' ', "-");
    kept.chars().filter(|letter| letter.is_ascii_alphanumeric() || *letter == '-').collect()
}

/// A paragraph. Every second part between backticks is code.
fn inline(text: &str) -> Markup {
    html! {
        @for (index, part) in text.split('`').enumerate() {
            @if index % 2 == 0 { (linked(part)) } @else { code { (part) } }
        }
    }
}

/// Text with links. Those within the page work; those to other pages of the documentation become their names.
fn linked(text: &str) -> Markup {
    let Some((before, name, to, after)) = first_link(text) else { return html! { (text) } };
    html! {
        (before)
        @if to.starts_with('#') { a href=(to) { (name) } } @else { (name) }
        (linked(after))
    }
}

/// What stands before the first link of a text, its name, where it leads, and what follows; none without a link.
fn first_link(text: &str) -> Option<(&str, &str, &str, &str)> {
    let (before, rest) = text.split_once('[')?;
    let (name, rest) = rest.split_once("](")?;
    let (to, after) = rest.split_once(')')?;
    Some((before, name, to, after))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_glossary_is_shown_as_a_whole() {
        let glossary = include_str!("../../../../docs/glossary.md");
        let text = Text::new(glossary);
        let (ids, shown): (Vec<&str>, String) =
            (text.headings().map(|(id, _)| id).collect(), text.html().into_string());
        assert_eq!(ids.len(), glossary.matches("\n## ").count());
        for mark in ["](", "##", "`", "**"] {
            assert!(!shown.contains(mark), "{mark} is left: {shown}");
        }
        let links: Vec<&str> =
            shown.split("href=\"#").skip(1).filter_map(|rest| rest.split('"').next()).collect();
        assert!(links.len() > 20, "{links:?}");
        assert!(links.iter().all(|link| ids.contains(link)), "{links:?} {ids:?}");
    }

    #[test]
    fn text_is_escaped() {
        let shown =
            Text::new("# Title\n\nBefore.\n\n## A <b>\n\nSee [a\nlink](#x), `<code>` and [p.md](p.md#y).\n")
                .html()
                .into_string();
        assert_eq!(
            shown,
            "<h2 id=\"a-b\">A &lt;b&gt;</h2><p>See <a href=\"#x\">a link</a>, <code>&lt;code&gt;</code> and p.md.</p>"
        );
    }
}
