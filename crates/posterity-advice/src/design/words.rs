//! Advice for tables in words.

use posterity::number::{brief, count, percent, points};

use super::design::{Design, DesignName, Division, ExpectedReading, PlannedRelease};
use super::table::Table;

/// What to do.
pub(super) fn recommendation(designs: &[Design]) -> String {
    let Some(best) = designs.first() else { return String::new() };
    match (best.name, best.releases.as_slice()) {
        (DesignName::Joint, [only]) => format!("Make one joint release of {}.", together(only)),
        (_, [only]) => {
            format!("Make one release of {} only: the other columns are not read.", together(only))
        }
        (_, several) => format!("Make {} separate releases: {}.", several.len(), releases_in_words(several)),
    }
}

/// The columns of a release.
fn together(release: &PlannedRelease) -> String {
    release.columns.join(", ")
}

/// Releases with their shares of the budget.
#[must_use]
pub fn releases_in_words(releases: &[PlannedRelease]) -> String {
    let one = |release: &PlannedRelease| {
        let columns = release.columns.join(" with ");
        format!("{columns} (epsilon {})", brief(release.epsilon))
    };
    releases.iter().map(one).collect::<Vec<_>>().join(", ")
}

/// A design in a few words.
#[must_use]
pub fn design_in_words(design: &Design) -> &'static str {
    match (design.name, design.division) {
        (DesignName::Joint, _) => "joint",
        (DesignName::Separate, Division::Whole) => "only what is read",
        (DesignName::Separate, Division::Equal) => "separate, equal",
        (DesignName::Separate, Division::Given) => "as planned",
        (DesignName::Separate, _) => "separate, best",
        (DesignName::Largest, Division::Whole) => "largest",
        (DesignName::Largest, Division::Equal) => "largest, equal",
        (DesignName::Largest, _) => "largest, best",
    }
}

/// Why.
pub(super) fn reason(table: &Table, designs: &[Design]) -> String {
    let Some((best, others)) = designs.split_first() else { return String::new() };
    let mut text = format!(
        "Its {} % intervals are expected to be {} as wide as without privacy, on average over the readings, if {}.",
        percent(table.level()),
        times_in_words(best.times),
        table.assumed()
    );
    if best.releases.len() > 1 {
        text = text.replacen("Its", "Their", 1);
    }
    // The best design of each other way.
    let mut named = vec![best.name];
    for other in others {
        if named.contains(&other.name) {
            continue;
        }
        named.push(other.name);
        let what = match (other.name, other.releases.len()) {
            (DesignName::Joint, _) => "one joint release of all columns".to_owned(),
            (DesignName::Separate, 1) => "one release of what is read".to_owned(),
            (DesignName::Separate, number) => {
                format!("{number} releases, one for each set of columns that is read together")
            }
            (DesignName::Largest, number) => format!("{number} releases of the largest of these sets"),
        };
        text += &format!(" With {what}, {} as wide.", times_in_words(other.times));
        if best.name == DesignName::Joint && other.times < best.times {
            text += " The joint release is about as good, and it also answers every other question about these columns.";
        }
    }
    text
}

/// How many times as wide something is. Forecasts have an error of about a hundredth, so a ratio near one is no
/// difference, and one below it is no gain.
fn times_in_words(ratio: f64) -> String {
    if ratio < 1.005 { "about".to_owned() } else { format!("{} times", times(ratio)) }
}

/// A ratio with as many digits as mean something.
#[must_use]
pub fn times(ratio: f64) -> String {
    if ratio < 10.0 { format!("{ratio:.2}") } else { brief(ratio) }
}

/// A half-width in percentage points, or in the units of the numbers of a mean.
#[must_use]
pub fn half_width(reading: &ExpectedReading, width: f64) -> String {
    if reading.is_share() { points(width) } else { brief(width) }
}

/// Why there is no joint release to compare with.
pub(super) fn no_joint(table: &Table) -> String {
    format!(
        "one joint release of all columns would have {} cells, more than the {} whose readings are forecast, and is not compared",
        count(table.joint_cells()),
        super::MOST_CELLS
    )
}

/// The least epsilon, and what to do with it.
pub(super) fn least(epsilon: Option<f64>, designs: &[Design]) -> String {
    match (epsilon, designs.first()) {
        (Some(epsilon), Some(best)) => format!("Use epsilon {epsilon} for {}.", releases_of(best)),
        _ => "No epsilon reaches that.".to_owned(),
    }
}

/// What needs less than one release of all columns.
pub(super) fn instead(best: &Design) -> String {
    let epsilon = best.epsilon();
    match best.releases.as_slice() {
        [_] => format!("Epsilon {epsilon} would do for {}.", releases_of(best)),
        _ => format!("Epsilon {epsilon} in all would do for {}.", releases_of(best)),
    }
}

/// The releases of a design.
fn releases_of(design: &Design) -> String {
    match design.releases.as_slice() {
        [only] if design.name == DesignName::Joint => format!("one joint release of {}", together(only)),
        [only] => format!("one release of {}", together(only)),
        several => format!("{} separate releases: {}", several.len(), releases_in_words(several)),
    }
}

/// Why.
pub(super) fn least_reason(
    table: &Table,
    wanted: f64,
    without: f64,
    records: Option<u64>,
    designs: &[Design],
) -> String {
    let (n, assumed) = (count(table.n() as f64), table.assumed());
    let Some((best, others)) = designs.split_first() else {
        return match records {
            Some(records) => format!(
                "The data are too few: even without any noise the widest intervals of {n} records are expected to reach {} points \
                 to each side if {assumed}. {} records would do without privacy, and with privacy it takes more.",
                points(without),
                count(records as f64)
            ),
            None if without >= wanted => format!(
                "The data are too few: even without any noise the widest intervals of {n} records are expected to reach {} points \
                 to each side if {assumed}.",
                points(without)
            ),
            None => format!(
                "Even at epsilon {}, which protects nobody, the widest intervals are expected to reach more than {} points to each \
                 side if {assumed}.",
                crate::least::HIGHEST,
                points(wanted)
            ),
        };
    };
    let mut text = format!(
        "The widest {} % intervals are expected to reach {} points to each side if {assumed}. Without any noise they would reach \
         {} points, because there are {n} records; the rest is for privacy.",
        percent(table.level()),
        points(best.widest()),
        points(without)
    );
    for other in others {
        let spent = other.epsilon();
        text += &match other.name {
            DesignName::Joint => format!(" One joint release of all columns needs epsilon {}.", brief(spent)),
            _ => format!(" {} separate releases need epsilon {}.", other.releases.len(), brief(spent)),
        };
    }
    text
}
