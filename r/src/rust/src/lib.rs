//! The R package: functions that take the arguments of a call by name, as a list, and give back R values.
//!
//! R code around them, in `r/R`, has the documentation and the methods. Nothing is computed there.

mod advice;
mod argument;
mod asked;
mod audit;
mod call;
mod check;
mod column;
mod contest;
mod data;
mod describe;
mod discover;
mod failure;
mod inspection;
mod json;
mod kept;
mod ledger;
mod margins;
mod node;
mod picture;
mod published;
mod reading;
mod release;
mod study;
mod verify;
mod worker;

use extendr_api::prelude::*;

use crate::call::Call;
use crate::failure::answered;

/// Declares the functions that R calls: each takes a list of arguments, and gives back a value or a failure.
macro_rules! functions {
    ($($name:ident = $work:path;)*) => {
        $(
            #[extendr]
            fn $name(call: List) -> Robj {
                answered(|| $work(&Call::new(call)))
            }
        )*
    };
}

functions! {
    rs_release = release::release;
    rs_load = published::load;
    rs_shown = published::shown;
    rs_records = published::records;
    rs_save = published::save;
    rs_plan = asked::plan;
    rs_plan_text = asked::written;
    rs_fields = asked::all_fields;
    rs_describe = describe::describe;
    rs_tables = reading::all;
    rs_json = published::json;
    rs_interval = release::interval;
    rs_draws = release::draws;
    rs_lines = release::lines;
    rs_read = reading::read;
    rs_contrast = reading::contrast;
    rs_picture = picture::picture;
    rs_margins = margins::margins;
    rs_rows = margins::rows;
    rs_compare = contest::compare;
    rs_inspect = inspection::inspect;
    rs_audit = audit::audit;
    rs_check = check::check;
    rs_discover = discover::discover;
    rs_advise = advice::advise;
    rs_verify = verify::verify;
    rs_study = study::study;
    rs_ledger_open = ledger::open;
    rs_ledger_create_account = ledger::create_account;
    rs_ledger_accounts = ledger::accounts;
    rs_ledger_history = ledger::history;
    rs_ledger_releases_of = ledger::releases_of;
    rs_ledger_verify = ledger::verify;
    rs_panic = worker::panic;
}

extendr_module! {
    mod posterity;
    fn rs_release;
    fn rs_load;
    fn rs_shown;
    fn rs_records;
    fn rs_save;
    fn rs_plan;
    fn rs_plan_text;
    fn rs_fields;
    fn rs_describe;
    fn rs_tables;
    fn rs_json;
    fn rs_interval;
    fn rs_draws;
    fn rs_lines;
    fn rs_read;
    fn rs_contrast;
    fn rs_picture;
    fn rs_margins;
    fn rs_rows;
    fn rs_compare;
    fn rs_inspect;
    fn rs_audit;
    fn rs_check;
    fn rs_discover;
    fn rs_advise;
    fn rs_verify;
    fn rs_study;
    fn rs_ledger_open;
    fn rs_ledger_create_account;
    fn rs_ledger_accounts;
    fn rs_ledger_history;
    fn rs_ledger_releases_of;
    fn rs_ledger_verify;
    fn rs_panic;
}
