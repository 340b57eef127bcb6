//! How large the groups of a column are expected to be, before anything is counted.

use posterity_count::Column;

use super::error::PlanError;
use super::keys::Item;

/// How large the groups of the values of a column are expected to be, in any unit. Forecasts use it, and nothing that is
/// drawn does. It is public, so it must come from a public source or from an earlier release.
#[derive(Clone, Debug, PartialEq)]
pub struct GroupSizes {
    column: String,
    sizes: Vec<(String, f64)>,
}

/// The sizes of one column as they are written.
#[derive(Clone, Debug)]
pub(crate) struct WrittenSizes {
    column: String,
    sizes: Sizes,
}

/// One size for each value that is declared, in their order; or each with its value.
#[derive(Clone, Debug)]
enum Sizes {
    InOrder(Vec<f64>),
    Named(Vec<(String, f64)>),
}

impl GroupSizes {
    /// The column.
    #[must_use]
    pub fn column(&self) -> &str {
        &self.column
    }

    /// The size of a value; nothing if none is given, as of values that are no answers.
    #[must_use]
    pub fn of(&self, value: &str) -> Option<f64> {
        self.sizes.iter().find(|(name, _)| name == value).map(|(_, size)| *size)
    }

    /// What a plan says of the columns that it declares, each with its categories for other and for missing values.
    pub(super) fn all(
        item: &Item<'_>,
        written: &[WrittenSizes],
        column: impl Fn(&Item<'_>, &str) -> Result<Column, PlanError>,
    ) -> Result<Vec<Self>, PlanError> {
        let one = |written: &WrittenSizes| {
            let here = item.get(&written.column).unwrap_or_else(|| item.clone());
            let column = column(&here, &written.column)?;
            let declared = column.domain.names();
            let unknown = column.other.iter().chain(&column.missing);
            let sizes = match &written.sizes {
                Sizes::InOrder(sizes) if sizes.len() == declared.len() => {
                    declared.iter().cloned().zip(sizes.iter().copied()).collect()
                }
                Sizes::InOrder(sizes) => {
                    return Err(here.wrong(format!(
                        "there are {} sizes for the {} values of {:?}; give one for each, in the order in which they are declared",
                        sizes.len(),
                        declared.len(),
                        written.column
                    )));
                }
                Sizes::Named(sizes) => sizes.clone(),
            };
            let known: Vec<&String> = declared.iter().chain(unknown).collect();
            if let Some((name, _)) = sizes.iter().find(|(name, _)| !known.contains(&name)) {
                return Err(
                    here.wrong(format!("{:?} has no value {name:?}; name its values", written.column))
                );
            }
            let is_named = |value: &&String| sizes.iter().any(|(name, _)| name == *value);
            match declared.iter().find(|value| !is_named(value)) {
                Some(value) => Err(here.wrong(format!("give a size for {value:?} too"))),
                None => Ok(Self { column: written.column.clone(), sizes }),
            }
        };
        written.iter().map(one).collect()
    }
}

impl WrittenSizes {
    /// A table of columns, or texts such as `ward=50,24,16`.
    pub(super) fn read(item: &Item<'_>) -> Result<Vec<Self>, PlanError> {
        let all: Vec<Self> = if item.is_table() {
            item.entries()?.iter().map(Self::of_column).collect::<Result<_, _>>()?
        } else {
            item.list().iter().map(Self::of_text).collect::<Result<_, _>>()?
        };
        match all
            .iter()
            .enumerate()
            .find(|(index, one)| all[..*index].iter().any(|other| other.column == one.column))
        {
            Some((_, one)) => {
                Err(item.wrong(format!("{:?} is named twice; give its sizes once", one.column)))
            }
            None => Ok(all),
        }
    }

    fn of_column(item: &Item<'_>) -> Result<Self, PlanError> {
        let sizes = if item.is_table() {
            let named = item
                .entries()?
                .into_iter()
                .map(|item| Ok((item.key().to_owned(), size(&item, &item.digits()?)?)));
            Sizes::Named(named.collect::<Result<_, _>>()?)
        } else {
            Sizes::InOrder(
                item.list().iter().map(|item| size(item, &item.digits()?)).collect::<Result<_, _>>()?,
            )
        };
        Ok(Self { column: item.key().to_owned(), sizes })
    }

    fn of_text(item: &Item<'_>) -> Result<Self, PlanError> {
        let text = item.text()?;
        let (column, sizes) = text
            .rsplit_once('=')
            .ok_or_else(|| item.wrong("write a column and its sizes, such as ward=50,24,16"))?;
        let sizes = sizes.split(',').map(|part| size(item, part.trim())).collect::<Result<_, _>>()?;
        Ok(Self { column: column.trim().to_owned(), sizes: Sizes::InOrder(sizes) })
    }
}

/// A size above zero.
fn size(item: &Item<'_>, text: &str) -> Result<f64, PlanError> {
    match text.parse::<f64>() {
        Ok(size) if size > 0.0 && size.is_finite() => Ok(size),
        _ => Err(item
            .wrong(format!("the size {text:?} is not above zero; give sizes in any unit, such as 50,24,16"))),
    }
}

#[cfg(test)]
mod tests {
    use crate::plan::{Node, Plan};

    fn read(shape: &str) -> Result<Plan, crate::plan::PlanError> {
        let text = format!(
            r#"{{"source": "visits.csv", "epsilon": 1, "shape": {shape}, "missing": {{"cured": "not known"}},
                "columns": {{"ward": ["A", "B", "C"], "cured": ["yes", "no"]}},
                "question": [{{"columns": ["ward", "cured"]}}]}}"#
        );
        let node: Node = text.parse().expect("JSON");
        Plan::read(node, &|_| Err("is not here".to_owned()))
    }

    #[test]
    fn accepts() {
        let plan = read(r#"{"ward": [5, "1/1", 0.5]}"#);
        assert!(plan.is_err(), "a fraction is no size");
        let plan = read(r#"{"ward": [5, 3, 2], "cured": {"yes": 6, "no": 3, "not known": 1}}"#);
        let plan = plan.expect("a plan");
        let sizes = |column: usize, value: &str| plan.shape()[column].of(value);
        assert_eq!((sizes(0, "B"), sizes(1, "not known"), sizes(1, "maybe")), (Some(3.0), Some(1.0), None));
        let plan = read(r#"["ward=5,3,2"]"#).expect("a plan");
        assert_eq!((plan.shape()[0].column(), plan.shape()[0].of("C")), ("ward", Some(2.0)));
    }

    #[test]
    fn rejects() {
        let table = [
            (r#"{"ward": [5, 3]}"#, "2 sizes for the 3 values", "shape.ward"),
            (r#"{"ward": [5, 3, 0]}"#, "not above zero", "shape.ward[2]"),
            (r#"{"ward": {"A": 1, "B": 2}}"#, "give a size for \"C\" too", "shape.ward"),
            (r#"{"ward": {"A": 1, "B": 2, "C": 1, "D": 1}}"#, "no value \"D\"", "shape.ward"),
            (r#"{"wart": [1, 2, 3]}"#, "ward", "shape.wart"),
            (r#""ward""#, "such as ward=50,24,16", "shape"),
            (r#""ward=1,x,3""#, "\"x\" is not above zero", "shape"),
            (r#"["ward=1,2,3", "ward=1,2,3"]"#, "twice", "shape"),
        ];
        for (shape, why, path) in table {
            let error = read(shape).expect_err(shape);
            assert!(error.to_string().contains(why), "{shape}: {error}");
            assert_eq!(error.path().to_string(), path, "{shape}");
        }
    }
}
