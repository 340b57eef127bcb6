//! Runs the examples. They are modules here, so that no other build step has to come first.

#![allow(unreachable_pub, reason = "an example's main is public so that this test can call it")]

use std::error::Error;

#[path = "../examples/budget.rs"]
mod budget;
#[path = "../examples/release.rs"]
mod release;

#[test]
fn release_runs() -> Result<(), Box<dyn Error>> {
    release::main()
}

#[test]
fn budget_runs() -> Result<(), Box<dyn Error>> {
    budget::main()
}
