//! Which intervals are shown, of what, and what is peculiar about some of them: in words.

use posterity::number::percent;
use posterity::table::{IntervalKind, ReadingMethod, ReadingRow, Statistic, Subject};
use posterity::{Contrasted, Document, ReadingTable};

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
        format!("{first}{together}{} % {kind} interval{noise}", percent(self.level))
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

/// A number with the marks of its row before it, so that the digits of a column stay below each other.
#[must_use]
pub fn marked(row: &ReadingRow, kind: IntervalKind, number: &str) -> String {
    format!("{} {number}", marks(row, kind)).trim_start().to_owned()
}

fn is_mostly_prior(row: &ReadingRow, kind: IntervalKind) -> bool {
    row.mostly_prior && kind != IntervalKind::Confidence
}

/// What stands below tables: what they are about, and what the marks of their rows mean.
#[must_use]
pub fn below<'a>(
    tables: impl IntoIterator<Item = &'a ReadingTable>,
    comparisons: &[Contrasted],
) -> Vec<&'static str> {
    let tables: Vec<&ReadingTable> = tables.into_iter().collect();
    // A count is about nothing but the records.
    let shares = tables.iter().filter(|table| table.statistic != Statistic::Count);
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
    about.into_iter().chain(footnotes(tables)).collect()
}

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
    match kind {
        IntervalKind::Confidence => {
            "holds in at least 95 of 100 releases (at level 0.95), whatever the truth is"
        }
        IntervalKind::Credible => "holds with a probability of 95 %, given the release and the prior",
        IntervalKind::Shortest => "the shortest credible interval",
    }
}

/// What numbers can be about, for whoever chooses it.
#[must_use]
pub fn choice(subject: Subject) -> &'static str {
    match subject {
        Subject::Population => "the population that the records were drawn from: sampling error counts too",
        Subject::Records => "the records themselves, such as a complete register: only the noise counts",
    }
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
                "level": 0.95, "interval": "{kind}", "about": "{about}",
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
        assert_eq!(found(&table("confidence", "population")), ["0.1", "* 0.1", "* 0.1"]);
        assert_eq!(found(&table("credible", "population")), ["0.1", "* 0.1", "*~ 0.1"]);
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
