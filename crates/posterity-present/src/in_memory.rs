//! Data that a program holds in memory: what it is called, and what a ledger may recognise it by.

use posterity::data::{Adjacency, Counted, Question};
use posterity::{Data, NameError, Randomness};

/// What is asked of data in memory, and what it is called.
#[derive(Clone, Debug)]
pub struct InMemory {
    /// What is asked.
    pub question: Question,
    /// The name that identifies the data, if it has one.
    pub name: Option<String>,
    /// Whether the columns have names. Labels alone have none.
    pub is_table: bool,
    /// Whether the categories are the names that counts were given under.
    pub published_keys: bool,
}

impl InMemory {
    /// The counted data. Also returns the private counts, if the same data always gives the same ones.
    ///
    /// # Errors
    /// [`NameError`].
    pub fn data(
        &self,
        counted: Counted,
        randomness: Randomness,
    ) -> Result<(Data, Option<Vec<u64>>), NameError> {
        let counts = self.is_repeatable().then(|| counted.counts.as_slice().to_vec());
        let mut data = Data::counted(counted, &self.question, randomness);
        if !self.is_table {
            data = data.without_columns();
        }
        if self.published_keys {
            data = data.with_published_keys();
        }
        Ok((self.named(data)?, counts))
    }

    /// Whether the counts may be compared with earlier ones. Where n is private, nothing may depend on whether two data
    /// sets are the same.
    fn is_repeatable(&self) -> bool {
        let is_drawn = self.question.unit.is_some() && self.question.per_unit.draws();
        !is_drawn && self.question.adjacency == Adjacency::Replace
    }

    fn named(&self, data: Data) -> Result<Data, NameError> {
        let Some(name) = &self.name else { return Ok(data) };
        if self.is_table {
            return data.named_table(name, &self.question);
        }
        let column = self.question.columns.first();
        let other = column.and_then(|column| column.other.as_deref());
        let missing = column.and_then(|column| column.missing.as_deref());
        data.named(name, other, missing)
    }
}

#[cfg(test)]
mod tests {
    use posterity::data::{Column, LabelCounter};

    use super::*;

    /// If this fails, a name tells whether data has changed whose n is private.
    #[test]
    fn counts_are_compared_only_where_n_is_public() {
        for (adjacency, compared) in [(Adjacency::Replace, true), (Adjacency::AddRemove, false)] {
            let column = Column::new("data", vec!["yes".to_owned(), "no".to_owned()]);
            let mut counter = LabelCounter::new(column.clone()).expect("two categories");
            counter.add(Some("yes"), 3);
            let counted = counter.finish_leaving_out().expect("counted");
            let question = Question { adjacency, ..Question::new(vec![column]) };
            let name = Some("trial".to_owned());
            let known = InMemory { question, name, is_table: false, published_keys: false };
            let (_, counts) = known.data(counted, Randomness::System).expect("a name");
            assert_eq!(counts, compared.then(|| vec![3, 0]));
        }
    }
}
