//! What an account has spent so far, and whether a charge still fits.

use dashu_base::UnsignedAbs;
use dashu_int::UBig;
use dashu_ratio::RBig;
use serde::ser::SerializeStruct;
use serde::{Serialize, Serializer};

use crate::amount::Amount;
use crate::exact;
use crate::parts::Parts;
use crate::price::Price;
use crate::renyi::{self, Order};
use crate::rounding::rounded_down;
use crate::rule::Rule;

/// A budget and how charges to it add up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Budget {
    pub(crate) epsilon: Amount,
    pub(crate) delta: Amount,
    pub(crate) rule: Rule,
}

/// The running total of an account, which stands in each of its charges.
///
/// # Guarantee
/// A tally that [`Tally::plus`] makes is within the budget: all releases together are (epsilon, delta)-private, even if
/// each was chosen after the answers before it were seen. The proof is in `docs/proofs/composition.md`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Tally {
    /// The number of charges.
    pub(crate) charges: u64,
    /// The sum of all epsilons.
    pub(crate) epsilon: Amount,
    /// The sum of all deltas.
    pub(crate) delta: Amount,
    /// The Renyi divergence spent at each order, in units.
    divergences: Vec<UBig>,
    /// The most that the sum of all epsilons may be, where the first charge was a batch that fits only by exact
    /// composition.
    exact: Option<Amount>,
    /// The sum of all rho, each rounded up, in units. It is above zero once a price in rho was charged, and then only the
    /// filter counts.
    rho: UBig,
}

impl Serialize for Tally {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let divergences: Vec<Amount> = self.divergences.iter().map(renyi::amount).collect();
        let mut out = serializer.serialize_struct("Tally", 6)?;
        out.serialize_field("charges", &self.charges)?;
        out.serialize_field("epsilon", &self.epsilon)?;
        out.serialize_field("delta", &self.delta)?;
        out.serialize_field("divergences", &divergences)?;
        out.serialize_field("exact", &self.exact)?;
        if self.adds_up() {
            out.skip_field("rho")?;
        } else {
            out.serialize_field("rho", &self.sum_rho())?;
        }
        out.end()
    }
}

/// Why a charge does not fit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Misfit {
    Epsilon,
    Delta,
    Rho,
    /// A Renyi filter takes no delta.
    NotPure,
    /// Sums take no rho.
    NoFilter,
}

impl Tally {
    /// Nothing spent.
    pub(crate) fn start(budget: &Budget) -> Self {
        Self { divergences: vec![UBig::ZERO; budget.rule.orders().len()], ..Self::default() }
    }

    /// The tally after one more charge at this price, if it fits.
    pub(crate) fn after(&self, budget: &Budget, price: &Price) -> Result<Self, Misfit> {
        match price {
            Price::Epsilon { epsilon, delta, parts } => {
                let one = Parts::one(epsilon);
                self.plus(budget, parts.as_ref().unwrap_or(&one), delta)
            }
            Price::Rho { rho, parts } => self.plus_rho(budget, rho, parts.as_ref()),
        }
    }

    /// The tally after one more charge with a price in rho, and perhaps pure releases beside it, if it fits.
    fn plus_rho(&self, budget: &Budget, rho: &Amount, parts: Option<&Parts>) -> Result<Self, Misfit> {
        let Rule::Renyi(orders) = &budget.rule else { return Err(Misfit::NoFilter) };
        let mut next = self.clone();
        next.charges += 1;
        next.rho += renyi::units_up(rho.rational());
        for (spent, order) in next.divergences.iter_mut().zip(orders) {
            *spent += order.price_of_rho(rho);
        }
        if let Some(parts) = parts {
            next.add(orders, parts);
        }
        if next.slack(budget).is_some() { Ok(next) } else { Err(Misfit::Rho) }
    }

    /// The tally after one more charge without rho, if it fits.
    pub(crate) fn plus(&self, budget: &Budget, parts: &Parts, delta: &Amount) -> Result<Self, Misfit> {
        let mut next = self.clone();
        next.charges += 1;
        next.delta = next.delta + delta;
        next.add(budget.rule.orders(), parts);
        match &budget.rule {
            Rule::Sum if next.epsilon > budget.epsilon => Err(Misfit::Epsilon),
            Rule::Sum if next.delta > budget.delta => Err(Misfit::Delta),
            Rule::Sum => Ok(next),
            Rule::Renyi(_) if !delta.is_zero() => Err(Misfit::NotPure),
            Rule::Renyi(_) => {
                // Nothing was answered before the first charge, so nothing in it was chosen by an answer.
                if next.charges == 1 && next.slack(budget).is_none() {
                    next.exact = exact_allowance(budget, parts);
                }
                if next.slack(budget).is_some() { Ok(next) } else { Err(Misfit::Epsilon) }
            }
        }
    }

    /// Adds pure releases to the sum of all epsilons and to the divergence of each order.
    fn add(&mut self, orders: &[Order], parts: &Parts) {
        self.epsilon = std::mem::take(&mut self.epsilon) + &parts.sum();
        for (spent, order) in self.divergences.iter_mut().zip(orders) {
            *spent += order.price(parts);
        }
    }

    /// How much less epsilon would have been enough for what was spent, at the account's delta; nothing if it is too
    /// much.
    fn slack(&self, budget: &Budget) -> Option<Amount> {
        let sums = [Some(&budget.epsilon), self.exact.as_ref()].into_iter().flatten();
        let sums = sums.filter(|_| self.adds_up()).filter_map(|most| most.minus(&self.epsilon));
        let orders = self.divergences.iter().zip(budget.rule.orders());
        let orders = orders
            .filter(|(spent, order)| *spent <= order.limit_units())
            .map(|(spent, order)| renyi::amount(&(order.limit_units() - spent)));
        sums.chain(orders).max()
    }

    /// Whether the sum of all epsilons says something: the loss of a release with a price in rho has no bound.
    fn adds_up(&self) -> bool {
        self.rho.is_zero()
    }

    /// How much the sum of all epsilons may still grow; nothing once a price in rho was charged.
    fn sum_left(&self, budget: &Budget) -> Amount {
        let most = self.exact.as_ref().unwrap_or(&budget.epsilon).max(&budget.epsilon);
        most.minus(&self.epsilon).filter(|_| self.adds_up()).unwrap_or_default()
    }

    /// The sum of all rho, each rounded up.
    pub(crate) fn sum_rho(&self) -> Amount {
        renyi::amount(&self.rho)
    }

    /// The largest rho that fits beside pure releases, rounded down to 12 digits.
    pub(crate) fn remaining_rho_beside(&self, budget: &Budget, parts: Option<&Parts>) -> Amount {
        let mut with = self.clone();
        if let Some(parts) = parts {
            with.add(budget.rule.orders(), parts);
        }
        with.remaining_rho(budget)
    }

    /// The largest rho of one more release that fits, rounded down to 12 digits.
    pub(crate) fn remaining_rho(&self, budget: &Budget) -> Amount {
        let orders = self.divergences.iter().zip(budget.rule.orders());
        let most = orders.map(|(spent, order)| order.most_rho(spent)).max().unwrap_or(RBig::ZERO);
        Amount::from_rational(rounded_down(&most)).unwrap_or_default()
    }

    /// The least epsilon that would have been enough for what was spent, by the account's rule and at its delta.
    pub(crate) fn spent(&self, budget: &Budget) -> Amount {
        match &budget.rule {
            Rule::Sum => self.epsilon.clone(),
            Rule::Renyi(_) => self
                .slack(budget)
                .and_then(|slack| budget.epsilon.minus(&slack))
                .unwrap_or_else(|| budget.epsilon.clone()),
        }
    }

    /// How many more releases of an epsilon fit, one after another.
    pub(crate) fn fitting(&self, budget: &Budget, epsilon: &Amount) -> u64 {
        let whole = |value: RBig| u64::try_from(value.floor().unsigned_abs()).unwrap_or(u64::MAX);
        let basic = whole(self.sum_left(budget).rational() / epsilon.rational());
        let orders = self.divergences.iter().zip(budget.rule.orders()).map(|(spent, order)| {
            let price = order.price_of_one(epsilon).max(UBig::ONE);
            if spent > order.limit_units() {
                return 0;
            }
            u64::try_from((order.limit_units() - spent) / price).unwrap_or(u64::MAX)
        });
        orders.fold(basic, u64::max)
    }

    /// The largest epsilon of one more release that fits; with a Renyi filter rounded down to a multiple of 10^-6.
    pub(crate) fn remaining(&self, budget: &Budget) -> Amount {
        const PLACES: u64 = 1_000_000;
        let basic = self.sum_left(budget);
        if budget.rule.orders().is_empty() {
            return basic;
        }
        let steps = |steps: u64| {
            Amount::from_rational(RBig::from(steps) / RBig::from(PLACES)).unwrap_or(Amount::ZERO)
        };
        let (mut low, mut high) = (0_u64, 1);
        while high < PLACES * PLACES && self.fitting(budget, &steps(high)) > 0 {
            (low, high) = (high, 2 * high);
        }
        while low + 1 < high {
            let middle = (low + high) / 2;
            if self.fitting(budget, &steps(middle)) > 0 {
                low = middle;
            } else {
                high = middle;
            }
        }
        basic.max(steps(low))
    }

    /// The only text under which a tally is stored.
    pub(crate) fn stored(&self) -> String {
        let divergences: Vec<String> = self.divergences.iter().map(ToString::to_string).collect();
        let exact = self.exact.as_ref().map_or("-".to_owned(), Amount::stored);
        let (epsilon, delta) = (self.epsilon.stored(), self.delta.stored());
        let rho = if self.adds_up() { String::new() } else { format!(" {}", self.rho) };
        format!("{} {epsilon} {delta} {} {exact}{rho}", self.charges, divergences.join(","))
    }

    /// Reads what [`Tally::stored`] wrote and nothing else.
    pub(crate) fn from_stored(text: &str) -> Option<Self> {
        // The sum of all rho stands at the end, if there is one.
        let mut fields = text.split(' ').collect::<Vec<_>>();
        let rho = if fields.len() == 6 { fields.pop()? } else { "0" };
        let [charges, epsilon, delta, divergences, exact] = fields.try_into().ok()?;
        let units = divergences.split(',').filter(|_| !divergences.is_empty());
        let tally = Self {
            charges: charges.parse().ok()?,
            epsilon: Amount::from_stored(epsilon)?,
            delta: Amount::from_stored(delta)?,
            divergences: units.map(|units| UBig::from_str_radix(units, 10).ok()).collect::<Option<_>>()?,
            exact: if exact == "-" { None } else { Some(Amount::from_stored(exact)?) },
            rho: UBig::from_str_radix(rho, 10).ok()?,
        };
        Some(tally).filter(|tally| tally.stored() == text)
    }
}

/// What the sum of all epsilons may be if the first charge is this batch, priced by exact composition: later releases
/// add their whole epsilon to it. Nothing if the batch does not fit.
fn exact_allowance(budget: &Budget, parts: &Parts) -> Option<Amount> {
    let needed = exact::least_epsilon(parts, &budget.delta)?;
    Some(parts.sum() + &budget.epsilon.minus(&needed)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn amount(text: &str) -> Amount {
        text.parse().expect(text)
    }

    fn budget(epsilon: &str, delta: &str) -> Budget {
        let (epsilon, delta) = (amount(epsilon), amount(delta));
        Budget { rule: Rule::for_budget(&epsilon, &delta), epsilon, delta }
    }

    /// How many releases one after another fit.
    fn granted(budget: &Budget, epsilon: &str, at_most: u64) -> u64 {
        let (one, mut tally) = (Parts::one(&amount(epsilon)), Tally::start(budget));
        while tally.charges < at_most {
            match tally.plus(budget, &one, &Amount::ZERO) {
                Ok(next) => tally = next,
                Err(_) => break,
            }
        }
        tally.charges
    }

    /// The numbers that the design asks for. The exact optimum without adaptivity is 4.7746 and 1.3654.
    #[test]
    fn many_small_releases_fit() {
        assert_eq!(granted(&budget("5.08", "1e-6"), "0.1", 100), 100);
        assert!(granted(&budget("4.77", "1e-6"), "0.1", 100) < 100);
        assert_eq!(granted(&budget("1.47", "1e-6"), "0.01", 1_000), 1_000);
        assert_eq!(granted(&budget("10", "0"), "0.1", 200), 100);
        // Few large releases add up.
        assert_eq!(granted(&budget("2", "1e-6"), "1", 10), 2);
    }

    #[test]
    fn what_is_said_to_fit_does() {
        for (epsilon, delta, each) in
            [("3", "1e-6", "0.1"), ("1", "1e-9", "0.05"), ("2", "0", "0.3"), ("8", "1e-6", "0.2")]
        {
            let budget = budget(epsilon, delta);
            let start = Tally::start(&budget);
            let count = start.fitting(&budget, &amount(each));
            assert_eq!(granted(&budget, each, 1_000), count, "{epsilon} {delta} {each}");
            // In the middle as well.
            let half = (0..count / 2).fold(start, |tally, _| {
                tally.plus(&budget, &Parts::one(&amount(each)), &Amount::ZERO).expect("it fits")
            });
            assert_eq!(half.fitting(&budget, &amount(each)), count - count / 2);
            let remaining = half.remaining(&budget);
            assert!(half.plus(&budget, &Parts::one(&remaining), &Amount::ZERO).is_ok(), "{remaining}");
            let more = remaining + &amount("0.00001");
            assert!(half.plus(&budget, &Parts::one(&more), &Amount::ZERO).is_err(), "{more}");
        }
    }

    /// A batch at the start is priced exactly if it does not fit otherwise; later charges are added to that price.
    #[test]
    fn a_first_batch_is_priced_exactly() {
        let budget = budget("4.8", "1e-6");
        let batch = Parts::new(vec![amount("0.1"); 100]).expect("valid");
        let first = Tally::start(&budget).plus(&budget, &batch, &Amount::ZERO).expect("4.7746 fits");
        assert!(first.spent(&budget) >= amount("4.7745") && first.spent(&budget) <= amount("4.7747"));
        let left = first.remaining(&budget);
        assert!(left > amount("0.025") && left < amount("0.026"), "{left}");
        let last = first.plus(&budget, &Parts::one(&amount("0.02")), &Amount::ZERO).expect("it fits");
        assert_eq!(last.fitting(&budget, &amount("0.01")), 0);
        assert_eq!(last.plus(&budget, &Parts::one(&amount("0.01")), &Amount::ZERO), Err(Misfit::Epsilon));
        // After another charge, the same batch may have been chosen because of an answer.
        let second = Tally::start(&budget)
            .plus(&budget, &Parts::one(&amount("0.001")), &Amount::ZERO)
            .expect("it fits");
        assert_eq!(second.plus(&budget, &batch, &Amount::ZERO), Err(Misfit::Epsilon));
        // A batch that fits otherwise keeps the filter, which is better for many small releases later.
        let wide = self::budget("5.2", "1e-6");
        let filtered = Tally::start(&wide).plus(&wide, &batch, &Amount::ZERO).expect("it fits");
        assert_eq!(filtered.exact, None);
        assert!(filtered.fitting(&wide, &amount("0.01")) > 100);
    }

    /// The guarantee itself, by enumeration: of all strategies that choose each release by the answers before it, the
    /// best one against randomised responses of two sizes. If this fails, an account promises more than it keeps.
    #[test]
    fn the_best_strategy_stays_within_delta() {
        for (epsilon, delta, sizes) in
            [("2", "0.01", ["0.2", "0.7"]), ("1", "0.001", ["0.1", "0.5"]), ("1.5", "0.1", ["0.3", "1"])]
        {
            let budget = budget(epsilon, delta);
            let prices = sizes.map(|size| Price::new(amount(size), Amount::ZERO));
            let worst = Strategies::new(&budget, &prices, sizes.map(value), value(epsilon)).best();
            let basic = sizes.map(|size| (value(epsilon) / value(size)).floor());
            println!(
                "({epsilon}, {delta}): the best strategy reaches delta {worst:.3e}; sums allow {basic:?}"
            );
            assert!(worst <= value(delta), "{epsilon} {delta}: {worst}");
            // The search must find something: a filter that admits nothing beyond the sum reaches 0.
            assert!(worst > 0.0, "{epsilon} {delta}");
        }
    }

    fn value(text: &str) -> f64 {
        text.parse().expect("a number")
    }

    /// The least rho of randomised response: its divergence of order l is at most `l rho`, over a fine grid of orders and
    /// in the limit of order 1. It is rounded up to nine places.
    fn rho_of_response(epsilon: f64) -> Amount {
        let divergence = |l: f64| {
            epsilon - ((-epsilon).exp().ln_1p() - (-(2.0 * l - 1.0) * epsilon).exp().ln_1p()) / (l - 1.0)
        };
        let orders = (0..2_000).map(|i| 1.0 + 0.001 * 1.005_f64.powi(i));
        let rho = orders.map(|l| divergence(l) / l).fold(epsilon * (epsilon / 2.0).tanh(), f64::max);
        amount(&format!("{:.9}", rho + 1e-9))
    }

    /// The same search where the releases of one size are charged by their rho, and those of the other by their epsilon.
    /// If this fails, an account that mixes both promises more than it keeps.
    #[test]
    fn the_best_strategy_with_rho_stays_within_delta() {
        for (epsilon, delta, sizes) in
            [("2", "0.01", ["0.2", "0.7"]), ("1", "0.001", ["0.1", "0.3"]), ("1.5", "0.1", ["0.3", "0.5"])]
        {
            let budget = budget(epsilon, delta);
            let rho = Price::concentrated(rho_of_response(value(sizes[0])));
            let prices = [rho, Price::new(amount(sizes[1]), Amount::ZERO)];
            let worst = Strategies::new(&budget, &prices, sizes.map(value), value(epsilon)).best();
            println!("({epsilon}, {delta}) with rho: the best strategy reaches delta {worst:.3e}");
            assert!(worst <= value(delta), "{epsilon} {delta}: {worst}");
            assert!(worst > 0.0, "{epsilon} {delta}");
        }
    }

    /// All strategies with releases of two sizes. A state is how many releases of each size there were, and how many of
    /// their answers were the likelier one.
    struct Strategies {
        /// Whether this many releases of both sizes fit.
        fits: Vec<Vec<bool>>,
        sizes: [f64; 2],
        epsilon: f64,
        known: std::collections::HashMap<[usize; 4], f64>,
    }

    impl Strategies {
        fn new(budget: &Budget, prices: &[Price; 2], sizes: [f64; 2], epsilon: f64) -> Self {
            let mut fits = Vec::new();
            let mut first = Some(Tally::start(budget));
            while let Some(start) = first {
                let (mut row, mut next) = (Vec::new(), Some(start.clone()));
                while let Some(tally) = next {
                    row.push(true);
                    next = tally.after(budget, &prices[1]).ok();
                }
                fits.push(row);
                first = start.after(budget, &prices[0]).ok();
            }
            Self { fits, sizes, epsilon, known: std::collections::HashMap::new() }
        }

        fn best(&mut self) -> f64 {
            self.from([0; 4])
        }

        /// The largest expectation of `(1 - e^(epsilon - loss))+` from a state on.
        fn from(&mut self, state: [usize; 4]) -> f64 {
            if let Some(value) = self.known.get(&state) {
                return *value;
            }
            let [a, b, likely_a, likely_b] = state;
            #[expect(clippy::cast_precision_loss, reason = "small numbers")]
            let sum = |count: usize, likely: usize| 2.0 * likely as f64 - count as f64;
            let loss = sum(a, likely_a) * self.sizes[0] + sum(b, likely_b) * self.sizes[1];
            let mut best = (1.0 - (self.epsilon - loss).exp()).max(0.0);
            for size in 0..2 {
                let (mut likely, mut other) = (state, state);
                likely[size] += 1;
                likely[size + 2] += 1;
                other[size] += 1;
                if self.fits.get(other[0]).is_none_or(|row| other[1] >= row.len()) {
                    continue;
                }
                let p = self.sizes[size].exp() / (1.0 + self.sizes[size].exp());
                best = best.max(p * self.from(likely) + (1.0 - p) * self.from(other));
            }
            self.known.insert(state, best);
            best
        }
    }

    #[test]
    fn sums_take_delta_and_filters_do_not() {
        let sums = Budget { rule: Rule::Sum, ..budget("1", "1e-6") };
        let one = Parts::one(&amount("0.1"));
        let tally = Tally::start(&sums).plus(&sums, &one, &amount("1e-6")).expect("it fits");
        assert_eq!(tally.plus(&sums, &one, &amount("1e-9")), Err(Misfit::Delta));
        let filter = budget("1", "1e-6");
        assert_eq!(Tally::start(&filter).plus(&filter, &one, &amount("1e-9")), Err(Misfit::NotPure));
        let rho = Price::concentrated(amount("1e-9"));
        assert_eq!(Tally::start(&sums).after(&sums, &rho), Err(Misfit::NoFilter));
        assert!(Tally::start(&filter).after(&filter, &rho).is_ok());
        // Delta is so small that no order helps.
        let none = budget("1e-9", "1e-300");
        assert_eq!(Tally::start(&none).after(&none, &rho), Err(Misfit::Rho));
        assert_eq!(Tally::start(&none).remaining_rho(&none), Amount::ZERO);
    }

    #[test]
    fn storage_round_trip() {
        let budget = budget("4.8", "1e-6");
        let batch = Parts::new(vec![amount("0.1"); 100]).expect("valid");
        let start = Tally::start(&budget);
        let exact = start.plus(&budget, &batch, &Amount::ZERO).expect("it fits");
        let sums = Tally { charges: 2, epsilon: amount("1/3"), ..Tally::default() };
        let mixed = start.after(&budget, &Price::concentrated(amount("0.01"))).expect("it fits");
        assert!(mixed.stored().ends_with(" - 10000000000000000"), "{}", mixed.stored());
        for tally in [start, exact, sums, mixed] {
            assert_eq!(Tally::from_stored(&tally.stored()), Some(tally.clone()), "{tally:?}");
        }
        for text in [
            "0 0/1 0/1  - 0",
            "0 0/1 0/1  - 01",
            "0 0/1 0/1  - 1 1",
            "",
            "0 0/1 0/1 -",
            "00 0/1 0/1  -",
            "0 0/1 0/1  - ",
            "0 0/1 0/1 01 -",
        ] {
            assert_eq!(Tally::from_stored(text), None, "{text}");
        }
    }
}
