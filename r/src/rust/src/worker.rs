//! The one place that waits for work, and where Ctrl-C is noticed.

use std::ffi::CString;
use std::os::raw::{c_char, c_void};
use std::ptr::null_mut;

use extendr_api::prelude::*;
use posterity_present::{Watch, Worker};

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
        if is_interrupted() {
            worker.give_up();
            return Err(Failure::Interrupted);
        }
    }
}

#[allow(unsafe_code, reason = "functions of R that extendr does not declare")]
unsafe extern "C" {
    fn R_CheckUserInterrupt();
    fn REprintf(format: *const c_char, ...);
    fn R_ToplevelExec(function: extern "C" fn(*mut c_void), data: *mut c_void) -> i32;
}

#[allow(unsafe_code, reason = "it is called as R documents it")]
extern "C" fn look(_: *mut c_void) {
    // SAFETY: R calls this on its own thread, within R_ToplevelExec.
    unsafe { R_CheckUserInterrupt() }
}

/// Whether the user pressed Ctrl-C. R then leaves functions by a jump, which must not cross this crate: it ends in
/// `R_ToplevelExec`, and R code raises the interrupt anew.
#[allow(unsafe_code, reason = "R has no other way to ask")]
fn is_interrupted() -> bool {
    // SAFETY: this is R's own thread, because R has called; `look` owns nothing that a jump could leave behind.
    single_threaded(|| unsafe { R_ToplevelExec(look, null_mut()) == 0 })
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
