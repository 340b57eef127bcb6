//! The report: one page that shows each figure beside the claims that it decides.

use std::fmt::Write;

use posterity_plot::{PlotFormat, render};
use posterity_present::html::{alone, escaped};

use crate::check::Finding;
use crate::claim::{Decision, Verdict};
use crate::claims::sign;
use crate::conclusions::Conclusions;
use crate::error::ReproduceError;
use crate::experiment::Group;
use crate::mode::Mode;
use crate::run::ExperimentResult;

const STYLE: &str = "\
main { max-width: 62rem; }
section { margin: 2.5rem 0; }
.source, .evidence, .file { color: var(--soft); font-size: 0.9rem; }
th, td { vertical-align: top; }
.verdict { font-weight: 600; white-space: nowrap; }
.confirmed::before { content: \"\\2713\\00a0\"; }
.refined::before { content: \"\\007e\\00a0\"; }
.refuted::before { content: \"\\2717\\00a0\"; }
.undecided::before { content: \"\\003f\\00a0\"; }
.confirmed { color: var(--c3); }
.refined { color: var(--c4); }
.refuted { color: var(--c2); }
.undecided { color: var(--c6); }
ul.contents { columns: 2; padding-left: 1.2rem; }
@media print { section { break-inside: avoid; } }
";

/// The report as one HTML document that needs nothing else: no scripts, no network, no other files.
///
/// # Errors
/// [`ReproduceError::Plot`] if a picture cannot be drawn.
pub fn report(
    results: &[ExperimentResult],
    conclusions: &Conclusions,
    mode: Mode,
) -> Result<String, ReproduceError> {
    let mut page = Page { html: String::new() };
    let how = match mode {
        Mode::Full => "Sampled figures use as many releases as were published; everything else is exact.",
        Mode::Quick => {
            "A quick pass: fewer sizes and fewer releases than published. Verdicts may differ from those of a full run."
        }
    };
    page.line(&format!(
        "<p>Every verdict on this page is computed from the numbers of the figure beside it. {how} Nothing here is private: \
         the data are public or made up, and the random numbers are seeded.</p>"
    ));
    page.summary(results);
    page.contents(results);
    for group in Group::ALL {
        let mine: Vec<&ExperimentResult> = results.iter().filter(|result| result.group == group).collect();
        if !mine.is_empty() {
            page.line(&format!("<h2>{}</h2>", group.title()));
        }
        for result in mine {
            page.experiment(result)?;
        }
    }
    page.conclusions(results, conclusions);
    Ok(alone("The research, reproduced", STYLE, &page.html))
}

struct Page {
    html: String,
}

impl Page {
    fn line(&mut self, text: &str) {
        self.html.push_str(text);
        self.html.push('\n');
    }

    fn summary(&mut self, results: &[ExperimentResult]) {
        let all: Vec<&Decision> = results.iter().flat_map(|result| &result.decisions).collect();
        let count = |verdict| all.iter().filter(|decision| decision.verdict == verdict).count();
        let counts = Verdict::ALL.map(|verdict| format!("{} {verdict}", count(verdict))).join(", ");
        self.line(&format!(
            "<p>{} figures decide {} claims: {counts}. A claim is confirmed if all comparisons that it makes hold, refuted if \
             all fail, and refined if some hold and some fail. It is undecided if sampling leaves that open. \
             <code>claims.csv</code> lists all claims.</p>",
            results.len(),
            all.len(),
        ));
    }

    fn contents(&mut self, results: &[ExperimentResult]) {
        self.line("<ul class=\"contents\">");
        for result in results {
            self.line(&format!(
                "<li><a href=\"#{}\">{}</a></li>",
                escaped(&result.name),
                escaped(&result.title)
            ));
        }
        self.line("<li><a href=\"#conclusions\">The conclusions, one by one</a></li>");
        self.line("</ul>");
    }

    fn experiment(&mut self, result: &ExperimentResult) -> Result<(), ReproduceError> {
        let svg = render(&result.figure, PlotFormat::Svg, &result.name)?;
        let svg = String::from_utf8_lossy(&svg).into_owned();
        // An XML declaration has no place inside a page.
        let svg = svg.find("<svg").map_or(svg.as_str(), |start| &svg[start..]);
        self.line(&format!("<section id=\"{}\">", escaped(&result.name)));
        self.line(&format!("<h3>{}</h3>", escaped(&result.title)));
        self.line("<figure>");
        self.line(svg);
        self.line(&format!(
            "<figcaption>{} <span class=\"file\">Numbers: <code>{}.csv</code></span></figcaption>",
            escaped(&result.reading),
            escaped(&result.name)
        ));
        self.line("</figure>");
        self.line("<table><thead><tr><th scope=\"col\">Claim</th><th scope=\"col\">Verdict</th><th scope=\"col\">Because</th></tr></thead><tbody>");
        for decision in &result.decisions {
            self.line(&format!(
                "<tr><td>{}<br><span class=\"source\">{}</span></td>{}<td class=\"evidence\">{}</td></tr>",
                escaped(&decision.claim.text),
                escaped(&decision.claim.source),
                mark(Some(decision.verdict)),
                because(decision)
            ));
        }
        self.line("</tbody></table></section>");
        Ok(())
    }

    fn conclusions(&mut self, results: &[ExperimentResult], conclusions: &Conclusions) {
        self.line("<h2 id=\"conclusions\">The conclusions, one by one</h2>");
        self.line(
            "<p>A conclusion is confirmed if all claims that it stands on are, refuted if all are, refined if some hold \
             and some fail, and otherwise undecided.</p>",
        );
        self.line(
            "<table><thead><tr><th scope=\"col\">Conclusion</th><th scope=\"col\">Verdict</th><th scope=\"col\">Decided by</th></tr></thead><tbody>",
        );
        for conclusion in &conclusions.all {
            let mut cell = String::new();
            for (name, decision) in conclusion.decisions(results) {
                // Writing into a string does not fail.
                let _ = write!(
                    cell,
                    "<p><a href=\"#{0}\">{0}</a> <span class=\"verdict {1}\">{1}</span>: {2}</p>",
                    escaped(name),
                    decision.verdict,
                    because(decision)
                );
            }
            self.line(&format!(
                "<tr><td>{}<br><span class=\"source\">{}</span></td>{}<td class=\"evidence\">{cell}</td></tr>",
                escaped(&conclusion.text),
                escaped(&conclusion.source),
                mark(conclusion.verdict(results))
            ));
        }
        self.line("</tbody></table>");
    }
}

fn mark(verdict: Option<Verdict>) -> String {
    match verdict {
        Some(verdict) => format!("<td class=\"verdict {verdict}\">{verdict}</td>"),
        None => "<td class=\"verdict\">not run</td>".to_owned(),
    }
}

/// Why a claim is decided as it is: one sentence, and behind it all numbers, folded.
fn because(decision: &Decision) -> String {
    let shown =
        |finding: &Finding| format!("{} <em>({})</em>", escaped(finding.evidence.trim()), sign(finding));
    let mut findings: Vec<String> = Vec::new();
    if let Some(instead) = &decision.instead {
        findings.push(format!("<strong>{}</strong>", escaped(&instead.text)));
        findings.extend(instead.findings.iter().map(shown));
    }
    findings.extend(decision.findings.iter().map(shown));
    let first = findings.remove(0);
    match findings.len() {
        0 => first,
        more => {
            let numbers = if more == 1 { "one more number" } else { &format!("{more} more numbers") };
            format!("{first}<details><summary>{numbers}</summary>{}</details>", findings.join("<br>"))
        }
    }
}
