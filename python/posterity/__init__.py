"""Differentially private Bayesian posteriors of categorical data.

From counts, labels or files, a public prior and a privacy budget, :func:`release` draws a Beta or Dirichlet posterior that
protects every record or unit. :func:`discover` names the values of a column that nobody declared, and :func:`margins`
releases the tables of all pairs or triples of many columns. :func:`advise`, :func:`compare_mechanisms`, :func:`inspect` and
:func:`audit` help to choose how, and :class:`Ledger` keeps a budget and refuses any charge beyond it.

The Rust crate ``posterity`` computes everything: the same seed gives the same numbers as the command.
"""

from . import mechanisms
from ._analysis import (
    Advice,
    Audit,
    Comparison,
    Inspection,
    LeastEpsilon,
    LeastTableEpsilon,
    MarginsAdvice,
    TableAdvice,
    advise,
    audit,
    compare_mechanisms,
    inspect,
)
from ._check import Check, check
from ._discover import Discovered, discover
from ._errors import (
    ArgumentError,
    BudgetError,
    DataError,
    InternalError,
    LedgerError,
    PackageError,
    PosterityError,
    PosterityWarning,
    PrivacyError,
    SizeError,
    UnknownNameError,
    VerificationError,
)
from ._ledger import Ledger
from ._margins import Margins, margins
from ._parts import Budget, Data, Unit
from ._picture import Picture
from ._plan import plan
from ._posterior import Marginal, Posterior
from ._posterity import Dirichlet, __version__
from ._published import Published, load
from ._readings import Contrast, Table, Test
from ._release import Release, release
from ._study import Study, study
from ._verification import Verification
from ._verify import verify
from .mechanisms import Mechanism

__all__ = [
    "Advice",
    "ArgumentError",
    "Audit",
    "Budget",
    "BudgetError",
    "Check",
    "Comparison",
    "Contrast",
    "Data",
    "DataError",
    "Dirichlet",
    "Discovered",
    "Inspection",
    "InternalError",
    "LeastEpsilon",
    "LeastTableEpsilon",
    "Ledger",
    "LedgerError",
    "Marginal",
    "Margins",
    "MarginsAdvice",
    "Mechanism",
    "PackageError",
    "Picture",
    "Posterior",
    "PosterityError",
    "PosterityWarning",
    "PrivacyError",
    "Published",
    "Release",
    "SizeError",
    "Study",
    "Table",
    "TableAdvice",
    "Test",
    "Unit",
    "UnknownNameError",
    "Verification",
    "VerificationError",
    "__version__",
    "advise",
    "audit",
    "check",
    "compare_mechanisms",
    "discover",
    "inspect",
    "load",
    "margins",
    "mechanisms",
    "plan",
    "release",
    "study",
    "verify",
]
