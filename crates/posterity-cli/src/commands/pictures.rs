//! Pictures of a release and of its readings.

use clap::{Args, ValueEnum};
use posterity::{Document, Publication, Reader, Reading, ReadingTable};
use posterity_plot::{PictureKind, PlotFile, PosteriorPlot, TablePlot};

use crate::failure::Failure;
use crate::force::ForceArgs;
use crate::notice::note;

/// Where a picture is written, and what it shows.
#[derive(Debug, Args)]
pub(crate) struct PictureArgs {
    /// Draw the release into this .svg or .png file: each reading of --read, or else the posterior of every category.
    /// Several readings make files FILE-1, FILE-2 and so on
    #[arg(long, value_name = "FILE")]
    plot: Option<PlotFile>,

    /// What to draw [default: posterior without --read; with it, heat for shares of several columns together, and
    /// forest for everything else]
    #[arg(long, value_name = "KIND", requires = "plot")]
    picture: Option<PictureArg>,

    #[command(flatten)]
    force: ForceArgs,
}

impl PictureArgs {
    /// The file to draw into.
    pub(super) fn file(&self) -> Option<PlotFile> {
        Some(self.plot.clone()?.overwriting(self.force.force))
    }
}

/// The kinds of pictures of a release.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum PictureArg {
    /// The density of every category, or its interval if there are many
    Posterior,
    /// A table of shaded cells with their numbers and intervals
    Heat,
    /// A line for each number with its interval, in groups on one scale
    Forest,
    /// A row for each group, as high as the group is large, divided into shares
    Mosaic,
}

impl PictureArg {
    /// The picture of a reading; none for that of the whole release.
    fn of_readings(self) -> Option<PictureKind> {
        match self {
            Self::Posterior => None,
            Self::Heat => Some(PictureKind::Heat),
            Self::Forest => Some(PictureKind::Forest),
            Self::Mosaic => Some(PictureKind::Mosaic),
        }
    }
}

/// Refuses pictures that cannot be drawn or written. Nothing is charged before.
pub(crate) fn check(args: &PictureArgs, readings: &[Reading]) -> Result<(), Failure> {
    let Some(file) = &args.file() else { return Ok(()) };
    if args.picture == Some(PictureArg::Mosaic)
        && let Some((number, statistic)) =
            readings.iter().map(|reading| (reading, reading.statistic())).find(|(_, statistic)| {
                !matches!(statistic, posterity::table::Statistic::Share | posterity::table::Statistic::Count)
            })
    {
        let word = statistic.word();
        let why = format!("a mosaic shows shares, and {number} is a {word}; choose forest or heat");
        return Err(Failure::usage("--picture", why));
    }
    check_files(file, tables_drawn(args, readings.len()))
}

/// Refuses files that cannot be written.
fn check_files(file: &PlotFile, pictures: usize) -> Result<(), Failure> {
    files(file, pictures).iter().try_for_each(PlotFile::check).map_err(Failure::plot)
}

/// How many tables are drawn; none if the release itself is.
fn tables_drawn(args: &PictureArgs, asked: usize) -> usize {
    match args.picture {
        Some(PictureArg::Posterior) => 0,
        None => asked,
        Some(_) => asked.max(1),
    }
}

/// The file of each picture.
fn files(file: &PlotFile, pictures: usize) -> Vec<PlotFile> {
    if pictures < 2 {
        vec![file.clone()]
    } else {
        (1..=pictures).map(|number| file.numbered(number)).collect()
    }
}

/// Draws what was asked for: the tables of --read, all columns together, or the release itself.
pub(crate) fn draw(args: &PictureArgs, asked: &[ReadingTable], document: &Document) -> Result<(), Failure> {
    let Some(file) = &args.file() else { return Ok(()) };
    let drawn = tables_drawn(args, asked.len());
    if drawn == 0 {
        let picture = PosteriorPlot::new(document);
        picture.write(file).map_err(Failure::plot)?;
        wrote(file, picture.simplifies_names(file.format()));
        return Ok(());
    }
    let reader = document.reader().map_err(Failure::refused)?;
    let whole;
    let tables = if asked.is_empty() {
        whole = [reader.read(&Reading::joint(reader.space())).map_err(Failure::refused)?];
        &whole[..]
    } else {
        asked
    };
    let kind = args.picture.and_then(PictureArg::of_readings);
    for (table, file) in tables.iter().zip(files(file, drawn)) {
        draw_table(&file, document, &reader, table, kind)?;
    }
    Ok(())
}

/// Refuses a picture of another kind than a forest, and one that cannot be written.
pub(super) fn check_forest(args: &PictureArgs, pictures: usize) -> Result<(), Failure> {
    if !matches!(args.picture, None | Some(PictureArg::Forest)) {
        return Err(Failure::usage("--picture", "such a release is drawn as a forest; leave it out"));
    }
    args.file().map_or(Ok(()), |file| check_files(&file, pictures))
}

/// Draws readings of a document, each into a file of its own.
pub(super) fn draw_forest(
    args: &PictureArgs,
    document: &Publication,
    tables: &[ReadingTable],
) -> Result<(), Failure> {
    let Some(file) = &args.file() else { return Ok(()) };
    for (table, file) in tables.iter().zip(files(file, tables.len())) {
        let picture = TablePlot::new(document, table, PictureKind::Forest).map_err(Failure::plot)?;
        picture.write(&file).map_err(Failure::plot)?;
        wrote(&file, picture.simplifies_names(file.format()));
    }
    Ok(())
}

fn draw_table(
    file: &PlotFile,
    document: &Document,
    reader: &Reader,
    table: &ReadingTable,
    kind: Option<PictureKind>,
) -> Result<(), Failure> {
    let kind = kind.unwrap_or_else(|| PictureKind::usual(table));
    let picture = TablePlot::new(document, table, kind).map_err(Failure::plot)?;
    let groups = TablePlot::groups(table, kind).map(|groups| reader.read(&groups)).transpose();
    let picture = match groups.map_err(Failure::refused)? {
        Some(groups) => picture.weighted(&groups),
        None => picture,
    };
    picture.write(file).map_err(Failure::plot)?;
    wrote(file, picture.simplifies_names(file.format()));
    Ok(())
}

fn wrote(file: &PlotFile, simplified: bool) {
    if simplified {
        note(
            "some names have letters that PNG pictures lack, and are written without accents or as numbers; an SVG \
             file shows them as they are",
        );
    }
    note(format!("wrote {file}"));
}
