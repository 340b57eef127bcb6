//! `posterity read`

use std::path::Path;

use posterity::document::GuaranteeStatement;
use posterity::{About, Contrasted, Document, Reading, ReadingTable};
use serde::Serialize;

use super::pictures;
use super::readings::{check, read_all, show};
use super::release::what_it_is;
use crate::args::ReadArgs;
use crate::failure::Failure;
use crate::output::{self, Page, Paragraph, Report, Sheet};
use crate::progress::Progress;

/// Reads a release document again.
pub(crate) fn read(args: &ReadArgs) -> Result<(), Failure> {
    pictures::check(&args.pictures, &args.readings.read)?;
    let progress = Progress::spinner("reading the release");
    let document = load(&args.document)?;
    check(&args.readings, document.space())?;
    let reader = document.reader().map_err(Failure::refused)?.draws(args.draws, args.seed);
    let level = args.level.unwrap_or(document.request().level());
    let reader = reader.level(level).map_err(|error| Failure::usage("--level", error))?;
    let (mut readings, comparisons) = read_all(&reader, &args.readings)?;
    if readings.is_empty() && comparisons.is_empty() {
        readings = Reading::usual(reader.space())
            .iter()
            .map(|reading| reader.read(reading))
            .collect::<Result<_, _>>()
            .map_err(Failure::refused)?;
    }
    drop(progress);
    let result = ReadResult {
        about: document.about(),
        mechanism: document.mechanism(),
        n: document.n(),
        epsilon: document.epsilon(),
        guarantee: document.guarantee(),
        private: document.is_private(),
        readings,
        comparisons,
        document: &document,
    };
    let printed = output::print(&args.printing, &result);
    let asked = if args.readings.read.is_empty() { &[] } else { &result.readings[..] };
    let drawn = pictures::draw(&args.pictures, asked, &document);
    match printed.map_err(Failure::from) {
        Ok(()) | Err(Failure::Closed) => drawn,
        failed => failed,
    }
}

fn load(path: &Path) -> Result<Document, Failure> {
    let document = if path == Path::new("-") {
        Document::parse(std::io::stdin().lock(), "standard input")
    } else {
        Document::load(path)
    };
    document.map_err(Failure::refused)
}

/// What was read, and from which release.
#[derive(Serialize)]
struct ReadResult<'a> {
    about: &'a About,
    mechanism: String,
    n: u64,
    epsilon: f64,
    guarantee: &'a GuaranteeStatement,
    private: bool,
    readings: Vec<ReadingTable>,
    comparisons: Vec<Contrasted>,
    #[serde(skip)]
    document: &'a Document,
}

impl<'a> Report for ReadResult<'a> {
    type Document = Self;

    fn document(&self) -> &Self {
        self
    }

    fn records(&self) -> Sheet<'_> {
        posterity_present::readings::records(&self.readings, &self.comparisons)
    }

    fn page(&self) -> Page<'_> {
        let mut page = Page::default();
        show(&mut page, &self.readings, &self.comparisons);
        page.say(what_it_is(self.document));
        page.explain(Paragraph::led("Promise:", &self.guarantee.statement));
        for note in self.document.notes() {
            page.explain(Paragraph::led("Note:", note));
        }
        page
    }
}
