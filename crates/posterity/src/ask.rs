//! A question that passed every check, and the three ways to answer it.

use posterity_core::model::Adjacency;
use posterity_core::sampler::{BitSource, SeededBits};
use posterity_ledger::{Amount, StoredRelease};
use serde_json::Value;

use crate::known_name::Fingerprint;
use crate::paper::{Answer, Document, DocumentError, Kind, Record};
use crate::provenance::Provenance;
use crate::publish_error::PublishError;
use crate::signature::SecretKey;
use crate::system_bits::SystemBits;

/// A question about counted data that passed every check: what is missing is the draw. Only the three ways to answer it
/// read the counts, and each uses them up: drawn twice, they would protect half as much.
///
/// ```
/// use posterity::{Data, Publisher};
/// let data = Data::counts([("yes", 48), ("no", 42)])?;
/// let publisher = Publisher::new("1".parse()?);
/// let document = publisher.ask(&data)?.experiment(7)?;
/// assert_eq!(&document, publisher.experiment(&data, 7)?.document());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Ask<'a, K: Kind> {
    /// What the ledger knows the question by.
    pub(crate) part: Value,
    /// What the answer promises, and so costs an account of its adjacency.
    pub(crate) price: Result<Price, PublishError>,
    pub(crate) adjacency: Adjacency,
    /// The column whose values are protected; records if there is none.
    pub(crate) unit: Option<String>,
    /// The number of records, if it is public.
    pub(crate) n: Option<u64>,
    /// Whether the data has a name by which a ledger can recognise it.
    pub(crate) named: bool,
    /// Whether the records of units were drawn from a seed.
    pub(crate) seeded: bool,
    /// Tells data in memory from other data of its name.
    pub(crate) fingerprint: Option<Fingerprint>,
    /// What is asked and how the answer is read, as it is written.
    pub(crate) form: K::Request,
    /// How the answer is read.
    pub(crate) reading: K::Reading,
    /// Draws the answer, from a seed if there is one; nothing where no data was counted.
    pub(crate) draw: Option<DrawAnswer<'a, K>>,
    /// What was drawn, until its document is made.
    pub(crate) drawn: Option<K>,
}

/// Draws an answer. The bits are those of the seed, if there is one.
pub(crate) type DrawAnswer<'a, K> =
    Box<dyn FnOnce(Option<u64>, &mut dyn BitSource) -> Result<K, PublishError> + 'a>;

/// What an answer costs.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Price {
    /// An epsilon, and a delta that may be zero.
    Epsilon(Amount, Amount),
    /// The rho of zero-concentrated privacy, with the epsilon and the delta that it follows from.
    Rho(Amount, (Amount, Amount)),
}

impl<'a, K: Kind> Ask<'a, K> {
    /// A question of records of this adjacency and unit, which costs this.
    pub(crate) fn new(
        part: Value,
        price: Result<Price, PublishError>,
        (adjacency, unit, n): (Adjacency, Option<&str>, Option<u64>),
        (form, reading): (K::Request, K::Reading),
    ) -> Self {
        Self {
            part,
            price,
            form,
            adjacency,
            unit: unit.map(ToOwned::to_owned),
            n,
            named: false,
            seeded: false,
            fingerprint: None,
            reading,
            draw: None,
            drawn: None,
        }
    }

    /// Says how it is drawn.
    pub(crate) fn drawn_by(
        self,
        draw: impl FnOnce(Option<u64>, &mut dyn BitSource) -> Result<K, PublishError> + 'a,
    ) -> Self {
        Self { draw: Some(Box::new(draw)), ..self }
    }

    /// The number of records or units, if it is public.
    #[must_use]
    pub fn n(&self) -> Option<u64> {
        self.n
    }

    /// Draws from the operating system's randomness. No ledger keeps account of it; see [`Ask::charge`].
    ///
    /// # Errors
    /// [`PublishError`]; then nothing was released.
    pub fn publish(mut self) -> Result<Document<K>, PublishError> {
        self.publish_from(&mut SystemBits::new())
    }

    fn publish_from(&mut self, bits: &mut dyn BitSource) -> Result<Document<K>, PublishError> {
        self.refuse_seeded()?;
        Ok(Document::new(self.draw(None, bits)?, None))
    }

    /// Draws from a seed, for experiments. Anyone can repeat such a draw, so it is not private, and the document says so.
    ///
    /// # Errors
    /// [`PublishError`].
    pub fn experiment(mut self, seed: u64) -> Result<Document<K>, PublishError> {
        self.experiment_of(seed)
    }

    fn experiment_of(&mut self, seed: u64) -> Result<Document<K>, PublishError> {
        Ok(Document::new(self.draw(Some(seed), &mut SeededBits::new(seed))?, None))
    }

    fn draw(&mut self, seed: Option<u64>, bits: &mut dyn BitSource) -> Result<K, PublishError> {
        // Data that was not counted is not asked for a draw.
        self.draw.take().ok_or(PublishError::StoredDocument)?(seed, bits)
    }

    fn refuse_seeded(&self) -> Result<(), PublishError> {
        if self.seeded { Err(PublishError::SeededData) } else { Ok(()) }
    }
}

/// A question of any kind, as a charge sees it. Its answer is a `P`.
pub(crate) trait AnyAsk<P> {
    /// What the ledger knows it by.
    fn part(&self) -> &Value;

    /// What it costs.
    fn price(&self) -> Result<Price, PublishError>;

    /// Whom all answers of a charge protect, and which data sets they make look alike.
    fn protects(&self) -> (Option<&str>, Adjacency);

    /// The number of records, if it is public.
    fn n(&self) -> Option<u64>;

    /// Whether the data has a name by which a ledger can recognise it.
    fn is_named(&self) -> bool;

    /// Tells data in memory from other data of its name.
    fn fingerprint(&self) -> Option<&Fingerprint>;

    /// Refuses what must not be charged.
    fn check(&self) -> Result<(), PublishError>;

    /// What is asked and how the answer is read, as it is written.
    fn form(&self) -> Value;

    /// Draws the answer from these bits, which nobody pays for.
    fn publish(&mut self, bits: &mut dyn BitSource) -> Result<P, PublishError>;

    /// Draws the answer from a seed.
    fn experiment(&mut self, seed: u64) -> Result<P, PublishError>;

    /// Draws the answer, as the ledger records it.
    fn record(&mut self, bits: &mut dyn BitSource) -> Result<Answer, PublishError>;

    /// The document of the answer that was drawn, or of the one that a ledger holds, by its position in its charge.
    fn document(
        &mut self,
        record: &Record,
        index: usize,
        stored: &StoredRelease,
        key: Option<&SecretKey>,
    ) -> Result<P, DocumentError>;
}

impl<K: Kind, P: From<Document<K>>> AnyAsk<P> for Ask<'_, K> {
    fn part(&self) -> &Value {
        &self.part
    }

    fn price(&self) -> Result<Price, PublishError> {
        self.price.clone()
    }

    fn protects(&self) -> (Option<&str>, Adjacency) {
        (self.unit.as_deref(), self.adjacency)
    }

    fn n(&self) -> Option<u64> {
        self.n
    }

    fn is_named(&self) -> bool {
        self.named
    }

    fn fingerprint(&self) -> Option<&Fingerprint> {
        self.fingerprint.as_ref()
    }

    fn check(&self) -> Result<(), PublishError> {
        self.refuse_seeded()
    }

    fn form(&self) -> Value {
        serde_json::to_value(&self.form).unwrap_or_default()
    }

    fn publish(&mut self, bits: &mut dyn BitSource) -> Result<P, PublishError> {
        self.publish_from(bits).map(P::from)
    }

    fn experiment(&mut self, seed: u64) -> Result<P, PublishError> {
        self.experiment_of(seed).map(P::from)
    }

    fn record(&mut self, bits: &mut dyn BitSource) -> Result<Answer, PublishError> {
        let answer = self.draw(None, bits)?;
        let record = Answer::new(&answer).map_err(|_| PublishError::StoredDocument)?;
        self.drawn = Some(answer);
        Ok(record)
    }

    fn document(
        &mut self,
        record: &Record,
        index: usize,
        stored: &StoredRelease,
        key: Option<&SecretKey>,
    ) -> Result<P, DocumentError> {
        let answer = match self.drawn.take() {
            Some(drawn) => drawn,
            None => {
                let held = Document::<K>::recorded(record, index, stored)?;
                held.answer().read_as(&self.reading).map_err(DocumentError::inconsistent)?
            }
        };
        Ok(Document::new(answer, Some(Provenance::charged(stored, index))).sealed(key).into())
    }
}

impl<K: Kind> std::fmt::Debug for Ask<'_, K> {
    /// Hides the data.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Ask").field("kind", &K::NAME).field("question", &self.part).finish_non_exhaustive()
    }
}
