//! Texts of mechanisms, such as `tight(ehds(gamma=0.5))`, and of amounts.

use posterity::{Amount, Epsilon, Spec, Terms};

/// Reads a text as a mechanism and as an amount. What was read is written and read again, and a mechanism is made.
pub fn look(bytes: &[u8]) {
    let Some(text) = crate::text(bytes) else { return };
    if let Ok(spec) = text.parse::<Spec>() {
        assert_eq!(spec.to_string().parse::<Spec>().as_ref(), Ok(&spec), "{text:?}");
        if let Ok(epsilon) = "1".parse::<Epsilon>() {
            let terms = Terms { spec, ..Terms::new(epsilon) };
            // It may be refused, but not by a panic.
            let _ = terms.request(2, 4, &|_| ()).map(|request| request.mechanism(&|_| ()).is_ok());
        }
    }
    if let Ok(amount) = text.parse::<Amount>() {
        assert_eq!(amount.to_string().parse::<Amount>().as_ref(), Ok(&amount), "{text:?}");
    }
    let _ = text.parse::<Epsilon>();
}
