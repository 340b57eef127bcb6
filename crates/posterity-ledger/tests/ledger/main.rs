//! The ledger as its users meet it: accounts and charges, several processes, sudden death, edited and bad files.

mod bad_files;
mod charging;
mod kill;
mod race;
mod support;
mod tamper;
mod worker;
