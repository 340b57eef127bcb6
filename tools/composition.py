"""What dp-accounting says about histories of pure releases and of releases with a price in rho, for comparison with the ledger.

`tools/composition.py golden` prints the golden values of `crates/posterity-ledger/src/renyi.rs`, by Python's decimal, and the exact
composition of the batches of `exact.rs`; it needs no package.

`tools/composition.py cost` prints how much more epsilon an account needs for 60 random histories than the best of all orders would, each
with all of delta, which no proof allows. It needs no package.

Otherwise it reads JSON lines, each `{"releases": [[epsilon, count], ...], "rhos": [[rho, count], ...], "orders": [...], "delta": ...}`,
where `rhos` may be left out, and prints for each the epsilon at that delta by dp-accounting, with Gaussian noise for rho: by privacy loss distributions (an optimistic and a pessimistic value), and by the Renyi
divergences of these orders. It needs the package dp-accounting.
"""

import json
import math
import random
import sys
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal, getcontext
from fractions import Fraction


def golden():
    getcontext().prec = 60
    order, epsilon, budget, delta = Decimal("6.5"), Decimal("0.1"), Decimal(5), Decimal("1e-6")
    p = epsilon.exp() / (1 + epsilon.exp())
    q = 1 - p
    price = (p**order * q ** (1 - order) + q**order * p ** (1 - order)).ln() / (order - 1)
    limit = budget - ((order - 1) / order).ln() + (delta.ln() + order.ln()) / (order - 1)
    units = Decimal(10) ** 18
    print("price", (price * units).to_integral_value(ROUND_CEILING))
    print("limit", (limit * units).to_integral_value(ROUND_FLOOR))
    for batch in ([("0.1", 100)], [("0.01", 1000)], [("0.5", 20)], [("0.1", 50), ("0.5", 5), ("1", 1)]):
        print(batch, f"{exact(batch, delta):.6f}")


def exact(batch, delta):
    """The least epsilon of a batch, by the law of its loss with 60 digits."""
    unit = min(Fraction(epsilon) for epsilon, _ in batch)
    law = {0: Decimal(1)}
    for epsilon, count in batch:
        step = Fraction(epsilon) / unit
        assert step.denominator == 1, "the epsilons are multiples of the least"
        likely = Decimal(epsilon).exp() / (1 + Decimal(epsilon).exp())
        for _ in range(count):
            after = {}
            for loss, mass in law.items():
                for sign, probability in ((1, likely), (-1, 1 - likely)):
                    key = loss + sign * step.numerator
                    after[key] = after.get(key, 0) + mass * probability
            law = after
    size = Decimal(unit.numerator) / Decimal(unit.denominator)
    low, high = Decimal(0), sum(Decimal(epsilon) * count for epsilon, count in batch)
    for _ in range(40):
        middle = (low + high) / 2
        losses = ((loss * size, mass) for loss, mass in law.items())
        if sum(mass * (1 - (middle - loss).exp()) for loss, mass in losses if loss > middle) <= delta:
            high = middle
        else:
            low = middle
    return high


def divergence(epsilon, order):
    """The Renyi divergence of randomised response, in a form that does not overflow."""
    return epsilon - (math.log1p(math.exp(-epsilon)) - math.log1p(math.exp(-(2 * order - 1) * epsilon))) / (order - 1)


def cost():
    def limit(epsilon, order, delta):
        return epsilon - math.log((order - 1) / order) + (math.log(delta) + math.log(order)) / (order - 1)

    orders = [1 + 0.001 * 1.02**i for i in range(900)]
    random.seed(1)
    excess = []
    for _ in range(60):
        delta = 10 ** random.uniform(-9, -4)
        sizes = [(10 ** random.uniform(-2, 0.3), random.randint(1, 60)) for _ in range(random.randint(1, 4))]
        total = sum(size * count for size, count in sizes)

        def spent(order):
            return sum(count * divergence(size, order) for size, count in sizes)

        def fits(epsilon):
            base = max(orders, key=lambda order: limit(epsilon, order, delta) / order)
            choice = ((1.03 * base, 0.99), (2 * base, 0.005), (4 * base, 0.005))
            return total <= epsilon or any(spent(order) <= limit(epsilon, order, share * delta) for order, share in choice)

        low, high = 0.0, 1.01 * total
        for _ in range(20):
            middle = (low + high) / 2
            low, high = (low, middle) if fits(middle) else (middle, high)
        best = min(total, min(spent(order) - limit(0, order, delta) for order in orders))
        excess.append(high / best - 1)
    print(f"seed 1, {len(excess)} histories: {sum(excess) / len(excess):.1%} more on average, {max(excess):.1%} at worst")


def compare():
    from dp_accounting.pld import privacy_loss_distribution
    from dp_accounting.rdp import rdp_privacy_accountant

    def response(epsilon, pessimistic):
        # Randomised response between two values answers the other one with half of the noise parameter.
        return privacy_loss_distribution.from_randomized_response(
            2 / (1 + math.exp(epsilon)), 2, pessimistic_estimate=pessimistic, value_discretization_interval=1e-4
        )

    def gaussian(rho, pessimistic):
        # All Gaussian releases together are one with the sum of their rho, which is 1/(2 sigma^2).
        return privacy_loss_distribution.from_gaussian_mechanism(
            1 / math.sqrt(2 * rho),
            pessimistic_estimate=pessimistic,
            value_discretization_interval=1e-4,
            use_connect_dots=pessimistic,
        )

    for line in sys.stdin:
        case = json.loads(line)
        rho = sum(rho * count for rho, count in case.get("rhos", []))
        values = []
        for pessimistic in (False, True):
            composed = gaussian(rho, pessimistic) if rho > 0 else None
            for epsilon, count in case["releases"]:
                part = response(epsilon, pessimistic).self_compose(count)
                composed = part if composed is None else composed.compose(part)
            values.append(0.0 if composed is None else composed.get_epsilon_for_delta(case["delta"]))
        spent = [
            order * rho + sum(count * divergence(epsilon, order) for epsilon, count in case["releases"]) for order in case["orders"]
        ]
        values.append(rdp_privacy_accountant.compute_epsilon(case["orders"], spent, case["delta"])[0])
        print(json.dumps(values), flush=True)


if sys.argv[1:] == ["golden"]:
    golden()
elif sys.argv[1:] == ["cost"]:
    cost()
else:
    compare()
