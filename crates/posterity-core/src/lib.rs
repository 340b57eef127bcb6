//! Differentially private Bayesian posteriors for categorical data: the mathematics.
//!
//! A table is summarised by counts over declared categories; with a Dirichlet prior the posterior is
//! `Dir(prior + counts)`. This crate measures how far two such posteriors are apart ([`distance`]), how much one person
//! can move one ([`sensitivity`]), releases one with a proven guarantee ([`mechanism`]) by exact sampling
//! ([`sampler`]), says what a release tells about the truth ([`noise_aware`]), and finds what a mechanism really loses
//! ([`audit`]). It knows no files, no clocks and no ambient randomness.

pub mod accuracy;
pub mod audit;
pub mod calibrate;
pub mod confidence;
pub mod decode;
pub mod discovery;
pub mod distance;
mod exponential_likelihood;
#[cfg(test)]
mod fixture;
pub mod mechanism;
pub mod model;
pub mod noise;
pub mod noise_aware;
pub mod parallelism;
#[cfg(feature = "limit")]
mod program;
pub mod pulse;
pub mod sampler;
pub mod score;
pub mod sensitivity;
pub mod special;
pub mod table;
