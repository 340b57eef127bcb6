#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| posterity_fuzz::csv::look(bytes));
