//! What fields say by themselves, where no question is asked.

use posterity_core::model::{Adjacency, Epsilon, Prior, StatedPrior};
use posterity_ledger::Amount;

use super::asking::FIELDS;
use super::error::PlanError;
use super::fields::{Field, Place};
use super::keys::Item;
use super::node::Node;
use super::said::{PlanPrior, Said};
use crate::table::Reading;
use crate::terms::Terms;

/// What some fields say by themselves, where no question is asked: the public terms of advice, inspections and audits.
///
/// ```
/// use posterity::plan::{Node, Stated};
/// let node: Node = r#"{"prior": [1, 2], "mechanism": "ehds(gamma=0.5)", "level": 0.9}"#.parse()?;
/// let terms = Stated::read(&node)?.terms("0.5".parse()?);
/// assert_eq!((terms.spec.to_string().as_str(), terms.level), ("ehds(gamma=0.5)", 0.9));
/// assert_eq!(terms.setting(2, 90)?.prior().parameters(), [1.0, 2.0]);
/// let wrong = r#"{"mechanism": "nonsense"}"#.parse()?;
/// assert_eq!(Stated::read(&wrong).expect_err("no mechanism").field(), Some("mechanism"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Stated {
    said: Said,
    prior: Option<StatedPrior>,
}

impl Stated {
    /// Reads what stands in a table under the names of fields.
    ///
    /// # Errors
    /// [`PlanError`], which says what is wrong and where.
    pub fn read(node: &Node) -> Result<Self, PlanError> {
        let root = Item::root(node);
        let stands_there = |field: &&Field| field.outermost().is_some_and(|place| place != Place::Column);
        let fields: Vec<&'static Field> = FIELDS.iter().filter(stands_there).collect();
        let said = Said::default().read(&root, &fields, (&[], "this table"))?;
        let prior = said.prior.as_ref().map(|prior| match prior {
            PlanPrior::Same(parameter) => StatedPrior::same(*parameter),
            PlanPrior::Each(parameters) => Prior::new(parameters.clone()).map(Into::into),
        });
        let prior = prior.transpose().map_err(|error| root.wrong_in("prior", error))?;
        Ok(Self { said, prior })
    }

    /// The budget.
    #[must_use]
    pub fn epsilon(&self) -> Option<&Epsilon> {
        self.said.epsilon.as_ref()
    }

    /// The delta that goes with it.
    #[must_use]
    pub fn delta(&self) -> Option<&Amount> {
        self.said.delta.as_ref()
    }

    /// Whether a large delta is meant.
    #[must_use]
    pub fn allows_large_delta(&self) -> bool {
        self.said.allow_large_delta.unwrap_or_default()
    }

    /// Whether n is public or private.
    #[must_use]
    pub fn adjacency(&self) -> Adjacency {
        self.said.adjacency.unwrap_or_default()
    }

    /// Whether it is said how many records there are at most.
    #[must_use]
    pub fn states_most(&self) -> bool {
        self.said.most.is_some()
    }

    /// What is to be read.
    #[must_use]
    pub fn readings(&self) -> Vec<Reading> {
        self.said.readings()
    }

    /// The level of intervals.
    #[must_use]
    pub fn level(&self) -> f64 {
        self.said.level.unwrap_or(Terms::LEVEL)
    }

    /// The terms at a budget; what is not said is as usual.
    #[must_use]
    pub fn terms(&self, epsilon: Epsilon) -> Terms {
        let usual = Terms { prior: self.prior.clone(), ..Terms::new(epsilon) };
        self.said.terms(usual, self.adjacency())
    }
}
