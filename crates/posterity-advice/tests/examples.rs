//! Runs the example. It is a module here, so that no other build step has to come first.

#![allow(unreachable_pub, reason = "an example's main is public so that this test can call it")]

use std::error::Error;

#[path = "../examples/comparison.rs"]
mod comparison;

#[test]
fn comparison_runs() -> Result<(), Box<dyn Error>> {
    comparison::main()
}
