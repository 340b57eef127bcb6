//! Counts by a query in a session of this process, which needs no cluster.

mod agreement;
mod drawn_units;
mod formats;
mod tables;
