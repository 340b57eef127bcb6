//! Columns that can be exchanged without changing a workload.

use std::collections::BTreeMap;

use crate::workload::Workload;

/// Columns in classes, and sets of columns in orbits: by how many columns of each class they have.
#[derive(Clone, Debug)]
pub(crate) struct Symmetry {
    class_of: Vec<usize>,
    classes: Vec<Class>,
    orbit_of: Vec<usize>,
    orbits: Vec<Orbit>,
}

/// Columns of one class.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Class {
    /// How many there are.
    pub(crate) members: usize,
    /// How many values each has at most.
    pub(crate) size: u32,
}

/// Sets that have as many columns of each class.
#[derive(Clone, Debug)]
pub(crate) struct Orbit {
    /// Classes with the number of columns that a set has of them; none is zero.
    pub(crate) parts: Vec<(usize, usize)>,
    /// One of the sets.
    pub(crate) representative: usize,
}

impl Symmetry {
    /// The columns of a class have the same size, and exchanging two of them maps every set to one with the same weight.
    pub(crate) fn of(workload: &Workload) -> Self {
        let columns = workload.shape().columns();
        let sets_with = if workload.is_uniform() { vec![Vec::new(); columns] } else { sets_with(workload) };
        let mut firsts: Vec<usize> = Vec::new();
        let class_of = (0..columns).map(|column| {
            let known = firsts.iter().position(|&first| exchangeable(workload, &sets_with, column, first));
            known.unwrap_or_else(|| {
                firsts.push(column);
                firsts.len() - 1
            })
        });
        let class_of: Vec<usize> = class_of.collect();
        Self::from_classes(workload, class_of)
    }

    /// Fewer classes: the two neighbours by size whose union costs least become one, until there are few patterns. The
    /// columns of such a class are treated as if they all had the size of the largest.
    pub(crate) fn coarser(&self, workload: &Workload, most: u64) -> Self {
        let mut groups: Vec<(Class, Vec<usize>)> =
            self.classes.iter().enumerate().map(|(class, &of)| (of, vec![class])).collect();
        groups.sort_by_key(|(class, _)| class.size);
        while groups.len() > 1 && patterns(groups.iter().map(|(class, _)| class)) > most {
            let cost = |at: &usize| loss(groups[*at].0, groups[at + 1].0.size);
            let cheapest = (0..groups.len() - 1).min_by(|a, b| cost(a).total_cmp(&cost(b))).unwrap_or(0);
            let (class, members) = groups.remove(cheapest);
            groups[cheapest].0.members += class.members;
            groups[cheapest].1.extend(members);
        }
        let mut new_class = vec![0; self.classes.len()];
        for (number, (_, members)) in groups.iter().enumerate() {
            members.iter().for_each(|&class| new_class[class] = number);
        }
        Self::from_classes(workload, self.class_of.iter().map(|&class| new_class[class]).collect())
    }

    fn from_classes(workload: &Workload, class_of: Vec<usize>) -> Self {
        let number = class_of.iter().max().map_or(0, |&last| last + 1);
        let mut classes = vec![Class { members: 0, size: 0 }; number];
        for (column, &class) in class_of.iter().enumerate() {
            classes[class].members += 1;
            classes[class].size = classes[class].size.max(workload.shape().size(column));
        }
        let mut known: BTreeMap<Vec<(usize, usize)>, usize> = BTreeMap::new();
        let mut orbits = Vec::new();
        let orbit_of = workload.sets().iter().enumerate().map(|(index, set)| {
            let parts = parts(set.columns().iter().map(|&column| class_of[usize::from(column)]));
            *known.entry(parts).or_insert_with_key(|parts| {
                orbits.push(Orbit { parts: parts.clone(), representative: index });
                orbits.len() - 1
            })
        });
        let orbit_of = orbit_of.collect();
        Self { class_of, classes, orbit_of, orbits }
    }

    pub(crate) fn class_of(&self) -> &[usize] {
        &self.class_of
    }

    pub(crate) fn classes(&self) -> &[Class] {
        &self.classes
    }

    /// The orbit of each set.
    pub(crate) fn orbit_of(&self) -> &[usize] {
        &self.orbit_of
    }

    pub(crate) fn orbits(&self) -> &[Orbit] {
        &self.orbits
    }

    /// How many patterns of differing columns there are, up to exchanges.
    pub(crate) fn patterns(&self) -> u64 {
        patterns(self.classes.iter())
    }
}

fn patterns<'a>(classes: impl Iterator<Item = &'a Class>) -> u64 {
    classes.fold(1, |product: u64, class| product.saturating_mul(class.members as u64 + 1))
}

/// By how much the weight of a class grows if its columns count as larger ones, about.
fn loss(class: Class, size: u32) -> f64 {
    let part = |size: u32| 1.0 - 1.0 / f64::from(size);
    class.members as f64 * (part(size) / part(class.size) - 1.0)
}

fn parts(classes: impl Iterator<Item = usize>) -> Vec<(usize, usize)> {
    let mut counts: BTreeMap<usize, usize> = BTreeMap::new();
    classes.for_each(|class| *counts.entry(class).or_default() += 1);
    counts.into_iter().collect()
}

/// The sets that hold each column.
fn sets_with(workload: &Workload) -> Vec<Vec<usize>> {
    let mut found = vec![Vec::new(); workload.shape().columns()];
    for (index, set) in workload.sets().iter().enumerate() {
        set.columns().iter().for_each(|&column| found[usize::from(column)].push(index));
    }
    found
}

/// Whether exchanging two columns changes nothing. Sets that hold both, or neither, stay what they are.
fn exchangeable(workload: &Workload, sets_with: &[Vec<usize>], one: usize, other: usize) -> bool {
    if workload.shape().size(one) != workload.shape().size(other)
        || sets_with[one].len() != sets_with[other].len()
    {
        return false;
    }
    let image = |index: usize| workload.find(&workload.sets()[index].exchanged(one as u16, other as u16));
    sets_with[one].iter().filter(|&&index| !workload.sets()[index].contains(other as u16)).all(|&index| {
        image(index).is_some_and(|image| workload.weight(image).to_bits() == workload.weight(index).to_bits())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ColumnSet, Shape};

    fn set(columns: &[u16]) -> ColumnSet {
        ColumnSet::new(columns.iter().copied()).expect("different columns")
    }

    #[test]
    fn columns_of_one_size_are_one_class() {
        let workload = Workload::all(Shape::new(vec![2, 3, 2, 2, 3]).expect("sizes"), 2).expect("pairs");
        let symmetry = Symmetry::of(&workload);
        assert_eq!(symmetry.class_of(), [0, 1, 0, 0, 1]);
        assert_eq!(symmetry.classes()[1], Class { members: 2, size: 3 });
        // Nothing, each size alone, and two of the first, of both, and of the second.
        assert_eq!((symmetry.orbits().len(), symmetry.patterns()), (6, 12));
    }

    /// If this fails, columns count as exchangeable that are not, and a price is too low.
    #[test]
    fn weights_and_missing_sets_tell_columns_apart() {
        let shape = || Shape::new(vec![2; 4]).expect("sizes");
        let pairs: Vec<ColumnSet> = Workload::all(shape(), 2).expect("pairs").sets()[5..].to_vec();
        let weighted = pairs.iter().map(|pair| (pair.clone(), if *pair == set(&[1, 3]) { 5.0 } else { 1.0 }));
        assert_eq!(Symmetry::of(&Workload::of(shape(), weighted).expect("sets")).class_of(), [0, 1, 0, 1]);
        let path = [(set(&[0, 1]), 1.0), (set(&[1, 2]), 1.0), (set(&[2, 3]), 1.0)];
        assert_eq!(Symmetry::of(&Workload::of(shape(), path).expect("sets")).class_of(), [0, 1, 2, 3]);
    }

    #[test]
    fn coarser_classes_have_the_size_of_the_largest() {
        let workload = Workload::all(Shape::new(vec![2, 9, 3, 10]).expect("sizes"), 2).expect("pairs");
        let coarse = Symmetry::of(&workload).coarser(&workload, 12);
        assert_eq!(coarse.class_of(), [0, 2, 1, 2]);
        assert_eq!(coarse.classes()[2], Class { members: 2, size: 10 });
    }
}
