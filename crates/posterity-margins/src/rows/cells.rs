//! Cells of a table: their order, and centring along every axis.

/// How many cells a table of these columns has.
pub(super) fn count(sizes: &[u16], columns: &[usize]) -> usize {
    columns.iter().map(|&column| usize::from(sizes[column])).product()
}

/// The strides of a table's axes, the last axis fastest.
pub(super) fn strides(dimensions: &[usize]) -> Vec<usize> {
    let mut strides = vec![1; dimensions.len()];
    for axis in (1..dimensions.len()).rev() {
        strides[axis - 1] = strides[axis] * dimensions[axis];
    }
    strides
}

/// For every cell of a table in its own order, the offset that other strides give to it.
pub(super) fn offsets(dimensions: &[usize], strides: &[usize]) -> Vec<usize> {
    let mut offsets = vec![0];
    for (&dimension, &stride) in dimensions.iter().zip(strides) {
        offsets = offsets.iter().flat_map(|&o| (0..dimension).map(move |value| o + value * stride)).collect();
    }
    offsets
}

/// Subtracts the mean along every axis: the projection `C_A`.
pub(super) fn centre(table: &mut [f64], dimensions: &[usize]) {
    for (&dimension, stride) in dimensions.iter().zip(strides(dimensions)) {
        for block in table.chunks_mut(dimension * stride) {
            (0..stride).for_each(|first| centre_line(block, first, stride));
        }
    }
}

fn centre_line(block: &mut [f64], first: usize, stride: usize) {
    let line = || (first..block.len()).step_by(stride);
    let mean = line().map(|cell| block[cell]).sum::<f64>() / line().count() as f64;
    (first..block.len()).step_by(stride).for_each(|cell| block[cell] -= mean);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn offsets_of_a_transposed_table() {
        assert_eq!(strides(&[2, 3]), [3, 1]);
        assert_eq!(offsets(&[2, 3], &[1, 2]), [0, 2, 4, 1, 3, 5]);
    }

    // If this fails, a residual holds something of its subsets.
    #[test]
    fn a_centred_table_adds_up_to_zero_along_every_axis() {
        let mut table = vec![5.0, 1.0, 0.0, 2.0, 8.0, 2.0];
        centre(&mut table, &[2, 3]);
        let rows = table.chunks(3).map(|row| row.iter().sum::<f64>());
        let columns = (0..3).map(|column| table[column] + table[column + 3]);
        assert!(rows.chain(columns).all(|sum| sum.abs() < 1e-12));
    }
}
