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
  @page { margin: 14mm; }
  body { font-size: 9.5pt; line-height: 1.35; }
  h1 { font-size: 1.5rem; margin: 0 0 0.3rem; }
  h2 { margin-top: 0.8rem; padding-top: 0.4rem; font-size: 1.05rem; }
  p, ul, dl { margin: 0.3rem 0; }
  th, td { padding-top: 0.12rem; padding-bottom: 0.12rem; }
  thead { display: table-header-group; }
  .wide { margin: 0.4rem 0; overflow: visible; }
  .second { break-before: page; columns: 2; column-gap: 7mm; font-size: 7.6pt; line-height: 1.28; }
  .second h2 { font-size: 9pt; margin-top: 0.5rem; padding-top: 0.25rem; }
  .second h2:first-child { margin-top: 0; }
  .second .facts { grid-template-columns: 9em 1fr; gap: 0.1rem 0.6rem; }
  .second ul { padding-left: 1.2em; }
  .second td, .second th { overflow-wrap: anywhere; }
  .second table, .second caption, .second pre { font-size: inherit; }
  .second pre { padding: 0.3rem 0.5rem; }
  td.bar-cell { width: 20%; }
  tbody th { white-space: nowrap; }
  .second tbody th { white-space: normal; }
  .signatures { display: grid; grid-template-columns: 2fr 1fr 2fr; gap: 0 2rem; break-inside: avoid; margin-top: 0.5rem; }
  .signatures .signed { grid-column: 1 / -1; border: 0; margin-bottom: 2.6rem; font-weight: 600; overflow-wrap: anywhere; }
  .signatures p { border-top: 1px solid #000; padding-top: 0.2rem; }
  pre { white-space: pre-wrap; }
}
";

impl Description {
    /// The description as a page of its own. Print it to have it on paper, or as PDF.
    #[must_use]
    pub fn html(&self) -> String {
        let body = html! {
            @if let Some(alarm) = &self.alarm { p.card.alarm { (alarm) } "\n" }
            @for one in self.sections.iter().filter(|one| one.is_first) { (section(one)) "\n" }
            div.second {
                @for one in self.sections.iter().filter(|one| !one.is_first) { (section(one)) "\n" }
            }
            @if let Some(signed) = &self.signed {
                div.signatures {
                    p.signed { (signed) }
                    @for what in ["Name", "Date", "Signature"] { p { (what) } }
                }
            }
        };
        alone(&self.title, STYLE, &body)
    }
}

fn section(Section { heading, blocks, .. }: &Section) -> Markup {
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
                    (table_rows(table.sheet(), usize::MAX, &table.bars()))
                }
            }
        },
        Block::Code(line) => html! { pre tabindex="0" { code { (line) } } },
    }
}
