//! The report: one page that shows each figure beside the claims that it decides.

use maud::{Markup, PreEscaped, html};
use posterity_plot::{PlotFormat, render};
use posterity_present::html::alone;

use crate::check::Finding;
use crate::claim::{Decision, DistanceReading, LawReading};
use crate::claims::sign;
use crate::conclusions::{Conclusion, Conclusions};
use crate::error::ReproduceError;
use crate::experiment::Group;
use crate::mode::Mode;
use crate::run::ExperimentResult;
use crate::verdict::Verdict;

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
    let pictures: Vec<Markup> = results.iter().map(picture).collect::<Result<_, _>>()?;
    let body = html! {
        (introduction(mode)) "\n"
        (summary(results)) "\n"
        (contents(results)) "\n"
        @for group in Group::ALL {
            @for (index, (result, picture)) in of_group(results, &pictures, group).enumerate() {
                @if index == 0 { h2 { (group.title()) } "\n" }
                (experiment(result, picture)) "\n"
            }
        }
        (all_conclusions(results, conclusions))
    };
    Ok(alone("The research, reproduced", STYLE, &body))
}

/// The results of a group with their pictures.
fn of_group<'a>(
    results: &'a [ExperimentResult],
    pictures: &'a [Markup],
    group: Group,
) -> impl Iterator<Item = (&'a ExperimentResult, &'a Markup)> {
    results.iter().zip(pictures).filter(move |(result, _)| result.group == group)
}

fn introduction(mode: Mode) -> Markup {
    let how = match mode {
        Mode::Full => "Sampled figures use as many releases as were published; everything else is exact.",
        Mode::Quick => {
            "A quick pass: fewer sizes and fewer releases than published. Verdicts may differ from those of a full run."
        }
    };
    html! {
        p {
            "Every verdict on this page is computed from the numbers of the figure beside it. " (how) " Nothing here is \
             private: the data are public or made up, and the random numbers are seeded."
        }
    }
}

fn summary(results: &[ExperimentResult]) -> Markup {
    let all: Vec<&Decision> = results.iter().flat_map(|result| &result.decisions).collect();
    let count = |verdict| all.iter().filter(|decision| decision.verdict == verdict).count();
    let counts = Verdict::ALL.map(|verdict| format!("{} {verdict}", count(verdict))).join(", ");
    html! {
        p {
            (results.len()) " figures decide " (all.len()) " claims: " (counts) ". What is said of everything is refuted by \
             one counterexample; then the largest region where it holds is named. What is said of something is confirmed by \
             one example. A claim about settings that it names is refined if it holds in some of them. It is undecided if \
             sampling leaves that open. " code { "claims.csv" } " lists all claims."
        }
    }
}

fn contents(results: &[ExperimentResult]) -> Markup {
    html! {
        ul.contents {
            @for result in results {
                li { a href={ "#" (result.name) } { (result.title) } }
                "\n"
            }
            li { a href="#conclusions" { "The conclusions, one by one" } }
        }
    }
}

fn picture(result: &ExperimentResult) -> Result<Markup, ReproduceError> {
    let svg = render(&result.figure, PlotFormat::Svg, &result.name)?;
    let svg = String::from_utf8_lossy(&svg).into_owned();
    // An XML declaration has no place inside a page.
    let start = svg.find("<svg").unwrap_or(0);
    Ok(PreEscaped(svg[start..].to_owned()))
}

fn experiment(result: &ExperimentResult, picture: &Markup) -> Markup {
    html! {
        section id=(result.name) {
            h3 { (result.title) }
            figure {
                "\n" (picture) "\n"
                figcaption {
                    (result.reading) " "
                    span.file { "Numbers: " code { (result.name) ".csv" } }
                }
            }
            table {
                thead { tr { (heads(["Claim", "Verdict", "Because"])) } }
                tbody {
                    @for one in &result.decisions {
                        (row(&one.claim.text, &about(one), Some(one.verdict), &because(one))) "\n"
                    }
                }
            }
        }
    }
}

/// Where a claim is from, what it speaks of, and of which law and distance if not of those that are defined.
fn about(decision: &Decision) -> String {
    let claim = &decision.claim;
    let mut text = format!("{}; {}", claim.source, claim.quantifier);
    if claim.law != LawReading::Defined {
        text.push_str(&format!("; law {}", claim.law));
    }
    if claim.distance != DistanceReading::Defined {
        text.push_str(&format!("; distance {}", claim.distance));
    }
    text
}

fn heads(names: [&str; 3]) -> Markup {
    html! { @for name in names { th scope="col" { (name) } } }
}

fn all_conclusions(results: &[ExperimentResult], conclusions: &Conclusions) -> Markup {
    html! {
        h2 id="conclusions" { "The conclusions, one by one" }
        p {
            "A conclusion is confirmed if all claims that it stands on are, refuted if all are, refined if some hold and some \
             fail, and otherwise undecided. Where the distance of the published pictures, or a law that a section prints, \
             could decide it otherwise, it is decided with that too."
        }
        table {
            thead { tr { (heads(["Conclusion", "Verdict", "Decided by"])) } }
            tbody {
                @for conclusion in &conclusions.all {
                    (row(
                        &conclusion.text,
                        &conclusion.source,
                        conclusion.verdict(results),
                        &decided_by(results, &conclusion.decided_by),
                    ))
                    "\n"
                    @for (name, references) in [
                        ("with the distance as drawn", &conclusion.as_drawn),
                        ("with the law as printed", &conclusion.as_printed),
                    ] {
                        @if !references.is_empty() {
                            (row(
                                "the same",
                                name,
                                Conclusion::verdict_of(results, references),
                                &decided_by(results, references),
                            ))
                            "\n"
                        }
                    }
                    @if !conclusion.not_drawn.is_empty() {
                        tr { td { "with the distance as drawn" } td {} td.evidence { (conclusion.not_drawn) } }
                        "\n"
                    }
                }
            }
        }
    }
}

/// The claims that a conclusion stands on.
fn decided_by(results: &[ExperimentResult], references: &[String]) -> Markup {
    html! {
        @for (name, decision) in Conclusion::decisions(results, references) {
            p {
                a href={ "#" (name) } { (name) "/" (decision.claim.id) }
                " "
                span.verdict.(decision.verdict.to_string()) { (decision.verdict) }
                ": " (because(decision))
            }
        }
    }
}

/// What is said, where it was published, and what came of it.
fn row(text: &str, source: &str, verdict: Option<Verdict>, because: &Markup) -> Markup {
    html! {
        tr {
            td {
                (text)
                br;
                span.source { (source) }
            }
            @match verdict {
                Some(verdict) => { td.verdict.(verdict.to_string()) { (verdict) } },
                None => { td.verdict { "not run" } },
            }
            td.evidence { (because) }
        }
    }
}

/// Why a claim is decided as it is: one sentence, and behind it all numbers, folded.
fn because(decision: &Decision) -> Markup {
    let shown = |finding: &Finding| html! { (finding.evidence.trim()) " " em { "(" (sign(finding)) ")" } };
    let mut findings: Vec<Markup> = Vec::new();
    if let Some(instead) = &decision.instead {
        findings.push(html! { strong { (instead.text) } });
        findings.extend(instead.findings.iter().map(shown));
    }
    if let Some(region) = &decision.region {
        findings.push(html! { "It holds " (region) "." });
    }
    findings.extend(decision.findings.iter().map(shown));
    let more = findings.len().saturating_sub(1);
    html! {
        @for first in findings.iter().take(1) { (first) }
        @if more > 0 {
            details {
                summary { @if more == 1 { "one more number" } @else { (more) " more numbers" } }
                @for (index, finding) in findings.iter().skip(1).enumerate() {
                    @if index > 0 { br; }
                    (finding)
                }
            }
        }
    }
}
