//! Which cells a reading is of.

use posterity_core::table::{Block, Grouping};

use super::error::ReadingError;
use super::labels::Labels;
use super::names::set_text;
use super::reading::Reading;
use super::space::{Space, SpaceColumn};
use super::term::{Selection, Term};

/// What is asked for, what is given, and whether shares are among all records or among those whose values are known.
#[derive(Clone, Copy)]
pub(crate) struct Terms<'a> {
    pub(crate) of: &'a [Term],
    pub(crate) given: &'a [Term],
    pub(crate) of_all: bool,
}

/// The cells of each condition, by what is asked of them.
///
/// This is where it is decided which records a share is among: the cells of a block. Those with an unknown value of a
/// column that is asked for are in no block, unless shares are of all records.
pub(crate) struct Layout {
    pub(crate) blocks: Vec<Block>,
    /// For each block, its condition and the cells that are asked for.
    pub(crate) labels: Vec<(Labels, Vec<Labels>)>,
    /// The cells for which a condition holds and a value is unknown.
    unknown: Vec<usize>,
}

impl Layout {
    /// The cells of a reading.
    pub(crate) fn of(space: &Space, reading: &Reading) -> Result<Self, ReadingError> {
        let number: Option<Vec<Term>> = reading.number_of().map(|(_, column)| vec![Term::each(column)]);
        let of = number.as_deref().unwrap_or(reading.shares_of());
        let terms = Terms { of, given: reading.given(), of_all: reading.is_of_all() };
        refuse_same(of, reading.given())?;
        Self::new(space, terms, &|| reading.to_string())
    }

    pub(crate) fn new(
        space: &Space,
        terms: Terms<'_>,
        text: &dyn Fn() -> String,
    ) -> Result<Self, ReadingError> {
        let Terms { of, given, of_all } = terms;
        let (of, given) = (Choices::of(space, of, of_all)?, Choices::given(space, given)?);
        let mut blocks = vec![Parts { groups: vec![Vec::new(); of.len()], ..Parts::default() }; given.len()];
        for cell in 0..space.cells() {
            let Some(block) = given.of_cell(space, cell) else { continue };
            let parts = &mut blocks[block];
            match of.of_cell(space, cell) {
                Some(group) => parts.groups[group].push(cell),
                None if of.is_unknown(space, cell) => parts.unknown.push(cell),
                None => parts.others.push(cell),
            }
        }
        let mut layout = Self { blocks: Vec::new(), labels: Vec::new(), unknown: Vec::new() };
        for (block, Parts { groups, others, unknown }) in blocks.into_iter().enumerate() {
            // A column that stands on both sides has values that the condition excludes.
            let asked = groups.into_iter().enumerate().filter(|(_, cells)| !cells.is_empty());
            let (labels, asked): (Vec<Labels>, Vec<Vec<usize>>) =
                asked.map(|(group, cells)| (of.labels(group), cells)).unzip();
            if !asked.is_empty() {
                layout.blocks.push(Block::new(asked, others));
                layout.labels.push((given.labels(block), labels));
                layout.unknown.extend(unknown);
            }
        }
        if layout.blocks.is_empty() {
            return Err(ReadingError::NoCells { reading: text() });
        }
        Ok(layout)
    }

    /// The cells of unknown values, as the group of a block with all other cells for which a condition holds; nothing
    /// if there are none.
    pub(crate) fn unknown(&self) -> Option<Block> {
        let known = self.blocks.iter().flat_map(|block| block.asked().iter().flatten().chain(block.others()));
        (!self.unknown.is_empty()).then(|| Block::new(vec![self.unknown.clone()], known.copied().collect()))
    }

    pub(super) fn grouping(self, space: &Space) -> Result<Grouping, ReadingError> {
        Grouping::new(space.all_cells(), self.blocks)
            .map_err(|error| ReadingError::Document { reason: error.to_string() })
    }
}

/// The cells for which a condition holds.
#[derive(Clone, Default)]
struct Parts {
    /// The cells of each group that is asked for.
    groups: Vec<Vec<usize>>,
    /// Those of no such group.
    others: Vec<usize>,
    /// Those with an unknown value.
    unknown: Vec<usize>,
}

/// The combinations of the choices of some terms.
struct Choices {
    terms: Vec<Choice>,
}

/// The choices of one term.
struct Choice {
    name: String,
    column: usize,
    /// The name of each choice.
    labels: Vec<String>,
    /// For each value of the column, its choice.
    of_value: Vec<Option<usize>>,
    /// The values that are no answers. A condition has none: the unknown are a group like others.
    unknown: Vec<usize>,
}

impl Choices {
    /// What is asked for, among the records whose values are known or among all.
    fn of(space: &Space, terms: &[Term], of_all: bool) -> Result<Self, ReadingError> {
        let mut choices = Self::given(space, terms)?;
        for (choice, term) in choices.terms.iter_mut().zip(terms) {
            let column = &space.columns()[choice.column];
            if !of_all {
                choice.leave_out_unknown(column, term)?;
            }
        }
        Ok(choices)
    }

    /// What is given.
    fn given(space: &Space, terms: &[Term]) -> Result<Self, ReadingError> {
        let terms = terms.iter().map(|term| Choice::new(space, term)).collect::<Result<Vec<_>, _>>()?;
        for (index, term) in terms.iter().enumerate() {
            if terms[..index].iter().any(|other| other.column == term.column) {
                return Err(ReadingError::Repeated { what: term.name.clone() });
            }
        }
        Ok(Self { terms })
    }

    fn len(&self) -> usize {
        self.terms.iter().map(|term| term.labels.len()).product()
    }

    /// The combination that a cell belongs to.
    fn of_cell(&self, space: &Space, cell: usize) -> Option<usize> {
        self.terms.iter().try_fold(0, |index, term| {
            let choice = term.of_value[space.value(cell, term.column)]?;
            Some(index * term.labels.len() + choice)
        })
    }

    /// Whether the value of a term is unknown in a cell.
    fn is_unknown(&self, space: &Space, cell: usize) -> bool {
        self.terms.iter().any(|term| term.unknown.contains(&space.value(cell, term.column)))
    }

    fn labels(&self, index: usize) -> Labels {
        let mut rest = index;
        let mut labels: Vec<(String, String)> = self
            .terms
            .iter()
            .rev()
            .map(|term| {
                let choice = rest % term.labels.len();
                rest /= term.labels.len();
                (term.name.clone(), term.labels[choice].clone())
            })
            .collect();
        labels.reverse();
        labels.into_iter().collect()
    }
}

impl Choice {
    fn new(space: &Space, term: &Term) -> Result<Self, ReadingError> {
        let column = space.column(&term.column)?;
        let known = &space.columns()[column];
        let name = term.column.clone();
        Ok(match &term.selection {
            Selection::Each => {
                let of_value = (0..known.values.len()).map(Some).collect();
                Self { name, column, labels: known.values.clone(), of_value, unknown: Vec::new() }
            }
            Selection::Set(values) => {
                let mut of_value = vec![None; known.values.len()];
                let places = known.named(values)?;
                places.iter().for_each(|&place| of_value[place] = Some(0));
                let values: Vec<String> = places.iter().map(|&place| known.values[place].clone()).collect();
                let label = match values.as_slice() {
                    [only] => only.clone(),
                    several => set_text(several),
                };
                Self { name, column, labels: vec![label], of_value, unknown: Vec::new() }
            }
            Selection::Range(range) => {
                let inside = known.bins_in(range)?;
                let of_value = (0..known.values.len()).map(|value| inside.contains(&value).then_some(0));
                let (labels, of_value) = (vec![range.to_string()], of_value.collect());
                Self { name, column, labels, of_value, unknown: Vec::new() }
            }
        })
    }

    /// Asks for no value that is not an answer.
    fn leave_out_unknown(&mut self, column: &SpaceColumn, term: &Term) -> Result<(), ReadingError> {
        for &position in &column.unknown {
            if self.of_value[position].take().is_some() && term.selection != Selection::Each {
                let value = column.values[position].clone();
                return Err(ReadingError::Unknown { column: column.name.clone(), value });
            }
        }
        self.unknown.clone_from(&column.unknown);
        Ok(())
    }
}

/// Refuses a column each of whose values is both asked for and given.
pub(crate) fn refuse_same(of: &[Term], given: &[Term]) -> Result<(), ReadingError> {
    let each = |term: &&Term| term.selection == Selection::Each;
    let both = given.iter().filter(each).find(|term| of.iter().any(|asked| asked.column == term.column));
    both.map_or(Ok(()), |term| Err(ReadingError::Repeated { what: term.column.clone() }))
}
