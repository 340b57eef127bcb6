//! Tests against files of another writer, what another reader says of them, and damaged ones.

mod agreement;
mod craft;
mod damage;
mod examples;
mod files;
mod generate;
mod hostile;
mod mutation;
mod seen;
mod speed;
