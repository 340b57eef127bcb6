//! Tables as arrays: sums and differences along their axes. The last axis runs fastest.

use std::ops::AddAssign;

/// The fibres of an array along an axis: how many entries each has, how far apart they are, and where each begins.
pub(crate) struct Fibres {
    pub(crate) length: usize,
    pub(crate) stride: usize,
    blocks: usize,
}

impl Fibres {
    /// Those along one axis of an array of these sizes.
    pub(crate) fn along(sizes: &[usize], axis: usize) -> Self {
        let stride = sizes[axis + 1..].iter().product();
        Self { length: sizes[axis], stride, blocks: sizes[..axis].iter().product() }
    }

    /// The first entry of every fibre.
    pub(crate) fn starts(&self) -> impl Iterator<Item = usize> {
        let (block, stride) = (self.length * self.stride, self.stride);
        (0..self.blocks).flat_map(move |number| (0..stride).map(move |offset| number * block + offset))
    }
}

/// `m x - (sum of the fibre)` along every axis, where m is the length of the axis: the array centred along every axis,
/// times the product of all sizes. This is exact.
pub(crate) fn centre_whole(values: &mut [i128], sizes: &[usize]) {
    for axis in 0..sizes.len() {
        let fibres = Fibres::along(sizes, axis);
        for start in fibres.starts() {
            let places = || (0..fibres.length).map(|step| start + step * fibres.stride);
            let sum: i128 = places().map(|place| values[place]).sum();
            places().for_each(|place| values[place] = values[place] * fibres.length as i128 - sum);
        }
    }
}

/// The array summed along one axis.
pub(crate) fn sum_along<T: Copy + Default + AddAssign>(values: &[T], sizes: &[usize], axis: usize) -> Vec<T> {
    let fibres = Fibres::along(sizes, axis);
    let sum = |start: usize| {
        let mut sum = T::default();
        (0..fibres.length).for_each(|step| sum += values[start + step * fibres.stride]);
        sum
    };
    fibres.starts().map(sum).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_small_table_by_hand() {
        let sizes = [2, 3];
        let table = vec![1_i128, 2, 3, 4, 6, 8];
        assert_eq!(sum_along(&table, &sizes, 0), [5, 8, 11]);
        assert_eq!(sum_along(&table, &sizes, 1), [6, 18]);
        let mut centred = table;
        centre_whole(&mut centred, &sizes);
        // 6 (x - row/3 - column/2 + all/6), for example 6 - 12 - 15 + 24 = 3.
        assert_eq!(centred, [3, 0, -3, -3, 0, 3]);
    }

    /// If this fails, a residual holds something that smaller tables hold already.
    #[test]
    fn residuals_sum_to_zero_along_every_axis() {
        let sizes = [3, 2, 4];
        let mut values: Vec<i128> = (0..24).map(|i| (i * i * 7 + i) % 31).collect();
        centre_whole(&mut values, &sizes);
        for axis in 0..3 {
            assert!(sum_along(&values, &sizes, axis).iter().all(|&sum| sum == 0));
        }
        assert!(values.iter().any(|&value| value != 0));
    }
}
