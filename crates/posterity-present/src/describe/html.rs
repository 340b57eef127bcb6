//! A description as a page.

use maud::{Markup, html};

use super::page::{Block, Description, Section};
use crate::html::{alone, table_rows};

/// The lines to sign on are for paper.
const STYLE: &str = "\
.facts { display: grid; grid-template-columns: minmax(8rem, max-content) 1fr; gap: 0.2rem 1.2rem; }
.facts dt { margin: 0; }
.facts dd { overflow-wrap: anywhere; }
h2 { margin-top: 1.8rem; padding-top: 1rem; font-size: 1.25rem; }
.wide { margin: 1.2rem 0; }
.signatures { display: none; }
@media (max-width: 40rem) {
  .facts { grid-template-columns: 1fr; gap: 0; }
  .facts dd { margin-bottom: 0.5rem; }
  table { font-size: 0.8rem; }
  th, td { padding-right: 0.35rem; }
  th.number { white-space: normal; }
  tbody th { overflow-wrap: anywhere; }
}
@media print {
  h2 { margin-top: 1rem; padding-top: 0.5rem; }
  .signatures { display: flex; gap: 2rem; break-inside: avoid; margin-top: 4rem; }
  .signatures p { flex: 1; border-top: 1px solid #000; padding-top: 0.3rem; }
  pre { white-space: pre-wrap; }
}
";

impl Description {
    /// The description as a page of its own. Print it to have it on paper, or as PDF.
    #[must_use]
    pub fn html(&self) -> String {
        let body = html! {
            @if let Some(alarm) = &self.alarm { p.card.alarm { (alarm) } "\n" }
            @for one in &self.sections { (section(one)) "\n" }
            @if self.is_signed {
                div.signatures {
                    @for what in ["Name", "Date", "Signature"] { p { (what) } }
                }
            }
        };
        alone(&self.title, STYLE, &body)
    }
}

fn section(Section { heading, blocks }: &Section) -> Markup {
    html! {
        section {
            h2 { (heading) }
            "\n"
            @for one in blocks { (block(one)) "\n" }
        }
    }
}

fn block(block: &Block) -> Markup {
    match block {
        Block::Say(said) => html! { p { (said) } },
        Block::List(all) => html! { ul { @for one in all { li { (one) } "\n" } } },
        Block::Facts(facts) => html! {
            dl.facts { @for (name, value) in facts { dt { (name) } dd { (value) } "\n" } }
        },
        Block::Table(caption, table) => html! {
            div.wide tabindex="0" role="region" aria-label=(caption) {
                table {
                    caption { (caption) }
                    (table_rows(table.sheet(), usize::MAX, &[]))
                }
            }
        },
        Block::Code(line) => html! { pre tabindex="0" { code { (line) } } },
    }
}
