//! The fields that the pages of all forms have alike.

use posterity::Epsilon;

use super::common::Common;
use crate::adjacency;
use crate::chosen::FileForm;
use crate::desk::Desk;
use crate::html;
use crate::layout::{self, Section};
use crate::readings::ReadingForm;
use crate::typed::Typed;
use crate::{delimiter, encoding};

/// A page without its form, which says why there is none.
pub(super) fn without(title: &str, lead: &str, wrong: &str, more: &str) -> String {
    let body =
        format!("<div class=\"intro\"><h1>{title}</h1><p class=\"lead\">{lead}</p></div>{wrong}{more}");
    layout::page(title, Section::Release, &body)
}

/// The page of a form at this address. `intro` stands above it, in HTML.
pub(super) fn page(
    desk: &Desk<'_>,
    (title, address): (&str, &str),
    intro: &str,
    fieldsets: [String; 5],
) -> String {
    let body = format!(
        "{intro}<form class=\"release\" data-keep=\"{address}\" action=\"{address}/check\" method=\"post\" autocomplete=\"off\">{}{}\
         <p class=\"act\"><button>Look at the summary</button> <span class=\"help\">This reads and charges nothing.</span></p></form>",
        desk.token,
        fieldsets.concat()
    );
    layout::page(title, Section::Release, &body)
}

/// The file, its edition and how it is written.
pub(super) fn file(files: &[String], typed: &FileForm) -> String {
    format!(
        "<fieldset><legend>1. The file</legend><p><label for=\"file\">File</label><select id=\"file\" name=\"file\" required>\
         <option value=\"\">Choose a file</option>{}</select></p>\
         <p><label for=\"edition\">Its edition</label><input id=\"edition\" name=\"edition\" value=\"{}\" placeholder=\"2026\" \
         aria-describedby=\"edition-help\"><span class=\"help\" id=\"edition-help\">Leave it empty for a file that never changes. It is \
         published, and tells this file from earlier ones of the same name, whose answers the ledger has.</span></p>\
         <details{}><summary>How the file is written</summary>{}{}</details></fieldset>",
        html::options(files, |name| *typed.name == *name),
        html::text(&typed.edition),
        html::attribute("open", !typed.delimiter.is_empty() || !typed.encoding.is_empty()),
        delimiter::field(&typed.delimiter),
        encoding::field(&typed.encoding)
    )
}

/// Who is protected, as far as forms differ in it.
pub(super) struct People<'a> {
    /// What follows if the number of people is public, and if it is not.
    pub(super) follows: [&'a str; 2],
    /// How often each person counts.
    pub(super) counts: &'a str,
    /// Rules of counting beside the usual ones, with what they mean, and the one that is chosen.
    pub(super) rules: &'a [(&'a str, &'a str)],
    pub(super) chosen: &'a str,
    /// Fields that belong to these rules.
    pub(super) rule_fields: String,
    /// The fields of other and missing values.
    pub(super) undeclared: String,
    /// Whether there is something in the fields that are folded.
    pub(super) open: bool,
}

/// Who is protected.
pub(super) fn people(typed: &Common, people: &People<'_>) -> String {
    const USUAL: [(&str, &str); 3] = [
        ("random", "one of its records, drawn at random"),
        ("first", "the value that is declared first"),
        ("mode", "the value that most of its records have"),
    ];
    let rule = |(name, words): &(&str, &str)| {
        let chosen = html::attribute("selected", *name == people.chosen);
        format!("<option value=\"{name}\"{chosen}>{words}</option>")
    };
    let open = people.open || !typed.filter.is_empty() || people.chosen != "random";
    format!(
        "<fieldset><legend>3. Who is protected</legend>{}\
         <p><label for=\"unit\">Column that tells people apart</label><input id=\"unit\" name=\"unit\" value=\"{}\" \
         aria-describedby=\"unit-help\"><span class=\"help\" id=\"unit-help\">Leave it empty only if every person has one record. With it, \
         all records of one person are protected together, and each person counts {}.</span></p>\
         <details{}><summary>Filter, other and missing values</summary>\
         <p><label for=\"per_unit\">A person counts by</label><select id=\"per_unit\" name=\"per_unit\">{}</select></p>{}\
         <p><label for=\"filter\">Count only records where</label><input id=\"filter\" name=\"filter\" value=\"{}\" \
         placeholder=\"year = 2025\" aria-describedby=\"filter-help\"><span class=\"help\" id=\"filter-help\">The filter is published. If n is \
         public, the number of records that pass it is published exactly: use it for what is public about people only. If n is private, it may use \
         any column.</span></p>{}</details></fieldset>",
        adjacency::field(&typed.adjacency, people.follows),
        html::text(&typed.unit),
        people.counts,
        html::attribute("open", open),
        USUAL.iter().chain(people.rules).map(rule).collect::<String>(),
        people.rule_fields,
        html::text(&typed.filter),
        people.undeclared,
    )
}

/// The categories of other and of missing values of all columns. `help` follows them.
pub(super) fn undeclared(other: &Typed, missing: &Typed, help: &str) -> String {
    format!(
        "<p><label for=\"other\">Count other values as</label><input id=\"other\" name=\"other\" value=\"{}\"></p>\
         <p><label for=\"missing\">Count missing values as</label><input id=\"missing\" name=\"missing\" value=\"{}\" \
         aria-describedby=\"missing-help\"><span class=\"help\" id=\"missing-help\">{help}</span></p>",
        html::text(other),
        html::text(missing)
    )
}

/// The budget. `help` says what epsilon is for.
pub(super) fn epsilon(typed: &Typed<Epsilon>, help: &str) -> String {
    format!(
        "<p><label for=\"epsilon\">Epsilon</label><input id=\"epsilon\" name=\"epsilon\" value=\"{}\" inputmode=\"decimal\" required \
         aria-describedby=\"epsilon-help\"><span class=\"help\" id=\"epsilon-help\">{help}</span></p>",
        html::text(typed.or("1"))
    )
}

/// What to read. `lead` stands before what is said of all readings.
pub(super) fn readings(typed: &ReadingForm, lead: &str, independence: bool) -> String {
    format!(
        "<fieldset><legend>5. What to read from it</legend><p class=\"help\">{lead}Readings cost nothing, and more of them can be asked for \
         later.</p><details{}><summary>Readings and comparisons</summary>{}</details>{}</fieldset>",
        html::attribute("open", !typed.is_empty()),
        typed.fields(independence),
        typed.intervals()
    )
}
