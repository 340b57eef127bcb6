//! A description as a page.

use super::page::{Block, Description, Section};
use crate::html::{self, alone, escaped};

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
        let alarm =
            self.alarm.as_ref().map(|alarm| format!("<p class=\"card alarm\">{}</p>", escaped(alarm)));
        let sign = ["Name", "Date", "Signature"].map(|what| format!("<p>{what}</p>")).concat();
        let sign =
            if self.is_signed { format!("<div class=\"signatures\">{sign}</div>") } else { String::new() };
        let sections: String = self.sections.iter().map(section).collect();
        alone(&self.title, STYLE, &[alarm.unwrap_or_default(), sections, sign].concat())
    }
}

fn section(section: &Section) -> String {
    let blocks: String = section.blocks.iter().map(block).collect();
    format!("<section><h2>{}</h2>\n{blocks}</section>\n", escaped(&section.heading))
}

fn block(block: &Block) -> String {
    match block {
        Block::Say(said) => format!("<p>{}</p>\n", escaped(said)),
        Block::List(all) => {
            let items: String = all.iter().map(|one| format!("<li>{}</li>\n", escaped(one))).collect();
            format!("<ul>\n{items}</ul>\n")
        }
        Block::Facts(facts) => {
            let fact = |(name, value): &(&str, String)| {
                format!("<dt>{}</dt><dd>{}</dd>\n", escaped(name), escaped(value))
            };
            format!("<dl class=\"facts\">\n{}</dl>\n", facts.iter().map(fact).collect::<String>())
        }
        Block::Table(caption, table) => format!(
            "<div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"{caption}\"><table><caption>{caption}</caption>{}</table></div>\n",
            html::rows(table.sheet(), usize::MAX, &[]),
            caption = escaped(caption),
        ),
        Block::Code(line) => format!("<pre tabindex=\"0\"><code>{}</code></pre>\n", escaped(line)),
    }
}
