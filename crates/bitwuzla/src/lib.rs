//! The solver bitwuzla with CaDiCaL, compiled in: one question at a time, as SMT-LIB 2 text.
//!
//! **Invariants**: this is the only unsafe code around solvers, and it is all here. A question is a
//! [`Session`] of its own; exceptions of C++ end in `session.cpp`, and a session that failed in any
//! way has said nothing.

use std::ffi::{CString, c_char, c_int, c_void};
use std::ptr::NonNull;

// Its objects are linked only if somebody names it.
use cadical_sys as _;

/// What the other side keeps of a question.
#[repr(C)]
struct Opaque {
    _private: [u8; 0],
}

unsafe extern "C" {
    fn brownout_bitwuzla_new(
        is_over: extern "C" fn(*mut c_void) -> bool,
        state: *mut c_void,
    ) -> *mut Opaque;
    fn brownout_bitwuzla_delete(session: *mut Opaque);
    fn brownout_bitwuzla_check(session: *mut Opaque, text: *const c_char) -> c_int;
    fn brownout_bitwuzla_value(
        session: *mut Opaque,
        name: *const c_char,
        digits: *mut c_char,
        room: usize,
    ) -> c_int;
}

/// What bitwuzla says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Answer {
    /// Some values make it true.
    Sat,
    /// No values do.
    Unsat,
    /// It was told to stop, or does not know.
    Unknown,
    /// It failed: text that it does not understand, or no memory.
    Failed,
}

type IsOver = Box<dyn FnMut() -> bool>;

/// A question and its answer.
pub struct Session {
    session: NonNull<Opaque>,
    /// What `is_over` is called with: it stays where it is as long as the session lives.
    is_over: NonNull<IsOver>,
}

extern "C" fn is_over(state: *mut c_void) -> bool {
    let state = state.cast::<IsOver>();
    // SAFETY: `state` is the box of the session that calls, which is neither moved nor freed before
    // the session is, and nobody else uses it: sessions are not shared between threads.
    let is_over = unsafe { &mut *state };
    // A panic must not get to the other side.
    std::panic::catch_unwind(std::panic::AssertUnwindSafe(is_over)).unwrap_or(true)
}

impl Session {
    /// A question that is given up as soon as `is_over`, which is asked all the time.
    pub fn new(over: impl FnMut() -> bool + 'static) -> Option<Self> {
        let boxed: Box<IsOver> = Box::new(Box::new(over));
        let state = NonNull::from(Box::leak(boxed));
        // SAFETY: the function and its state fit together, and live as long as the session.
        let session = unsafe { brownout_bitwuzla_new(is_over, state.as_ptr().cast()) };
        match NonNull::new(session) {
            Some(session) => Some(Self {
                session,
                is_over: state,
            }),
            None => {
                // SAFETY: it was a box before, and nobody got it.
                drop(unsafe { Box::from_raw(state.as_ptr()) });
                None
            }
        }
    }

    /// Asks whether all that a text asserts can be; once for each session.
    pub fn check(&mut self, text: &str) -> Answer {
        let Ok(text) = CString::new(text) else {
            return Answer::Failed;
        };
        // SAFETY: the session lives, and the text ends with a zero.
        match unsafe { brownout_bitwuzla_check(self.session.as_ptr(), text.as_ptr()) } {
            1 => Answer::Sat,
            2 => Answer::Unsat,
            0 => Answer::Unknown,
            _ => Answer::Failed,
        }
    }

    /// The value of a term that the text names, after the answer [`Answer::Sat`].
    pub fn value(&mut self, name: &str) -> Option<u128> {
        let name = CString::new(name).ok()?;
        let mut digits = [0_u8; 129];
        // SAFETY: the session lives, the name ends with a zero, and there is room for as many bytes
        // as it says.
        let found = unsafe {
            brownout_bitwuzla_value(
                self.session.as_ptr(),
                name.as_ptr(),
                digits.as_mut_ptr().cast(),
                digits.len(),
            )
        };
        let digits = digits.split(|byte| *byte == 0).next().unwrap_or(&[]);
        let digits = std::str::from_utf8(digits).ok()?;
        (found == 1).then(|| u128::from_str_radix(digits, 2).ok())?
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        // SAFETY: both were made by `new`, and are freed once: the session first, which uses the other.
        unsafe {
            brownout_bitwuzla_delete(self.session.as_ptr());
            drop(Box::from_raw(self.is_over.as_ptr()));
        }
    }
}

impl std::fmt::Debug for Session {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Session")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_have_values() {
        let text = "(set-logic QF_UFBV)\n(declare-const a (_ BitVec 8))\n\
                    (push 1)\n(assert (= (bvmul a a) #x31))\n";
        let mut session = Session::new(|| false).unwrap();
        assert_eq!(session.check(text), Answer::Sat);
        let a = session.value("a").unwrap() as u8;
        assert_eq!(a.wrapping_mul(a), 0x31);
        let none = text.replace("#x31", "#x33");
        assert_eq!(Session::new(|| false).unwrap().check(&none), Answer::Unsat);
        let wrong = Session::new(|| false).unwrap().check("(assert nonsense)");
        assert_eq!(wrong, Answer::Failed);
    }

    #[test]
    fn it_stops_when_told() {
        // A number of 64 bits taken apart.
        let text = "(set-logic QF_BV)\n(declare-const a (_ BitVec 64))\n(declare-const b (_ BitVec 64))\n\
                    (assert (= (bvmul ((_ zero_extend 64) a) ((_ zero_extend 64) b)) \
                    (_ bv340282366920938460843936948965011886881 128)))\n\
                    (assert (bvugt a #x0000000000000001))(assert (bvugt b a))\n";
        let begun = std::time::Instant::now();
        let mut session = Session::new(move || begun.elapsed().as_millis() > 300).unwrap();
        assert_eq!(session.check(text), Answer::Unknown);
        assert!(begun.elapsed().as_secs() < 20);
    }
}
