//! The inputs of a release. Categories, prior and budget are public; the counts are private.

mod adjacency;
mod beta;
mod categories;
mod counts;
mod delta;
mod dirichlet;
mod drawn;
mod epsilon;
mod gamma;
mod level;
mod prior;
mod released;
mod setting;
mod stated_prior;

pub use adjacency::{Adjacency, AdjacencyError};
pub use beta::Beta;
pub use categories::{Categories, CategoriesError};
pub use counts::{Counts, CountsError, MAX_TOTAL};
pub use delta::{Delta, DeltaError};
pub use dirichlet::{DensityError, Dirichlet, DirichletError, IntervalError};
pub use drawn::{Drawn, DrawnError};
pub use epsilon::{Epsilon, EpsilonError};
pub use gamma::{Gamma, GammaError};
pub use level::{LevelError, interval_level};
pub use prior::{Prior, PriorError};
pub use released::Released;
pub use setting::{Setting, SettingError};
pub use stated_prior::StatedPrior;
