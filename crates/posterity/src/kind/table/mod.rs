//! A posterior over declared categories: counts with noise, a prior, and what they say of the proportions.

mod asked;
mod draw;
#[cfg(all(test, feature = "data"))]
mod example;
mod interpretation;
#[cfg(feature = "data")]
pub(crate) mod part;
#[cfg(feature = "data")]
pub(crate) mod plan;
mod prepared;
mod summary;

use std::borrow::Cow;
use std::fmt;
use std::io::Read as ReadBytes;
use std::path::Path;
use std::sync::{Arc, OnceLock};

use posterity_core::calibrate::CalibrationError;
use posterity_core::confidence::CountInterval;
use posterity_core::decode::Decoder;
use posterity_core::mechanism::{Guarantee, Mechanism};
use posterity_core::model::{Categories, Drawn, Epsilon, Prior, Released};
use posterity_core::noise_aware::NoiseAware;
use posterity_ledger::Amount;
use serde::Serialize;

use crate::about::About;
use crate::number::percent;
use crate::paper::{Document, DocumentError, GuaranteeStatement, Kind, LoadError, Promised, parse_document};
use crate::table::{
    Contrast, Contrasted, Reader, Reading, ReadingError, ReadingRow, ReadingTable, Space, SpaceColumn,
    Subject, Term, Ways,
};
use crate::terms::Request;
use crate::text_file::open_file;

pub use asked::TableRequest;
pub(crate) use asked::{ChosenReadings, TableQuestion};
pub(crate) use draw::Draw;
pub(crate) use prepared::Prepared;
pub(crate) use summary::Level;
pub use summary::{Effective, NoiseAwareSummary, Posterior};

use interpretation::{KEYS, NAMELESS, kept};
pub(crate) use interpretation::{budget_notes, warnings};

/// A posterior over declared categories.
#[derive(Clone)]
pub struct Table {
    draw: Arc<Draw>,
    asked: ChosenReadings,
    readings: Arc<OnceLock<Read<ReadingTable>>>,
    comparisons: Arc<OnceLock<Read<Contrasted>>>,
    cells: Arc<OnceLock<Option<CellNumbers>>>,
}

/// How a draw is read.
pub struct TableReading {
    pub(crate) request: Request,
    /// The mechanism, fitted to the public inputs.
    pub(crate) mechanism: Arc<dyn Mechanism>,
    pub(crate) readings: ChosenReadings,
}

/// What follows from the request, the promise, n and the draw. Above [`Table::MOST_LISTED`] cells, lists with a number for
/// each cell are left out.
#[derive(Serialize)]
pub struct TableDerived<'a> {
    mechanism: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    prior: Option<&'a Prior>,
    #[serde(skip_serializing_if = "Option::is_none")]
    released_counts: Option<&'a Released>,
    decoder: Decoder,
    #[serde(skip_serializing_if = "Option::is_none")]
    posterior: Option<&'a Posterior>,
    #[serde(skip_serializing_if = "Option::is_none")]
    effective: Option<&'a Effective>,
    #[serde(skip_serializing_if = "Option::is_none")]
    noise_aware: Option<&'a NoiseAwareSummary>,
    readings: &'a [ReadingTable],
    #[serde(skip_serializing_if = "<[Contrasted]>::is_empty")]
    comparisons: &'a [Contrasted],
    #[serde(skip_serializing_if = "Option::is_none")]
    expected_distance: Option<f64>,
}

/// The reading of all known cells, the row of each cell, and the number and the interval of each to show.
struct CellNumbers {
    table: ReadingTable,
    places: Vec<Option<usize>>,
    shown: Vec<f64>,
    intervals: Vec<[f64; 2]>,
}

/// What was read, and what could not be.
struct Read<T> {
    read: Vec<T>,
    failed: Vec<String>,
}

impl Table {
    /// Above this number of cells a document has no numbers of single cells but those that were drawn.
    pub const MOST_LISTED: usize = Space::MOST_LISTED;

    /// A draw that is read in this way.
    pub(crate) fn of_draw(draw: Arc<Draw>, asked: ChosenReadings) -> Self {
        let (readings, comparisons, cells) = Default::default();
        Self { draw, asked, readings, comparisons, cells }
    }

    /// The names of the categories.
    #[must_use]
    pub fn categories(&self) -> &Categories {
        &self.draw.asked.facts.categories
    }

    /// The number of records or units; where it is private, the estimate of it, and at least one.
    #[must_use]
    pub fn estimated_n(&self) -> f64 {
        match (self.n(), self.draw.sums()) {
            (Some(n), _) => n as f64,
            (None, Some(sums)) => sums.size(),
            (None, None) => 1.0,
        }
    }

    /// The public terms that it answers.
    #[must_use]
    pub fn request(&self) -> &Request {
        &self.draw.asked.request
    }

    /// The mechanism with its parameters, such as `lsdim(consistent)`.
    #[must_use]
    pub fn mechanism(&self) -> String {
        self.request().spec().to_string()
    }

    /// The hash of the certificate that the promise rests on.
    #[must_use]
    pub fn certificate(&self) -> Option<&str> {
        self.draw.asked.certificate.as_deref()
    }

    /// The epsilon that is promised; where nothing is promised, the parameter of the mechanism.
    #[must_use]
    pub fn epsilon(&self) -> f64 {
        self.promise().epsilon().unwrap_or(self.request().setting().epsilon()).to_f64_shown()
    }

    /// The parameter epsilon of the mechanism, where that is another number than what is promised.
    #[must_use]
    pub fn epsilon_parameter(&self) -> Option<f64> {
        let parameter = self.request().setting().epsilon();
        self.promise().epsilon().filter(|promised| *promised != parameter).map(|_| parameter.to_f64())
    }

    /// What the mechanism drew: counts with noise, from which all that follows is computed. Where the mechanism adds
    /// noise to counts, some may be negative or above n.
    #[must_use]
    pub fn drawn(&self) -> &Drawn {
        &self.draw.drawn
    }

    /// The counts that are released of the draw: none is negative, or above n.
    #[must_use]
    pub fn released_counts(&self) -> &Released {
        self.draw.released()
    }

    /// How they became the posterior.
    #[must_use]
    pub fn decoder(&self) -> Decoder {
        self.draw.interpretation().decoder()
    }

    /// The mechanism that drew it, fitted again where that is needed. A scale that an audit has set takes that audit
    /// again.
    ///
    /// # Errors
    /// [`CalibrationError`] if the mechanism does not go with the public inputs.
    pub(crate) fn fitted(&self) -> Result<&Arc<dyn Mechanism>, &CalibrationError> {
        self.draw.mechanism()
    }

    /// The released posterior, which leaves the privacy noise out: [`Table::effective`] has it in.
    #[must_use]
    pub fn posterior(&self) -> &Posterior {
        self.draw.posterior()
    }

    /// The Dirichlet distribution to go on with where one is needed: it has the means and the total variance of the posterior
    /// with the noise in it. Nothing where the noise is not modelled, or n is private.
    ///
    /// ```
    /// use posterity::{Data, Publisher};
    /// let data = Data::counts([("yes", 48), ("no", 42)])?;
    /// let release = Publisher::new("0.1".parse()?).experiment(&data, 1)?;
    /// let total = |of: &[f64]| of.iter().sum::<f64>();
    /// let effective = release.document().effective().ok_or("the noise of lattice is known")?;
    /// // With the noise, the release says less than 90 records would.
    /// assert!(total(effective.parameters.parameters()) < 0.7 * total(release.document().posterior().parameters.parameters()));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn effective(&self) -> Option<&Effective> {
        self.draw.effective()
    }

    /// The posterior that takes the privacy noise into account, if the noise can be modelled.
    #[must_use]
    pub fn noise_aware(&self) -> Option<&Arc<NoiseAware>> {
        self.draw.noise_aware()
    }

    /// What follows about the categories when the noise is taken into account, if it can be modelled.
    #[must_use]
    pub fn aware_summary(&self) -> Option<&NoiseAwareSummary> {
        self.draw.aware_summary()
    }

    /// The expected Hellinger distance between the released and the true posterior, given the release and the prior.
    #[must_use]
    pub fn expected_distance(&self) -> Option<f64> {
        self.draw.interpretation().decoded().expected_distance
    }

    /// The share and the interval of each category to show a reader: those of the reading of all cells. A category of
    /// missing or other values has none of its own there: they are no numbers. Of more than [`Table::MOST_LISTED`]
    /// cells, the mean and the interval of the posterior.
    #[must_use]
    pub fn best_summary(&self) -> (&[f64], &[[f64; 2]]) {
        if let Some(cells) = self.cell_numbers() {
            return (&cells.shown, &cells.intervals);
        }
        match self.aware_summary() {
            Some(aware) => (&aware.mean, &aware.intervals),
            None => (&self.posterior().mean, self.draw.plain_intervals()),
        }
    }

    /// The estimated number of records of each category with its interval, if the noise adds up: how many of these very
    /// records there are, so that nothing but the noise is in it.
    #[must_use]
    pub fn cell_counts(&self) -> Option<Vec<CountInterval>> {
        let (sums, ways) = (self.draw.sums()?, self.request().ways());
        let cells = self.categories().names().len();
        let level = ways.level_of_each(cells);
        Some((0..cells).map(|cell| sums.count(sums.group(&[cell]), level)).collect())
    }

    /// The reading of all cells whose values are known, which [`Table::best_summary`] takes its numbers from; nothing if
    /// there are too many cells, or one of them is outside a private filter.
    #[must_use]
    pub fn cells(&self) -> Option<&ReadingTable> {
        self.cell_numbers().map(|cells| &cells.table)
    }

    /// The row of a category in [`Table::cells`]; nothing if there is no such reading, or a value is unknown there.
    #[must_use]
    pub fn cell(&self, category: usize) -> Option<&ReadingRow> {
        let cells = self.cell_numbers()?;
        cells.table.rows.get(cells.places.get(category).copied().flatten()?)
    }

    /// The names of the categories as readers see them, with the labels of the values.
    #[must_use]
    pub fn categories_in_words(&self) -> Cow<'_, [String]> {
        let is_labelled = self.about().columns.iter().any(|column| !column.labels.is_empty());
        match self.space() {
            Ok(space) if is_labelled => Cow::Owned(space.in_words()),
            _ => Cow::Borrowed(self.categories().names()),
        }
    }

    fn cell_numbers(&self) -> Option<&CellNumbers> {
        let read = || {
            let space = self.space().ok().filter(|space| self.is_listed() && space.outside().is_none())?;
            let joint = Reading::joint(&space);
            let usual = if self.asked.readings.is_none() { self.readings() } else { &[] };
            let read = usual.iter().find(|table| table.reading == joint).cloned();
            let table = match read {
                Some(table) => table,
                None => self.read(&joint).ok()?,
            };
            let mut rows = 0..table.rows.len();
            let place = |cell| if space.is_known(cell) { rows.next() } else { None };
            let places: Vec<Option<usize>> = (0..space.cells()).map(place).collect();
            let numbers = |place: &Option<usize>| match place.map(|row| &table.rows[row]) {
                Some(row) => (row.shown(), row.interval),
                None => (f64::NAN, [f64::NAN; 2]),
            };
            let (shown, intervals) = places.iter().map(numbers).unzip();
            Some(CellNumbers { table, places, shown, intervals })
        };
        self.cells.get_or_init(read).as_ref()
    }

    /// Whether readings or comparisons were asked for, other than the usual ones.
    #[must_use]
    pub fn has_asked_readings(&self) -> bool {
        self.asked.readings.is_some() || !self.asked.comparisons.is_empty()
    }

    /// Readings: shares and means of columns, perhaps within values of others. Unless others are asked for, these are
    /// the joint cells (at most [`Table::MOST_LISTED`]) and the marginals of single columns.
    #[must_use]
    pub fn readings(&self) -> &[ReadingTable] {
        &self.all_readings().read
    }

    /// Comparisons that were asked for.
    #[must_use]
    pub fn comparisons(&self) -> &[Contrasted] {
        &self.all_comparisons().read
    }

    fn all_readings(&self) -> &Read<ReadingTable> {
        self.readings.get_or_init(|| {
            let asked = self.asked.readings.clone().unwrap_or_else(|| self.usual_readings());
            self.read_each(&asked, Reader::read)
        })
    }

    /// What is read unless something else is asked for.
    #[must_use]
    pub fn usual_readings(&self) -> Vec<Reading> {
        let adjacency = self.request().setting().adjacency();
        self.space().map(|space| Reading::usual(&space, adjacency)).unwrap_or_default()
    }

    fn all_comparisons(&self) -> &Read<Contrasted> {
        self.comparisons.get_or_init(|| self.read_each(&self.asked.comparisons, Reader::contrast))
    }

    /// Reads one after the other. A reading that fails is named, and the others still succeed.
    fn read_each<A: fmt::Display, T>(
        &self,
        asked: &[A],
        read: impl Fn(&Reader, &A) -> Result<T, ReadingError>,
    ) -> Read<T> {
        let mut all = Read { read: Vec::new(), failed: Vec::new() };
        if asked.is_empty() {
            return all;
        }
        match self.reader() {
            Ok(reader) => {
                for one in asked {
                    match read(&reader, one) {
                        Ok(found) => all.read.push(found),
                        Err(error) => all.failed.push(format!("{one} could not be read: {error}.")),
                    }
                }
            }
            Err(error) => all.failed.push(format!("Nothing could be read: {error}.")),
        }
        all
    }

    /// The cells of the release.
    ///
    /// # Errors
    /// [`ReadingError`] if the columns do not fit the categories.
    pub fn space(&self) -> Result<Space, ReadingError> {
        self.draw.asked.space()
    }

    /// Reads the release: with other readings, another level or other draws than the document has. It costs nothing.
    ///
    /// # Errors
    /// [`ReadingError`] if the columns do not fit the categories.
    pub fn reader(&self) -> Result<Reader, ReadingError> {
        self.draw.reader()
    }

    /// Reads one table of shares or means.
    ///
    /// ```
    /// use posterity::{Data, Publisher};
    /// let data = Data::counts([("A", 30), ("B", 20), ("C", 50)])?;
    /// let release = Publisher::new("1".parse()?).publish(&data)?;
    /// let table = release.document().read(&"category in {A, B}".parse()?)?;
    /// let [low, high] = table.rows[0].interval;
    /// assert!(low < table.rows[0].mean && table.rows[0].mean < high);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`ReadingError`] if there is no such column or value.
    pub fn read(&self, reading: &Reading) -> Result<ReadingTable, ReadingError> {
        self.reader()?.read(reading)
    }

    /// Compares shares.
    ///
    /// # Errors
    /// As [`Table::read`].
    pub fn contrast(&self, contrast: &Contrast) -> Result<Contrasted, ReadingError> {
        self.reader()?.contrast(contrast)
    }

    fn is_listed(&self) -> bool {
        self.categories().names().len() <= Self::MOST_LISTED
    }
}

impl Kind for Table {
    const NAME: &'static str = "table";
    const TITLE: &'static str = "posterior";
    const CHOSEN: &'static [&'static str] = &["categories", "prior"];
    const FOLLOWS: &'static str = "From the noisy counts follow the counts cut to what is possible, a Dirichlet distribution, and shares \
                                   with intervals.";
    type Request = TableRequest;
    type Drawn = Drawn;
    type Derived<'a> = TableDerived<'a>;
    type Reading = TableReading;

    fn new(
        request: TableRequest,
        n: Option<u64>,
        promise: Promised,
        drawn: Drawn,
    ) -> Result<Self, DocumentError> {
        let (asked, readings) = request.asked(n)?;
        Ok(Self::of_draw(checked(asked, promise, drawn)?.into(), readings))
    }

    fn read_as(&self, reading: &TableReading) -> Result<Self, ReadingError> {
        let TableReading { request, mechanism, readings } = reading;
        let Draw { asked, promised, drawn, .. } = &*self.draw;
        let asked = TableQuestion { request: request.clone(), ..asked.clone() };
        let level = Level::new(request.level())?;
        let mechanism = Some(Arc::clone(mechanism));
        let draw = Draw::new(asked, promised.clone(), drawn.clone(), level, mechanism);
        Ok(Self::of_draw(draw.into(), readings.clone()))
    }

    fn reread(
        &self,
        ways: Ways,
        readings: Vec<Reading>,
        comparisons: Vec<Contrast>,
    ) -> Result<Self, ReadingError> {
        let readings = (!readings.is_empty()).then_some(readings);
        let asked = ChosenReadings { readings, comparisons };
        asked.check(&self.space()?)?;
        let same = ways == self.request().ways();
        let draw = if same { Arc::clone(&self.draw) } else { Arc::new(self.draw.with_ways(ways)?) };
        Ok(Self::of_draw(draw, asked))
    }

    fn columns_to_read(&self) -> Vec<SpaceColumn> {
        self.space().map(|space| space.columns().to_vec()).unwrap_or_default()
    }

    fn asked_readings(&self) -> (&[Reading], &[Contrast]) {
        (self.asked.readings.as_deref().unwrap_or_default(), &self.asked.comparisons)
    }

    fn form(&self) -> Cow<'_, TableRequest> {
        Cow::Owned(TableRequest::new(&self.draw.asked, &self.asked))
    }

    fn charged(&self) -> TableRequest {
        TableRequest::charged(&self.draw.asked)
    }

    fn n(&self) -> Option<u64> {
        self.draw.asked.facts.n
    }

    fn drawn(&self) -> &Drawn {
        &self.draw.drawn
    }

    fn about(&self) -> &About {
        &self.draw.asked.facts.about
    }

    fn promise(&self) -> &Promised {
        &self.draw.promised
    }

    /// The promise of the mechanism, which is fitted again. What an audit shows is not found again.
    fn promised(&self) -> Result<Promised, String> {
        let mechanism =
            self.fitted().map_err(|error| format!("the mechanism cannot be fitted again ({error})"))?;
        let guarantee = mechanism.guarantee();
        if matches!(guarantee, Guarantee::None { .. })
            && self.promise().epsilon().is_some()
            && let Some(certificate) = self.certificate()
        {
            return Err(format!("it rests on the audit certificate {certificate}"));
        }
        let adjacency = self.request().setting().adjacency();
        Ok(Promised::new(&guarantee, adjacency, self.about().unit.as_deref(), self.seed()))
    }

    fn guarantee(&self) -> GuaranteeStatement {
        self.draw.guarantee()
    }

    fn seed(&self) -> Option<u64> {
        self.draw.asked.seed
    }

    fn notes(&self, charged: bool) -> Vec<String> {
        let proven = self.promise().epsilon().is_some();
        let adjacency = self.promise().adjacency();
        let budget = proven
            .then(|| budget_notes(adjacency, self.epsilon(), 0.0, self.n(), charged))
            .into_iter()
            .flatten();
        let most = self.about().records_per_unit();
        let kept = (most.get() > 1).then(|| kept(most.get()));
        let failed = [&self.all_readings().failed, &self.all_comparisons().failed];
        let nameless = charged && self.about().source.is_none();
        let interpretation = self.draw.interpretation();
        interpretation
            .notes(self.request(), self.draw.is_additive(), self.draw.has_confidence())
            .chain(warnings(proven, self.seed()))
            .chain(budget)
            .chain(kept)
            .chain(self.draw.asked.facts.published_keys.then(|| KEYS.to_owned()))
            .chain(self.about().counting_in_words())
            .chain(nameless.then(|| NAMELESS.to_owned()))
            .chain(failed.into_iter().flatten().cloned())
            .collect()
    }

    fn budget(&self) -> (Epsilon, Amount) {
        let epsilon = self.promise().epsilon().unwrap_or(self.request().setting().epsilon());
        (epsilon.clone(), Amount::ZERO)
    }

    fn holds(&self) -> String {
        let family = if self.categories().names().len() == 2 { "Beta" } else { "Dirichlet" };
        format!("{family} posterior by {}.", self.mechanism())
    }

    fn name_in_short(&self) -> String {
        self.mechanism()
    }

    fn mechanism_in_words(&self) -> String {
        let description = self.request().spec().description();
        match (self.promise().epsilon(), self.certificate()) {
            // Its own summary says that nothing is proven, which is not all there is to say: an audit shows it.
            (Some(_), Some(certificate)) if !description.private => format!(
                "{}: {}; nothing is proven of it for all data, so the promise rests on the exact audit of which the certificate has \
                 the hash {certificate}",
                self.mechanism(),
                description.way()
            ),
            _ => format!("{}: {}", self.mechanism(), description.summary),
        }
    }

    fn ways(&self) -> Ways {
        self.request().ways()
    }

    fn read(&self, reading: &Reading) -> Result<ReadingTable, ReadingError> {
        self.read(reading)
    }

    fn readings(&self) -> Cow<'_, [ReadingTable]> {
        Cow::Borrowed(self.readings())
    }

    /// What was asked for; otherwise, of two columns the second within the first, and each column by itself.
    fn first(&self) -> Cow<'_, [ReadingTable]> {
        let usual = self.usual_readings();
        if !self.readings().iter().map(|table| &table.reading).eq(&usual) {
            return Cow::Borrowed(self.readings());
        }
        let columns = self.space().map(|space| space.columns().to_vec()).unwrap_or_default();
        let within = match columns.as_slice() {
            [first, second] => {
                let reading = Reading::shares(vec![Term::each(&second.name)], vec![Term::each(&first.name)]);
                self.read(&reading).ok()
            }
            _ => None,
        };
        // The joint cells of several columns are what the document lists anyway.
        let single = self.readings().iter().filter(|table| table.of.len() < 2).cloned();
        within.into_iter().chain(single).collect()
    }

    fn comparisons(&self) -> Cow<'_, [Contrasted]> {
        Cow::Borrowed(self.comparisons())
    }

    fn derived(&self, _: bool) -> TableDerived<'_> {
        let listed = self.is_listed();
        TableDerived {
            mechanism: self.mechanism(),
            prior: listed.then(|| self.request().setting().prior()),
            released_counts: listed.then(|| self.released_counts()),
            decoder: self.decoder(),
            posterior: listed.then(|| self.posterior()),
            effective: listed.then(|| self.effective()).flatten(),
            // What is about the records themselves says nothing of a population.
            noise_aware: (listed && self.request().ways().about != Subject::Records)
                .then(|| self.aware_summary())
                .flatten(),
            readings: self.readings(),
            comparisons: self.comparisons(),
            expected_distance: self.expected_distance(),
        }
    }
}

impl Document<Table> {
    /// Reads a document from a JSON file.
    ///
    /// # Errors
    /// [`LoadError`] if the file cannot be read or is not a release document.
    pub fn load(path: &Path) -> Result<Self, LoadError> {
        let file = open_file(path)?;
        Self::parse(file, &path.display().to_string())
    }

    /// Reads a document in JSON. Errors name it as `name`.
    ///
    /// # Errors
    /// As [`Document::load`].
    pub fn parse(reader: impl ReadBytes, name: &str) -> Result<Self, LoadError> {
        parse_document(reader, name)
    }

    /// The same draw with these readings in place of the usual ones, if there are any, and with these comparisons. A
    /// signature is one of the whole request, so it is left out.
    ///
    /// # Errors
    /// [`ReadingError`] if the release has no such column or value.
    pub fn with_readings(
        &self,
        readings: Vec<Reading>,
        comparisons: Vec<Contrast>,
    ) -> Result<Self, ReadingError> {
        Ok(self.with_answer(self.answer().reread(self.request().ways(), readings, comparisons)?))
    }

    /// The same draw with other intervals. As with other readings, a signature is left out.
    ///
    /// ```
    /// use posterity::table::{IntervalKind, Ways};
    /// use posterity::{Data, Publisher};
    /// let data = Data::counts([("yes", 48), ("no", 42)])?;
    /// let release = Publisher::new("1".parse()?).publish(&data)?;
    /// let credible = Ways { interval: IntervalKind::Credible, ..Ways::new(0.9)? };
    /// let document = release.document().with_ways(credible)?;
    /// assert_eq!(document.readings()[0].interval, IntervalKind::Credible);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`ReadingError`] as [`Reader::ways`].
    pub fn with_ways(&self, ways: Ways) -> Result<Self, ReadingError> {
        let draw = Arc::new(self.draw.with_ways(ways)?);
        Ok(self.with_answer(Table::of_draw(draw, self.asked.clone())))
    }

    /// Whether everything in it is computed, so that reading takes no time.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        let Table { readings, comparisons, cells, draw, .. } = self.answer();
        let read = readings.get().is_some() && comparisons.get().is_some() && cells.get().is_some();
        read && self.is_promise_told() && draw.is_complete()
    }

    /// Computes everything in it.
    pub fn complete(&self) {
        let (_, _, _, _) = (self.readings(), self.comparisons(), self.cells(), self.guarantee());
        let (_, _) = (self.posterior(), self.effective());
        let _ = self.aware_summary().map(|aware| &*aware.intervals);
    }
}

/// A draw whose parts fit each other.
fn checked(asked: TableQuestion, promised: Promised, drawn: Drawn) -> Result<Draw, DocumentError> {
    let k = asked.facts.categories.names().len();
    if drawn.len() != k {
        let found = drawn.len();
        return Err(DocumentError::inconsistent(format!("it has {k} categories and {found} counts")));
    }
    let setting = asked.request.setting();
    asked.request.drawing().check(&drawn, setting.n()).map_err(DocumentError::inconsistent)?;
    if promised.adjacency() != setting.adjacency() {
        return Err(DocumentError::inconsistent("its promise is of another adjacency than was asked for"));
    }
    if promised.unit() != asked.facts.unit().unwrap_or("record") {
        return Err(DocumentError::inconsistent("its promise is to another unit than was asked for"));
    }
    if promised.delta().is_some_and(|delta| !delta.is_zero()) || promised.rho().is_some() {
        return Err(DocumentError::inconsistent(
            "it promises a delta, and no mechanism for declared categories has one",
        ));
    }
    if promised.epsilon().is_some() && asked.seed.is_some() {
        return Err(DocumentError::inconsistent("it promises something, and was drawn from a seed"));
    }
    let level = Level::new(asked.request.level()).map_err(DocumentError::inconsistent)?;
    Ok(Draw::new(asked, promised, drawn, level, None))
}

/// The mean and the interval of each category, and the promise.
impl fmt::Display for Document<Table> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (mean, intervals) = self.best_summary();
        let percent = percent(self.request().level());
        for ((name, mean), [low, high]) in self.categories_in_words().iter().zip(mean).zip(intervals) {
            if mean.is_nan() {
                writeln!(f, "{name}: no answer")?;
                continue;
            }
            writeln!(f, "{name}: {mean:.4} ({percent} % interval {low:.4} to {high:.4})")?;
        }
        write!(f, "{}", self.guarantee().statement)
    }
}

#[cfg(test)]
mod tests {
    use crate::text_file::TextFileError;

    use super::*;

    #[test]
    fn rejects() {
        let folder = tempfile::tempdir().expect("a folder");
        assert!(matches!(
            Document::<Table>::load(folder.path()),
            Err(LoadError::File(TextFileError::NotAFile { .. }))
        ));
        assert!(matches!(
            Document::<Table>::load(&folder.path().join("none")),
            Err(LoadError::File(TextFileError::Unreadable { .. }))
        ));
        let path = folder.path().join("other.json");
        for text in ["", "{}", "[1, 2]", "{\"readings\": []}", "{\"format\": 2}"] {
            std::fs::write(&path, text).expect("written");
            assert!(matches!(Document::<Table>::load(&path), Err(LoadError::NotADocument { .. })), "{text}");
        }
    }

    /// If this fails, whoever has a document of an older version is told that it is damaged, or reads what it does not say.
    #[test]
    fn a_document_of_another_format_is_refused_by_it() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("old.json");
        let old = r#"{"format": 5, "kind": "table", "version": "0.0.9", "request": {"about": {"source": "x.csv"},
            "mechanism": "lattice", "epsilon": "1", "interval_about": "records"}, "drawn": [3, 4]}"#;
        std::fs::write(&path, old).expect("written");
        let errors = [
            Document::<Table>::load(&path).expect_err("old").to_string(),
            crate::Publication::load(&path).expect_err("old").to_string(),
        ];
        for error in errors {
            assert!(
                error.contains("it has format 5, and posterity ") && error.contains(" reads format 6;"),
                "{error}"
            );
        }
    }
}
