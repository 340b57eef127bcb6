//! Pictures of a release and of its readings.

use posterity::mathematics::noise_aware::NoiseAware;
use posterity::{Document, Reader, Reading, ReadingError, Term};
use posterity_plot::{PictureKind, PlotFile, PosteriorPlot, TablePlot};

use crate::failure::Failure;
use crate::notice::note;
use crate::picture_args::{PictureArg, PictureArgs};

/// Refuses pictures that cannot be drawn or written. Nothing is charged before.
pub(crate) fn check(args: &PictureArgs, readings: &[Reading]) -> Result<(), Failure> {
    let Some(file) = &args.plot else { return Ok(()) };
    if args.picture == Some(PictureArg::Mosaic)
        && let Some(mean) = readings.iter().find(|reading| reading.mean_of().is_some())
    {
        let why = format!("a mosaic shows shares, and {mean} is a mean; choose forest or heat");
        return Err(Failure::usage("--picture", why));
    }
    files(file, readings_drawn(args, readings)).iter().try_for_each(PlotFile::check).map_err(Failure::plot)
}

/// How many readings are drawn; none if the release itself is.
fn readings_drawn(args: &PictureArgs, readings: &[Reading]) -> usize {
    match args.picture {
        Some(PictureArg::Posterior) => 0,
        None => readings.len(),
        Some(_) => readings.len().max(1),
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

/// Draws what was asked for.
pub(crate) fn draw(
    args: &PictureArgs,
    readings: &[Reading],
    document: &Document,
    noise_aware: Option<&NoiseAware>,
    reader: impl FnOnce() -> Result<Reader, ReadingError>,
) -> Result<(), Failure> {
    let Some(file) = &args.plot else { return Ok(()) };
    let drawn = readings_drawn(args, readings);
    if drawn == 0 {
        let picture = PosteriorPlot::new(document, noise_aware);
        picture.write(file).map_err(Failure::plot)?;
        wrote(file, picture.simplifies_names(file.format()));
        return Ok(());
    }
    let reader = reader().map_err(Failure::refused)?;
    let whole;
    let readings = if readings.is_empty() {
        whole = [all_columns(&reader)];
        &whole[..]
    } else {
        readings
    };
    let kind = args.picture.and_then(PictureArg::of_readings);
    for (reading, file) in readings.iter().zip(files(file, drawn)) {
        draw_reading(&file, document, &reader, reading, kind)?;
    }
    Ok(())
}

fn draw_reading(
    file: &PlotFile,
    document: &Document,
    reader: &Reader,
    reading: &Reading,
    kind: Option<PictureKind>,
) -> Result<(), Failure> {
    let table = reader.read(reading).map_err(Failure::refused)?;
    let kind = kind.unwrap_or_else(|| PictureKind::usual(&table));
    let picture = TablePlot::new(document, &table, kind).map_err(Failure::plot)?;
    let groups = TablePlot::groups(&table, kind).map(|groups| reader.read(&groups)).transpose();
    let picture = match groups.map_err(Failure::refused)? {
        Some(groups) => picture.weighted(&groups),
        None => picture,
    };
    picture.write(file).map_err(Failure::plot)?;
    wrote(file, picture.simplifies_names(file.format()));
    Ok(())
}

/// All columns together.
pub(crate) fn all_columns(reader: &Reader) -> Reading {
    let terms = reader.space().columns().iter().map(|column| Term::each(&column.name)).collect();
    Reading::shares(terms, Vec::new())
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
