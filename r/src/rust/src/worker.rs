//! The one place that waits for work, and where Ctrl-C and limits of time are noticed.

use std::ffi::CString;
use std::os::raw::{c_char, c_void};
use std::ptr::null_mut;

use extendr_api::prelude::*;
use extendr_ffi::{R_NilValue, SEXP};
use posterity_present::{Watch, Worker};

use crate::argument::text;
use crate::call::Call;
use crate::failure::{Failure, UNFORESEEN};

/// Does the work on threads of its own, which know nothing of R, and looks for Ctrl-C meanwhile.
///
/// After Ctrl-C the work is given up at once, and its threads end at their next signs of life. Work that is committed
/// comes to its end first.
pub(crate) fn run<T: Send + 'static>(
    work: impl FnOnce(&Watch) -> Result<T, Failure> + Send + 'static,
) -> Result<T, Failure> {
    // As many threads as the machine runs at once.
    let mut worker = Worker::start(0, work)?;
    loop {
        if let Some(done) = worker.wait() {
            return done.unwrap_or(Err(UNFORESEEN));
        }
        if let Some(end) = ended() {
            worker.give_up();
            return Err(end);
        }
    }
}

#[allow(
    unsafe_code,
    improper_ctypes,
    reason = "functions of R that extendr does not declare, and its pointers to values of R"
)]
unsafe extern "C" {
    fn R_CheckUserInterrupt();
    fn REprintf(format: *const c_char, ...);
    fn R_tryCatch(
        body: extern "C" fn(*mut c_void) -> SEXP,
        data: *mut c_void,
        conditions: SEXP,
        handler: extern "C" fn(SEXP, *mut c_void) -> SEXP,
        handled: *mut c_void,
        finally: Option<extern "C" fn(*mut c_void)>,
        ended: *mut c_void,
    ) -> SEXP;
}

#[allow(unsafe_code, reason = "it is called as R documents it")]
extern "C" fn look(_: *mut c_void) -> SEXP {
    // SAFETY: R calls this on its own thread, within R_tryCatch.
    unsafe {
        R_CheckUserInterrupt();
        R_NilValue
    }
}

extern "C" fn caught(condition: SEXP, _: *mut c_void) -> SEXP {
    condition
}

/// Whether the user pressed Ctrl-C, or a limit of time (`setTimeLimit`) is reached. R then leaves functions by a jump, which
/// must not cross this crate: it ends in `R_tryCatch`, and R code raises the condition anew.
#[allow(unsafe_code, reason = "R has no other way to ask")]
fn ended() -> Option<Failure> {
    let conditions: Robj = ["interrupt", "error"].into();
    // SAFETY: this is R's own thread, because R has called; neither function owns anything that a jump could leave behind. The
    // condition is protected as soon as it is an object of extendr's.
    let condition = single_threaded(|| unsafe {
        let none = null_mut();
        Robj::from_sexp(R_tryCatch(look, none, conditions.get(), caught, none, None, none))
    });
    if condition.is_null() {
        return None;
    }
    if condition.inherits("interrupt") {
        return Some(Failure::Interrupted);
    }
    let said = condition.dollar("message").ok().and_then(|message| text(&message, "message").ok());
    Some(Failure::Ended(said.unwrap_or_else(|| "the call was ended by R".to_owned())))
}

/// Tells the user something while the call goes on. A warning of R could become an error, which would jump across this
/// crate.
#[allow(unsafe_code, reason = "it is called as R documents it")]
pub(crate) fn say(text: &str) {
    // R reads a text up to its first zero.
    let Ok(text) = CString::new(text.replace('\0', " ")) else { return };
    // SAFETY: this is R's own thread, because R has called; the format has one text, which ends with a zero.
    single_threaded(|| unsafe { REprintf(c"%s\n".as_ptr(), text.as_ptr()) });
}

/// Warns of each of these, while the call goes on.
pub(crate) fn warn(texts: &[String]) {
    texts.iter().for_each(|text| say(&format!("warning: {text}")));
}

/// Panics on R's thread or on another, so that tests can check what a user sees of a panic.
#[allow(clippy::panic, reason = "it is what this is for")]
pub(crate) fn panic(call: &Call) -> Result<Robj, Failure> {
    if !call.truth("elsewhere")? {
        panic!("Mallory");
    }
    run(|_| panic!("Mallory")).map(|()| Robj::default())
}
