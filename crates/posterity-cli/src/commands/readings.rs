//! Readings and comparisons, for every exporter.

use clap::Args;
use posterity::table::{ReadingMethod, Space};
use posterity::{Contrast, Contrasted, Publication, Reader, Reading, ReadingError, ReadingTable};
use posterity_present::intervals::below;
use posterity_present::readings::{WITHOUT_NOISE, bases, comparison, drawn, drawn_comparisons, reading};

use crate::failure::Failure;
use crate::output::{Page, Paragraph};

/// What is read from a release.
#[derive(Clone, Debug, Args)]
pub(crate) struct ReadingArgs {
    /// Show these shares or means: 'outcome | ward', 'ward in {A, B}', 'mean(score) | ward'; repeat the flag for
    /// several. With all, every table of a release of many columns: each column, and each pair. It costs no privacy;
    /// `posterity read --help` shows all forms [default: all cells, and each column by itself]
    #[arg(long, value_name = "READING", allow_hyphen_values = true)]
    pub(super) read: Vec<Reading>,

    /// Compare two shares: 'outcome=yes | ward: A - B', or 'independence(outcome, ward)'; repeat the flag for several.
    /// It costs no privacy
    #[arg(long, value_name = "COMPARISON", allow_hyphen_values = true)]
    pub(super) compare: Vec<Contrast>,
}

/// The word for every table of a release.
const ALL: &str = "all";

impl ReadingArgs {
    /// The same with every table of a document where `all` stands, unless a column has this name.
    pub(crate) fn all_of(&self, document: &Publication) -> Self {
        let is_all = |reading: &Reading| reading.to_string() == ALL;
        let is_column = document.columns_to_read().iter().any(|column| column.name == ALL);
        let read = self.read.iter().flat_map(|reading| match is_all(reading) && !is_column {
            true => document.all_readings(),
            false => vec![reading.clone()],
        });
        Self { read: read.collect(), compare: self.compare.clone() }
    }
}

/// Refuses readings that a release with these cells does not have. Nothing is charged before.
pub(crate) fn check(args: &ReadingArgs, space: Result<Space, ReadingError>) -> Result<(), Failure> {
    if args.read.is_empty() && args.compare.is_empty() {
        return Ok(());
    }
    let space = space.map_err(Failure::refused)?;
    for reading in &args.read {
        reading.check(&space).map_err(|error| Failure::usage("--read", error))?;
    }
    for contrast in &args.compare {
        contrast.check(&space).map_err(|error| Failure::usage("--compare", error))?;
    }
    Ok(())
}

/// Reads all that is asked for.
pub(crate) fn read_all(
    reader: &Reader,
    args: &ReadingArgs,
) -> Result<(Vec<ReadingTable>, Vec<Contrasted>), Failure> {
    let readings = args.read.iter().map(|reading| reader.read(reading));
    let comparisons = args.compare.iter().map(|contrast| reader.contrast(contrast));
    let readings = readings.collect::<Result<_, _>>().map_err(|error| Failure::usage("--read", error))?;
    let comparisons =
        comparisons.collect::<Result<_, _>>().map_err(|error| Failure::usage("--compare", error))?;
    Ok((readings, comparisons))
}

/// Adds tables and sentences for a reader. The cells are shown already, if there are any.
pub(crate) fn show<'a>(
    page: &mut Page<'a>,
    cells: Option<&'a ReadingTable>,
    readings: &'a [ReadingTable],
    comparisons: &'a [Contrasted],
) {
    for table in readings {
        page.say(Paragraph::led("Reading:", table.reading.to_string()));
        page.sheet(reading(table));
    }
    for one in comparisons {
        page.say(Paragraph::led("Comparison:", one.comparison.to_string()));
        page.sheet(comparison(one));
    }
    for sentence in below(cells.into_iter().chain(readings), comparisons) {
        page.say(sentence);
    }
    page.pause();
    say_draws(page, readings, comparisons);
    let plain = readings.iter().map(|table| table.method).chain(comparisons.iter().map(|one| one.method));
    if plain.into_iter().any(|method| method == ReadingMethod::WithoutNoise) {
        page.say(Paragraph::warning(format!("{WITHOUT_NOISE}.")));
        return;
    }
    for sentence in bases(cells.into_iter().chain(readings), comparisons) {
        page.explain(Paragraph::led("Intervals:", sentence));
    }
    if !readings.is_empty() || !comparisons.is_empty() {
        page.explain(Paragraph::led(
            "Readings:",
            "they follow from the release alone, so they cost nothing.",
        ));
    }
}

/// Says how exact is what comes from draws.
pub(crate) fn say_draws(page: &mut Page<'_>, readings: &[ReadingTable], comparisons: &[Contrasted]) {
    for table in readings.iter().filter(|table| table.method == ReadingMethod::Draws) {
        let (draws, seed) = (table.draws.unwrap_or_default(), table.seed.unwrap_or_default());
        page.say(drawn(&format!("The intervals of {}", table.reading), draws, seed, table.error));
    }
    if let Some(sentence) = drawn_comparisons(comparisons) {
        page.say(sentence);
    }
}
