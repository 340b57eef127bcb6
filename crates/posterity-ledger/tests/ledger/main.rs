//! Tests by the public interface: accounts and charges, several processes, killed processes, edited and bad files.

mod accounting;
mod adjacency;
mod answering;
mod bad_files;
mod charging;
mod concentrated;
mod flips;
mod growth;
mod kill;
mod mixed;
mod race;
mod support;
mod tamper;
mod units;
mod worker;
