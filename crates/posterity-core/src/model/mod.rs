//! What is public and what is private: categories, prior and budget on one side, counts on the other.

mod categories;
mod counts;
mod delta;
mod dirichlet;
mod epsilon;
mod gamma;
mod prior;
mod released;
mod setting;

pub use categories::{Categories, CategoriesError};
pub use counts::{Counts, CountsError, MAX_TOTAL};
pub use delta::{Delta, DeltaError};
pub use dirichlet::{Beta, DensityError, Dirichlet, DirichletError, IntervalError, LevelError};
pub use epsilon::{Epsilon, EpsilonError};
pub use gamma::{Gamma, GammaError};
pub use prior::{Prior, PriorError};
pub use released::Released;
pub use setting::{Setting, SettingError};
