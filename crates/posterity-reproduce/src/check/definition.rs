//! Checks as a definition writes them: `check` names the kind, and every kind has keys of its own.

use toml::{Table, Value};

use super::crossing::Crossing;
use super::error::CheckError;
use super::keys::Keys;
use super::selection::{Partner, Selection};
use super::{Check, Condition, word};

/// The names of all checks.
const NAMES: [&str; 13] = [
    "below",
    "up-to",
    "near",
    "value",
    "at-most",
    "at-least",
    "reaches",
    "maximum-at",
    "falling",
    "rising",
    "constant",
    "varies",
    "crossing",
];

impl TryFrom<Table> for Check {
    type Error = CheckError;

    fn try_from(mut table: Table) -> Result<Self, Self::Error> {
        let Some(Value::String(name)) = table.remove("check") else {
            return Err(CheckError::Unnamed { known: NAMES.join(", ") });
        };
        let mut keys = Keys::new(&name, table);
        let read = match name.as_str() {
            "below" => below,
            "up-to" => up_to,
            "near" => near,
            "value" => value,
            "at-most" => at_most,
            "at-least" => at_least,
            "reaches" => reaches,
            "maximum-at" => maximum_at,
            "falling" => falling,
            "rising" => rising,
            "constant" => constant,
            "varies" => varies,
            "crossing" => crossing,
            _ => return Err(CheckError::UnknownCheck { name, known: NAMES.join(", ") }),
        };
        let check = read(&mut keys)?;
        keys.finish()?;
        Ok(check)
    }
}

type Read = Result<Check, CheckError>;

fn below(keys: &mut Keys) -> Read {
    let rows = compared(keys)?;
    let partner = partner(keys)?;
    Ok(Check { rows, condition: Condition::Below { partner, factor: word::factor(keys)? } })
}

fn up_to(keys: &mut Keys) -> Read {
    let rows = compared(keys)?;
    Ok(Check { rows, condition: Condition::UpTo { partner: partner(keys)? } })
}

fn near(keys: &mut Keys) -> Read {
    let rows = compared(keys)?;
    let partner = partner(keys)?;
    Ok(Check { rows, condition: Condition::Near { partner, tolerance: word::within(keys)? } })
}

fn value(keys: &mut Keys) -> Read {
    let rows = selection(keys)?;
    Ok(Check { rows, condition: Condition::Value { is: keys.printed("is")? } })
}

fn at_most(keys: &mut Keys) -> Read {
    Ok(Check { rows: selection(keys)?, condition: Condition::AtMost { is: keys.number("is")? } })
}

fn at_least(keys: &mut Keys) -> Read {
    Ok(Check { rows: selection(keys)?, condition: Condition::AtLeast { is: keys.number("is")? } })
}

fn reaches(keys: &mut Keys) -> Read {
    Ok(Check { rows: selection(keys)?, condition: Condition::Reaches { is: keys.number("is")? } })
}

fn maximum_at(keys: &mut Keys) -> Read {
    Ok(Check { rows: selection(keys)?, condition: Condition::MaximumAt { at_of: keys.text("at_of")? } })
}

fn falling(keys: &mut Keys) -> Read {
    Ok(Check { rows: selection(keys)?, condition: Condition::Falling })
}

fn rising(keys: &mut Keys) -> Read {
    Ok(Check { rows: selection(keys)?, condition: Condition::Rising })
}

fn constant(keys: &mut Keys) -> Read {
    let rows = selection(keys)?;
    Ok(Check { rows, condition: Condition::Constant { tolerance: word::within(keys)? } })
}

fn varies(keys: &mut Keys) -> Read {
    Ok(Check { rows: selection(keys)?, condition: Condition::Varies })
}

/// The range of a crossing limits where the curves cross, not which rows are compared.
fn crossing(keys: &mut Keys) -> Read {
    let (of, left, right) = (keys.text("of")?, keys.text("left")?, keys.text("right")?);
    let panel = keys.optional_text("panel")?;
    let (from, to) = (keys.number("from")?, keys.number("to")?);
    let rows = Selection { of, left: Some(left.clone()), panel, from: None, to: None };
    Ok(Check { rows, condition: Condition::Crossing(Crossing { left, right, from, to }) })
}

fn selection(keys: &mut Keys) -> Result<Selection, CheckError> {
    Ok(Selection {
        of: keys.text("of")?,
        left: keys.optional_text("left")?,
        panel: keys.optional_text("panel")?,
        from: keys.optional_number("from")?,
        to: keys.optional_number("to")?,
    })
}

/// A selection of one series.
fn compared(keys: &mut Keys) -> Result<Selection, CheckError> {
    let rows = selection(keys)?;
    if rows.left.is_none() { Err(keys.missing_text("left")) } else { Ok(rows) }
}

fn partner(keys: &mut Keys) -> Result<Partner, CheckError> {
    let partner = Partner {
        right: keys.optional_text("right")?,
        right_of: keys.optional_text("right_of")?,
        right_panel: keys.optional_text("right_panel")?,
    };
    if partner == Partner::default() { Err(keys.missing_text("right or right_of")) } else { Ok(partner) }
}
