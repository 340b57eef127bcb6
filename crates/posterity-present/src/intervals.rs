//! Which intervals are shown, of what, and what is peculiar about some of them: in words.

use posterity::number;
use posterity::table::{IntervalKind, ReadingMethod, ReadingRow, Selection, Statistic, Subject, Unknown};
use posterity::{Contrasted, Document, Publication, ReadingTable};

use crate::uncertain::{percent, percents};

/// The kind and the level of the intervals of a table.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shown {
    /// The kind.
    pub kind: IntervalKind,
    /// The level.
    pub level: f64,
    /// Whether all of them hold at once.
    pub simultaneous: bool,
    /// Whether they leave the noise out.
    pub without_noise: bool,
}

impl Shown {
    /// The intervals of the cells of a document. Those of too many cells are credible.
    #[must_use]
    pub fn of_cells(document: &Document) -> Self {
        document.cells().map_or(
            Self {
                kind: IntervalKind::Credible,
                level: document.request().level(),
                simultaneous: false,
                without_noise: document.noise_aware().is_none(),
            },
            Self::from,
        )
    }

    /// Those of the cells of a posterior, or of the first table of another document; nothing if there is none.
    #[must_use]
    pub fn of_document(document: &Publication) -> Option<Self> {
        match document.posterior() {
            Some(posterior) => Some(Self::of_cells(posterior)),
            None => document.readings().first().map(Self::from),
        }
    }

    /// The head of a column of intervals.
    ///
    /// ```
    /// use posterity::table::IntervalKind;
    /// use posterity_present::intervals::Shown;
    /// let shown = Shown { kind: IntervalKind::Confidence, level: 0.95, simultaneous: false, without_noise: false };
    /// assert_eq!(shown.head(), "95 % confidence interval");
    /// assert_eq!(Shown { kind: IntervalKind::Shortest, ..shown }.head(), "shortest 95 % credible interval");
    /// ```
    #[must_use]
    pub fn head(self) -> String {
        let (first, kind) = match self.kind {
            IntervalKind::Confidence => ("", "confidence"),
            IntervalKind::Credible => ("", "credible"),
            IntervalKind::Shortest => ("shortest ", "credible"),
        };
        let together = if self.simultaneous { "simultaneous " } else { "" };
        let noise = if self.without_noise { " without noise" } else { "" };
        format!("{first}{together}{} % {kind} interval{noise}", number::percent(self.level))
    }

    /// What the share beside an interval is called: an estimate is the share itself, and a posterior has a mean.
    #[must_use]
    pub fn share(self) -> &'static str {
        match self.kind {
            IntervalKind::Confidence => "share",
            IntervalKind::Credible | IntervalKind::Shortest => "mean",
        }
    }
}

impl From<&ReadingTable> for Shown {
    fn from(table: &ReadingTable) -> Self {
        Self {
            kind: table.interval,
            level: table.level,
            simultaneous: table.simultaneous,
            without_noise: table.method == ReadingMethod::WithoutNoise,
        }
    }
}

impl From<&Contrasted> for Shown {
    fn from(compared: &Contrasted) -> Self {
        Self {
            kind: compared.interval,
            level: compared.level,
            simultaneous: false,
            without_noise: compared.method == ReadingMethod::WithoutNoise,
        }
    }
}

/// The marks of a row, which [`below`] explains: `*` if its group may be empty, and `~` if it is mostly the prior. They
/// stand before a number, and every font has them.
#[must_use]
pub fn marks(row: &ReadingRow, kind: IntervalKind) -> &'static str {
    match (row.may_be_empty, is_mostly_prior(row, kind)) {
        (false, false) => "",
        (true, false) => "*",
        (false, true) => "~",
        (true, true) => "*~",
    }
}

/// A number with the marks of its row before it, so that the digits of a column stay below each other. A group that may
/// be empty has no share, and a dash takes its place.
#[must_use]
pub fn marked(row: &ReadingRow, kind: IntervalKind, number: &str) -> String {
    let number = if row.may_be_empty { NO_SHARE } else { number };
    format!("{} {number}", marks(row, kind)).trim_start().to_owned()
}

/// What stands in the place of a share that there is not.
pub const NO_SHARE: &str = "-";

/// How far an interval reaches from its share, to the side where it reaches farther; nothing if its group may be empty.
#[must_use]
pub fn reach(row: &ReadingRow) -> Option<f64> {
    let [low, high] = row.interval;
    row.number().map(|share| (share - low).max(high - share))
}

/// What stands behind ± beside a share, in points: how far its interval reaches, if the digits that are shown of it and of
/// the share say the same of either side. Nothing stands there otherwise.
///
/// ```
/// use posterity::table::ReadingRow;
/// use posterity_present::intervals::plus_minus;
/// let row = |estimate: f64, empty: bool| -> Result<ReadingRow, serde_json::Error> {
///     let row = serde_json::json!({
///         "given": {}, "cell": {}, "estimate": estimate, "mean": estimate, "confidence": [0.46, 0.54],
///         "interval": [0.46, 0.54], "may_be_empty": empty,
///     });
///     serde_json::from_value(row)
/// };
/// assert_eq!(plus_minus(&row(0.5, false)?).as_deref(), Some("4.0"));
/// assert_eq!(plus_minus(&row(0.500_4, false)?).as_deref(), Some("4.0"), "50.0 %, and 46.0 to 54.0 %");
/// assert_eq!(plus_minus(&row(0.501, false)?), None, "50.1 %, and 46.0 to 54.0 %");
/// assert_eq!(plus_minus(&row(0.5, true)?), None);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[must_use]
pub fn plus_minus(row: &ReadingRow) -> Option<String> {
    let ([low, high], share) = (row.interval, row.number()?);
    // As the digits say, whatever was rounded away.
    let digits = |share: f64| {
        percent(share, row.interval).trim_end_matches(" %").replace('\u{2212}', "-").parse::<f64>()
    };
    let (Ok(low), Ok(at), Ok(high)) = (digits(low), digits(share), digits(high)) else { return None };
    let [below, above] = [at - low, high - at].map(|points: f64| percent(0.01 * points, row.interval));
    (below == above).then(|| below.trim_end_matches(" %").to_owned())
}

fn is_mostly_prior(row: &ReadingRow, kind: IntervalKind) -> bool {
    row.mostly_prior && kind != IntervalKind::Confidence
}

/// What stands below tables: what they are about, and what the marks of their rows mean.
#[must_use]
pub fn below<'a>(
    tables: impl IntoIterator<Item = &'a ReadingTable>,
    comparisons: &[Contrasted],
) -> Vec<String> {
    let tables: Vec<&ReadingTable> = tables.into_iter().collect();
    // A count is about nothing but the records.
    let shares = tables.iter().filter(|table| !matches!(table.statistic, Statistic::Count | Statistic::Sum));
    let subjects: Vec<Subject> =
        shares.map(|table| table.about).chain(comparisons.iter().map(|one| one.about)).collect();
    let has = |subject| subjects.contains(&subject);
    let about = match (has(Subject::Population), has(Subject::Records)) {
        (false, false) => None,
        (true, false) => Some(about(Subject::Population)),
        (false, true) => Some(about(Subject::Records)),
        (true, true) => Some(
            "Confidence intervals are about the records themselves, and credible intervals about the population that they \
             were drawn from.",
        ),
    };
    let unknown = unknown(&tables, comparisons).into_iter().chain(of_bins(&tables)).chain(sums(&tables));
    unknown.chain(about.into_iter().chain(footnotes(tables)).map(ToOwned::to_owned)).collect()
}

/// Where the estimates within one group do not add up to one, that they need not, and why; nothing otherwise.
fn sums(tables: &[&ReadingTable]) -> Option<String> {
    let is_whole = |table: &&&ReadingTable| {
        let all = table.reading.shares_of().iter().all(|term| term.selection == Selection::Each);
        all && table.statistic == Statistic::Share && !table.given.is_empty() && table.unknown.is_none()
    };
    let mut farthest: Option<(f64, String)> = None;
    for table in tables.iter().filter(is_whole) {
        let mut done: Vec<&ReadingRow> = Vec::new();
        for row in &table.rows {
            if done.iter().any(|known| known.given == row.given) {
                continue;
            }
            done.push(row);
            let of_group = table.rows.iter().filter(|other| other.given == row.given);
            let shares: Option<Vec<f64>> = of_group.map(ReadingRow::number).collect();
            let Some(sum) = shares.map(|shares| shares.iter().sum::<f64>()) else { continue };
            let is_farther =
                farthest.as_ref().is_none_or(|(known, _)| (sum - 1.0).abs() > (known - 1.0).abs());
            if (sum - 1.0).abs() > NOTICED && is_farther {
                let group: Vec<&str> = row.given.iter().map(|(_, value)| value).collect();
                farthest = Some((sum, group.join(", ")));
            }
        }
    }
    farthest.map(|(sum, group)| {
        format!(
            "Within {group} the shares add up to {sum:.2}: each is estimated by itself, a noisy count divided by another. Their \
             intervals hold all the same. For shares that agree with each other, read them with --interval-kind credible, or fit rows \
             (`posterity rows --non-negative`)."
        )
    })
}

/// A sum of shares that is farther from one would be noticed.
const NOTICED: f64 = 0.005;

/// How much of the intervals of numbers of bins comes from the bins; nothing if there are none.
fn of_bins(tables: &[&ReadingTable]) -> Option<String> {
    let rows = tables.iter().flat_map(|table| &table.rows);
    let parts = rows.filter_map(|row| Some((row.of_bins?, row.interval[1] - row.interval[0])));
    let widest = parts.max_by(|(one, _), (other, _)| one.total_cmp(other))?;
    Some(format!(
        "Where in its bin a number lies is not known: of the width of an interval, up to {} of {} comes from the bins.",
        number::brief(widest.0),
        number::brief(widest.1)
    ))
}

/// How large the parts are whose values are unknown, and that shares are among the others; nothing if there are none.
fn unknown(tables: &[&ReadingTable], comparisons: &[Contrasted]) -> Option<String> {
    let part = |Unknown { share, interval }: &Unknown| {
        format!("{} unknown ({})", percent(*share, *interval), percents(*interval))
    };
    let of_tables =
        tables.iter().filter_map(|table| Some((table.unknown.as_ref()?, table.reading.to_string())));
    let of_comparisons = comparisons.iter().flat_map(|one| {
        let operands = [&one.first, &one.second].into_iter().flatten();
        let operands = operands.filter_map(|operand| {
            let name = if operand.given.is_empty() { &operand.cell } else { &operand.given };
            Some((operand.unknown.as_ref()?, one.words.values(name)))
        });
        operands.chain(one.unknown.as_ref().map(|unknown| (unknown, one.comparison.to_string())))
    });
    let all: Vec<(&Unknown, String)> = of_tables.chain(of_comparisons).collect();
    let said = match all.as_slice() {
        [] => return None,
        [(unknown, _)] => part(unknown),
        several => {
            let parts = several.iter().map(|(unknown, name)| format!("{} in {name}", part(unknown)));
            parts.collect::<Vec<_>>().join("; ")
        }
    };
    Some(format!("{said}. {AMONG_KNOWN}"))
}

/// Said where some values are unknown.
const AMONG_KNOWN: &str =
    "Shares and means are among the records whose value is known; `of all` reads them among all.";

/// What the marks of the rows of tables mean.
#[must_use]
pub fn footnotes<'a>(tables: impl IntoIterator<Item = &'a ReadingTable>) -> Vec<&'static str> {
    let (mut empty, mut prior) = (false, false);
    for table in tables {
        empty |= table.rows.iter().any(|row| row.may_be_empty);
        prior |= table.rows.iter().any(|row| is_mostly_prior(row, table.interval));
    }
    let empty = empty.then_some("* This group may be empty.");
    let prior = prior.then_some("~ Mostly the prior: the data say less than the prior does.");
    empty.into_iter().chain(prior).collect()
}

/// What numbers are about, in a sentence.
#[must_use]
pub fn about(subject: Subject) -> &'static str {
    match subject {
        Subject::Population => {
            "About the population that the records were drawn from: intervals include sampling error."
        }
        Subject::Records => "About the records themselves: intervals include nothing but the noise.",
    }
}

/// What each kind of interval promises, for whoever chooses one.
#[must_use]
pub fn promise(kind: IntervalKind) -> &'static str {
    kind.promise()
}

/// What numbers can be about, for whoever chooses it.
#[must_use]
pub fn choice(subject: Subject) -> &'static str {
    subject.choice()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(kind: &str, about: &str) -> ReadingTable {
        let row = |empty: bool, prior: bool| {
            format!(
                r#"{{"given": {{}}, "cell": {{"ward": "A"}}, "estimate": -0.1, "mean": 0.1, "confidence": [0.0, 0.4],
                    "credible": [0.0, 0.3], "interval": [0.0, 0.4], "may_be_empty": {empty}, "mostly_prior": {prior}}}"#
            )
        };
        let text = format!(
            r#"{{"reading": "ward", "of": ["ward"], "given": [], "statistic": "share", "method": "exact", "error": 0.0,
                "level": 0.95, "interval_kind": "{kind}", "about": "{about}",
                "rows": [{}, {}, {}]}}"#,
            row(false, false),
            row(true, false),
            row(true, true)
        );
        serde_json::from_str(&text).expect("a table")
    }

    /// A prior is no part of confidence intervals, so nothing is said about it there.
    #[test]
    fn rows_are_marked() {
        let found = |table: &ReadingTable| {
            table.rows.iter().map(|row| marked(row, table.interval, "0.1")).collect::<Vec<_>>()
        };
        assert_eq!(found(&table("confidence", "population")), ["0.1", "* -", "* -"]);
        assert_eq!(found(&table("credible", "population")), ["0.1", "* -", "*~ -"]);
    }

    /// If this fails, nobody is told that a rate is among the known, or how many are unknown.
    #[test]
    fn tables_say_how_large_the_unknown_part_is() {
        let unknown = Some(Unknown { share: 0.089, interval: [0.071, 0.109] });
        let known = ReadingTable { unknown, ..table("confidence", "population") };
        let part = "8.9 % unknown (7.1 to 10.9 %)";
        assert_eq!(below([&known], &[])[0], format!("{part}. {AMONG_KNOWN}"));
        let both = below([&known, &table("confidence", "population"), &known], &[]);
        assert_eq!(both[0], format!("{part} in ward; {part} in ward. {AMONG_KNOWN}"));
    }

    #[test]
    fn tables_say_what_they_are_about() {
        let [population, records] = ["population", "records"].map(|about| table("confidence", about));
        assert_eq!(below([&population], &[]), [about(Subject::Population), "* This group may be empty."]);
        assert_eq!(below([&records], &[])[0], about(Subject::Records));
        let both = below([&population, &records], &[]);
        assert!(both[0].contains("records themselves") && both[0].contains("population"), "{both:?}");
        let credible = below([&table("shortest", "population")], &[]);
        assert_eq!(credible[2], "~ Mostly the prior: the data say less than the prior does.");
        assert!(below([], &[]).is_empty());
    }
}
