"""Reads JSON lines, each with two laws (logarithms of probabilities of the same outcomes) and an epsilon, and prints the
delta of the pair by dp-accounting's privacy loss distributions: an optimistic and a pessimistic value per line."""

import json
import sys

from dp_accounting.pld import privacy_loss_distribution

INTERVAL = 1e-5


def delta(lower, upper, epsilon, pessimistic):
    laws = ({outcome: ln for outcome, ln in enumerate(law)} for law in (lower, upper))
    distribution = privacy_loss_distribution.from_two_probability_mass_functions(
        *laws, pessimistic_estimate=pessimistic, value_discretization_interval=INTERVAL, symmetric=False
    )
    return distribution.get_delta_for_epsilon(epsilon)


for line in sys.stdin:
    case = json.loads(line)
    values = []
    for pessimistic in (False, True):
        # Both orders of the pair: the profile is the larger.
        there = delta(case["to"], case["from"], case["epsilon"], pessimistic)
        back = delta(case["from"], case["to"], case["epsilon"], pessimistic)
        values.append(max(there, back))
    print(json.dumps(values))
