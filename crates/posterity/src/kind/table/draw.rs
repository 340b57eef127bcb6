//! A draw with the public things that give it its meaning, and all that follows from them.

use std::sync::{Arc, OnceLock};

use posterity_core::calibrate::CalibrationError;
use posterity_core::confidence::{Listed, Sums};
use posterity_core::mechanism::{Drawing, Guarantee, Mechanism};
use posterity_core::model::{Drawn, Released};
use posterity_core::noise_aware::NoiseAware;

use super::asked::TableQuestion;
use super::interpretation::Interpretation;
use super::summary::{Effective, Level, NoiseAwareSummary, Posterior};
use crate::lazy::Lazy;
use crate::paper::{GuaranteeStatement, Promised};
use crate::table::{Reader, ReadingError, Ways};

/// What was drawn, on which request and with which promise. Everything else follows, and is computed when it is first
/// read.
///
/// Nothing that follows can fail because of what was drawn: a failure would show something of it, and a release that is
/// drawn again until it succeeds has another law.
pub(crate) struct Draw {
    pub(crate) asked: TableQuestion,
    pub(crate) promised: Promised,
    pub(crate) drawn: Drawn,
    level: Level,
    released: OnceLock<Released>,
    sums: OnceLock<Option<Arc<Sums>>>,
    listed: OnceLock<Option<Arc<Listed>>>,
    mechanism: OnceLock<Result<Arc<dyn Mechanism>, CalibrationError>>,
    interpretation: OnceLock<Interpretation>,
    posterior: OnceLock<Posterior>,
    effective: OnceLock<Option<Effective>>,
    /// The intervals of the released posterior, which leave the noise out.
    plain: OnceLock<Vec<[f64; 2]>>,
    aware: OnceLock<Option<NoiseAwareSummary>>,
}

impl Draw {
    /// A draw whose mechanism is at hand, if it is.
    pub(crate) fn new(
        asked: TableQuestion,
        promised: Promised,
        drawn: Drawn,
        level: Level,
        mechanism: Option<Arc<dyn Mechanism>>,
    ) -> Self {
        Self {
            asked,
            promised,
            drawn,
            level,
            released: OnceLock::new(),
            sums: OnceLock::new(),
            listed: OnceLock::new(),
            mechanism: mechanism.map_or_else(OnceLock::new, |fitted| OnceLock::from(Ok(fitted))),
            interpretation: OnceLock::new(),
            posterior: OnceLock::new(),
            effective: OnceLock::new(),
            plain: OnceLock::new(),
            aware: OnceLock::new(),
        }
    }

    /// The same draw, read with other intervals. What does not depend on them is not computed again.
    pub(crate) fn with_ways(&self, ways: Ways) -> Result<Self, ReadingError> {
        let level = Level::new(ways.level)?;
        let request = self.asked.request.clone().with_ways(ways);
        let asked = TableQuestion { request, ..self.asked.clone() };
        asked.check_ways()?;
        Ok(Self {
            released: self.released.clone(),
            sums: self.sums.clone(),
            listed: self.listed.clone(),
            mechanism: self.mechanism.clone(),
            interpretation: self.interpretation.clone(),
            posterior: self.posterior.clone(),
            effective: self.effective.clone(),
            ..Self::new(asked, self.promised.clone(), self.drawn.clone(), level, None)
        })
    }

    /// The mechanism, fitted to the public inputs. A scale that an audit has set is found again by that audit, which
    /// may take long.
    pub(crate) fn mechanism(&self) -> Result<&Arc<dyn Mechanism>, &CalibrationError> {
        let fit = || self.asked.request.mechanism(&|_| ()).map(Arc::from);
        self.mechanism.get_or_init(fit).as_ref()
    }

    /// The counts that are released of the draw.
    pub(crate) fn released(&self) -> &Released {
        let request = &self.asked.request;
        self.released.get_or_init(|| request.drawing().released(&self.drawn, request.setting().n()))
    }

    /// The draw, decoded.
    pub(crate) fn interpretation(&self) -> &Interpretation {
        self.interpretation.get_or_init(|| {
            let request = &self.asked.request;
            // Where neither the decoder nor the noise needs the mechanism, no audit is repeated for it.
            let needed = request.spec().description().decodable;
            let mechanism = needed.then(|| self.mechanism().ok()).flatten();
            Interpretation::new(request, mechanism, &self.drawn, self.released())
        })
    }

    /// The posterior that takes the noise into account, if there is one.
    pub(crate) fn noise_aware(&self) -> Option<&Arc<NoiseAware>> {
        self.interpretation().noise_aware()
    }

    /// The promise in words.
    pub(crate) fn guarantee(&self) -> GuaranteeStatement {
        let TableQuestion { facts, request, seed, .. } = &self.asked;
        let reason = || match self.mechanism().map(|mechanism| mechanism.guarantee()) {
            Ok(Guarantee::None { reason }) => {
                format!("{} has no proven guarantee, because {reason}", request.spec().name())
            }
            _ => format!("{} has no proven guarantee", request.spec().name()),
        };
        GuaranteeStatement::new(&self.promised, facts, *seed, reason)
    }

    pub(crate) fn posterior(&self) -> &Posterior {
        self.posterior.get_or_init(|| {
            let (decoder, parameters) =
                (self.interpretation().decoder(), self.interpretation().decoded().posterior.clone());
            Posterior::new(self.asked.facts.categories.clone(), parameters, decoder)
        })
    }

    /// One distribution to go on with, if the noise is modelled.
    pub(crate) fn effective(&self) -> Option<&Effective> {
        let matched = || self.interpretation().effective().map(|parameters| Effective { parameters });
        self.effective.get_or_init(matched).as_ref()
    }

    /// The intervals of the released posterior, for cells of which nothing else is known.
    pub(crate) fn plain_intervals(&self) -> &[[f64; 2]] {
        // The level is one of intervals, so they exist.
        let intervals = || self.posterior().parameters.intervals(self.level.value()).unwrap_or_default();
        self.plain.get_or_init(intervals)
    }

    pub(crate) fn aware_summary(&self) -> Option<&NoiseAwareSummary> {
        let summary = || self.noise_aware().map(|aware| NoiseAwareSummary::new(aware, self.level));
        self.aware.get_or_init(summary).as_ref()
    }

    /// Whether means and intervals are computed, so that reading them takes no time.
    pub(crate) fn is_complete(&self) -> bool {
        let posterior = self.posterior.get().is_some() && self.effective.get().is_some();
        let aware = self
            .aware
            .get()
            .is_some_and(|aware| aware.as_ref().is_none_or(|aware| aware.intervals.is_computed()));
        posterior && aware
    }

    /// Reads the draw.
    pub(crate) fn reader(&self) -> Result<Reader, ReadingError> {
        let TableQuestion { facts, request, .. } = &self.asked;
        self.asked.check_ways()?;
        // Where readings come from sums of what was drawn, nobody asks for the posterior of the cells.
        let interpretation = self.interpretation().clone();
        let law = Lazy::new(move || interpretation.law());
        let reader = Reader::of_cells(self.asked.space()?, self.drawn.len(), law, request.ways())?;
        let reader = reader.of_random_records(facts.draws_records());
        let reader = reader.of_dependent_records(facts.records_per_unit().get() > 1);
        Ok(match self.sums() {
            Some(sums) if sums.n_is_private() => {
                let prior = request.has_stated_prior().then(|| request.setting().prior().clone());
                reader.with_sums_of_private_n(Arc::clone(sums), prior)
            }
            Some(sums) => reader.with_sums(Arc::clone(sums), request.has_stated_prior()),
            None => reader.with_listed(self.listed().cloned()),
        })
    }

    /// Whether the noise adds up.
    pub(crate) fn is_additive(&self) -> bool {
        self.sums().is_some()
    }

    /// Whether there are confidence intervals.
    pub(crate) fn has_confidence(&self) -> bool {
        self.is_additive() || self.listed().is_some()
    }

    /// What all laws of the mechanism say of the release, if its noise does not add up and they can be listed.
    fn listed(&self) -> Option<&Arc<Listed>> {
        let make = || {
            let request = &self.asked.request;
            let setting = request.setting();
            // Before the mechanism is fitted, which may take long.
            if request.drawing() != Drawing::Candidate || !Listed::is_for(setting.k(), setting.n()) {
                return None;
            }
            let mechanism = self.mechanism().ok()?;
            Listed::new(&**mechanism, self.released().as_slice()).map(Arc::new)
        };
        self.listed.get_or_init(make).as_ref()
    }

    /// The sums of what was drawn, if its noise adds up.
    pub(crate) fn sums(&self) -> Option<&Arc<Sums>> {
        let make = || {
            let request = &self.asked.request;
            if request.drawing() == Drawing::Candidate {
                return None;
            }
            let additive = self.mechanism().ok()?.additive()?;
            let drawn = self.drawn.as_slice().to_vec();
            Some(Arc::new(Sums::of_setting(drawn, request.setting(), additive)))
        };
        self.sums.get_or_init(make).as_ref()
    }
}

#[cfg(test)]
mod tests {
    use posterity_core::decode::Decoder;

    use crate::{Data, Document, Publisher};

    /// A document that is read back, so that nothing is computed yet.
    fn read_back(decoder: Option<Decoder>) -> Document {
        let data = Data::counts([("A", 30), ("B", 20), ("C", 50)]).expect("counts");
        let publisher = Publisher::new("1".parse().expect("a number"));
        let publisher = match decoder {
            Some(decoder) => publisher.decoder(decoder),
            None => publisher,
        };
        let release = publisher.publish(&data).expect("published");
        let text = serde_json::to_string(release.document()).expect("a document");
        serde_json::from_str(&text).expect("the same document")
    }

    /// If this fails, whoever reads a release waits for what the reading does not need.
    #[test]
    fn readings_of_sums_do_not_decode() {
        let document = read_back(Some(Decoder::Best));
        let computed = || document.draw.interpretation().computed();
        document.read(&"category".parse().expect("a reading")).expect("read");
        assert_eq!(
            (document.best_summary().0.len(), document.cell_counts().map(|all| all.len())),
            (3, Some(3))
        );
        assert_eq!(computed(), [false, false]);
        assert!(document.effective().is_some());
        assert_eq!(computed(), [true, false]);
        assert_eq!(document.posterior().mean.len(), 3);
        assert_eq!(computed(), [true, true]);
    }

    /// If this fails, whoever takes what is released by default waits for a search that nobody asked for.
    #[test]
    fn the_usual_posterior_needs_no_model_of_the_noise() {
        let document = read_back(None);
        assert_eq!(document.decoder(), Decoder::Projection);
        assert_eq!(document.posterior().mean.len(), 3);
        assert_eq!(document.draw.interpretation().computed(), [false, true]);
    }
}
