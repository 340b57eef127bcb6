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

pub(crate) const STYLE: &str = "\
:root { color-scheme: light dark; --ink: #1f2328; --soft: #57606a; --line: #d0d7de; --paper: #fff; --card: #f6f8fa; --accent: #0b62a4; --alarm: #a40e26; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6edf3; --soft: #9da7b1; --line: #3d444d; --paper: #0d1117; --card: #161b22; --accent: #6cb6ff; --alarm: #ff8182; } }
body { font: 16px/1.55 system-ui, sans-serif; color: var(--ink); background: var(--paper); max-width: 58rem; margin: 2rem auto; padding: 0 1rem; }
h1, h2, h3 { line-height: 1.25; }
h2 { margin-top: 3rem; border-top: 1px solid var(--line); padding-top: 1.5rem; }
h3 { margin-top: 2rem; font-size: 1.05rem; }
.lead { font-size: 1.1rem; }
.card { background: var(--card); border: 1px solid var(--line); border-radius: 6px; padding: .2rem 1.2rem; margin: 1.5rem 0; }
.alarm { border-color: var(--alarm); color: var(--alarm); font-weight: 600; }
.soft, figcaption { color: var(--soft); font-size: .92rem; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
caption { text-align: left; color: var(--soft); font-size: .92rem; padding-bottom: .4rem; }
th, td { text-align: left; padding: .3rem .7rem .3rem 0; border-bottom: 1px solid var(--line); vertical-align: middle; }
th { font-weight: 600; } tbody th { font-weight: normal; }
td.number, th.number { text-align: right; white-space: nowrap; }
td.bar-cell { width: 30%; min-width: 8rem; padding-right: 0; }
svg.bar { display: block; width: 100%; height: 1rem; }
.bar-rail { fill: var(--line); } .bar-neutral { fill: var(--soft); } .bar-range { fill: var(--accent); opacity: .45; } .bar-middle { fill: var(--accent); }
figure { margin: 1.5rem 0; }
figure svg { display: block; background: #fff; border: 1px solid var(--line); border-radius: 6px; min-width: 34rem; max-width: 100%; height: auto; }
summary { cursor: pointer; color: var(--accent); margin: .4rem 0; }
code { font-size: .9em; }
dt { font-weight: 600; margin-top: .6rem; } dd { margin-left: 0; }
@media print { body { max-width: none; margin: 0; font-size: 11pt; } h2 { break-after: avoid; } tr, figure, .card { break-inside: avoid; } :root { --ink: #000; --paper: #fff; --card: #fff; --soft: #444; --line: #bbb; --accent: #0b62a4; } }
";
