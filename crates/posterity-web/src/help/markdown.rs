//! The little of Markdown that the glossary uses: headings, paragraphs, links and code.

use crate::html;

/// A text as headings and paragraphs, in HTML. Its title and what stands before the first heading are left out.
pub(super) struct Text(Vec<Block>);

enum Block {
    Heading { id: String, name: String },
    Paragraph(String),
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

    pub(super) fn html(&self) -> String {
        let block = |block: &Block| match block {
            Block::Heading { id, name } => format!("<h2 id=\"{id}\">{name}</h2>"),
            Block::Paragraph(text) => format!("<p>{text}</p>"),
        };
        self.0.iter().map(block).collect()
    }
}

impl Block {
    fn new(text: &str) -> Self {
        match text.strip_prefix("## ") {
            Some(name) => Self::Heading { id: anchor(name), name: html::text(name) },
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
fn inline(text: &str) -> String {
    let part = |(index, part): (usize, &str)| match index % 2 {
        0 => linked(part),
        _ => format!("<code>{}</code>", html::text(part)),
    };
    text.split('`').enumerate().map(part).collect()
}

/// Text with links. Those within the page work; those to other pages of the documentation become their names.
fn linked(text: &str) -> String {
    let Some((before, rest)) = text.split_once('[') else { return html::text(text) };
    let Some((name, rest)) = rest.split_once("](") else { return html::text(text) };
    let Some((to, after)) = rest.split_once(')') else { return html::text(text) };
    let name = html::text(name);
    let link = if to.starts_with('#') { format!("<a href=\"{}\">{name}</a>", html::text(to)) } else { name };
    html::text(before) + &link + &linked(after)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_glossary_is_shown_as_a_whole() {
        let glossary = include_str!("../../../../docs/glossary.md");
        let text = Text::new(glossary);
        let (ids, shown): (Vec<&str>, String) = (text.headings().map(|(id, _)| id).collect(), text.html());
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
                .html();
        assert_eq!(
            shown,
            "<h2 id=\"a-b\">A &lt;b&gt;</h2><p>See <a href=\"#x\">a link</a>, <code>&lt;code&gt;</code> and p.md.</p>"
        );
    }
}
