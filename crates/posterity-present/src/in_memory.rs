//! Data that a program holds in memory: what it is called, and what a ledger may recognise it by.

use posterity::data::{Counted, Question};
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
    /// The counted data.
    ///
    /// # Errors
    /// [`NameError`].
    pub fn data(&self, counted: Counted, randomness: Randomness) -> Result<Data, NameError> {
        let mut data = Data::counted(counted, &self.question, randomness);
        if !self.is_table {
            data = data.without_columns();
        }
        if self.published_keys {
            data = data.with_published_keys();
        }
        self.named(data)
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
