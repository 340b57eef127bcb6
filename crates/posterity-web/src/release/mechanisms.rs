//! The mechanisms to choose from, made from the list of mechanisms.

use maud::{Markup, html};
use posterity::{Adjacency, Terms};
use posterity_core::mechanism::{ALL, Description, Form, Parameter};

/// The field for the text of a mechanism, with texts to choose from and what they mean.
/// Where n is private there is one only.
pub(super) fn field(typed: &str, adjacency: Adjacency) -> Markup {
    let usual = Terms::usual_mechanism(adjacency);
    let choices: Vec<String> = match adjacency {
        Adjacency::Replace => private().flat_map(texts).collect(),
        Adjacency::AddRemove => vec![usual.to_string()],
    };
    html! {
        p {
            label for="mechanism" { "Mechanism" }
            input id="mechanism" name="mechanism" value=(typed) placeholder=(usual) list="mechanisms"
                spellcheck="false" aria-describedby="mechanism-help";
            datalist id="mechanisms" { @for text in choices { option { (text) } } }
            span.help id="mechanism-help" {
                "A name, or a name with parameters, such as " code { "ehds(gamma=0.5)" } " or " code { "tight(ehds)" }
                ". If n is private, leave it empty: the noise is geometric."
            }
        }
        details {
            summary { "All mechanisms and their parameters" }
            ul.plain.small {
                @for one in private() { (entry(&described(one), one.summary)) }
                @for one in parameters() { (entry(one.name, one.help)) }
            }
        }
    }
}

/// The mechanisms that promise something.
fn private() -> impl Iterator<Item = &'static Description> {
    ALL.iter().copied().filter(|one| one.private)
}

/// The texts of a mechanism that need no number: its name, each of its flags and words, and with the scale of an audit.
fn texts(one: &'static Description) -> Vec<String> {
    let name = one.name;
    let mut texts = vec![name.to_owned()];
    for parameter in one.parameters {
        match parameter.form {
            Form::Flag => texts.push(format!("{name}({})", parameter.name)),
            Form::Word(_, words) | Form::Text(_, words) => {
                texts.extend(words.iter().map(|word| format!("{name}({}={word})", parameter.name)));
            }
            Form::Number(_) => {}
        }
    }
    if one.tunable {
        texts.push(format!("tight({name})"));
    }
    texts
}

/// A mechanism with its parameters, and with the scale of an audit.
fn described(one: &'static Description) -> String {
    let parameters: Vec<String> = one.parameters.iter().map(written).collect();
    let text = if parameters.is_empty() {
        one.name.to_owned()
    } else {
        format!("{}({})", one.name, parameters.join(", "))
    };
    if one.tunable { format!("{text}, tight({})", one.name) } else { text }
}

/// A parameter as it is written, with a word in capitals for what is chosen.
fn written(parameter: &Parameter) -> String {
    match parameter.form {
        Form::Flag => parameter.name.to_owned(),
        Form::Number(value) | Form::Word(value, _) | Form::Text(value, _) => {
            format!("{}={value}", parameter.name)
        }
    }
}

/// Every parameter once.
fn parameters() -> Vec<&'static Parameter> {
    let mut all: Vec<&Parameter> = Vec::new();
    for one in private().flat_map(|one| one.parameters) {
        if !all.iter().any(|known| known.name == one.name) {
            all.push(one);
        }
    }
    all
}

fn entry(text: &str, meaning: &str) -> Markup {
    html! { li { code { (text) } ": " (meaning) } }
}

#[cfg(test)]
mod tests {
    use posterity_core::mechanism::Spec;

    use super::*;

    #[test]
    fn every_text_names_a_mechanism() {
        for (one, text) in private().flat_map(|one| texts(one).into_iter().map(move |text| (one, text))) {
            let spec: Spec = text.parse().expect("a mechanism");
            assert_eq!(spec.description(), one, "{text}");
        }
    }

    #[test]
    fn the_field_has_all_that_can_be_chosen() {
        let field = field("ehds(gamma=0.5)", Adjacency::Replace).into_string();
        for part in [
            "value=\"ehds(gamma=0.5)\"",
            "placeholder=\"lattice\"",
            "<option>tight(ehds)</option>",
            "<option>lsdim(consistent)</option>",
            "<code>ehds(gamma=GAMMA, sharp, score=SCORE), tight(ehds)</code>",
            "<code>consistent</code>",
        ] {
            assert!(field.contains(part), "{part}: {field}");
        }
        assert!(!field.contains("ehdl"), "it promises nothing: {field}");
    }

    #[test]
    fn where_n_is_private_there_is_one() {
        let field = field("", Adjacency::AddRemove).into_string();
        assert!(field.contains("placeholder=\"geometric\""), "{field}");
        assert!(
            field.contains("<datalist id=\"mechanisms\"><option>geometric</option></datalist>"),
            "{field}"
        );
    }
}
