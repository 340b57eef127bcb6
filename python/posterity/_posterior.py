"""The posterior of the numbers of a release, as distributions."""

from __future__ import annotations

import math
import re
import warnings
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

from . import _posterity
from ._errors import ArgumentError, PosterityWarning, UnknownNameError
from ._optional import need
from ._readings import Key, named, nearest

if TYPE_CHECKING:
    from ._published import Published

    _Distributed: TypeAlias = Published[_posterity.Release] | Published[_posterity.Margins]


class Marginal:
    """The posterior of one number: a share, or a mean. It has the methods of a frozen distribution of SciPy.

    Points may be numbers, which give numbers, or sequences and arrays, which give arrays (with NumPy).
    """

    __slots__ = ("_of", "_row")

    def __init__(self, of: Posterior, row: int, /) -> None:
        self._of = of
        self._row = row

    @property
    def name(self) -> Key:
        """The value that names it, or its values if there are several."""
        return self._of._keys[self._row]

    def _at(self, function: str, points: Any) -> Any:
        """A function of the law at a point, or at each of several."""
        if isinstance(points, (int, float)):
            return self._of._inner.at(self._row, function, [float(points)])[0]
        numpy = need("numpy", function)
        array = numpy.asarray(points, dtype=float)
        found = self._of._inner.at(self._row, function, array.ravel().tolist())
        shaped = numpy.asarray(found).reshape(array.shape)
        return float(shaped) if array.ndim == 0 else shaped

    def pdf(self, x: Any) -> Any:
        """The density. A number that is known by draws alone has none."""
        return self._at("pdf", x)

    def cdf(self, x: Any) -> Any:
        """The probability of at most ``x``."""
        return self._at("cdf", x)

    def sf(self, x: Any) -> Any:
        """The probability of more than ``x``."""
        return 1 - self.cdf(x)

    def ppf(self, q: Any) -> Any:
        """The number with probability ``q`` below it."""
        return self._at("ppf", q)

    def mean(self) -> float:
        """The mean."""
        return self._of._inner.means()[self._row]

    def var(self) -> float:
        """The variance."""
        return self._of._inner.variances()[self._row]

    def std(self) -> float:
        """The standard deviation."""
        return math.sqrt(self.var())

    def median(self) -> float:
        """The median."""
        return float(self.ppf(0.5))

    def interval(self, confidence: float = 0.95) -> tuple[float, float]:
        """The equal-tailed credible interval of this probability."""
        if not 0 < confidence < 1:
            raise ArgumentError("confidence: write a probability strictly between 0 and 1, such as 0.95")
        tail = 0.5 * (1 - confidence)
        low, high = self._of._inner.at(self._row, "ppf", [tail, 1 - tail])
        return low, high

    def rvs(self, size: int = 1, random_state: int | None = None) -> Any:
        """Draws of this number alone, as an array. ``posterior.rvs`` draws all numbers together."""
        return self._of.rvs(size, random_state)[:, self._row]

    def __repr__(self) -> str:
        low, high = self.interval()
        return f"<Marginal {self.name!r}: mean {self.mean():.4f}, 95 % from {low:.4f} to {high:.4f}>"


class Posterior(Mapping[Key, Marginal]):
    """The posterior of a release: for each category or row of a reading, the distribution of its share or mean.

    It is what follows, by Bayes' rule, from the release and the prior on what the mechanism drew: the counts are not known but weighed
    by the probability that their noise led to what was released, and given the counts the shares have a Dirichlet distribution. So each
    share is a mixture of Beta distributions, computed without draws where that is possible. It is about the population that the records
    were drawn from. Credible intervals and draws of the release are those of this distribution; confidence intervals are not.

    Where ``noise_aware`` is false, the noise of the mechanism is not modelled, and the distribution is narrower than what is known.
    """

    __slots__ = ("_inner", "_keys", "_reading", "_release")

    def __init__(self, release: _Distributed, reading: str | None = None, *, draws: int | None = None, seed: int | None = None) -> None:
        self._release = release
        self._reading = reading
        self._inner: _posterity.Posterior = release._inner.posterior(reading, draws, seed)
        self._keys = named([dict(label) for label in self._inner.labels], self._inner.reading)

    def of(self, reading: str, *, draws: int | None = None, seed: int | None = None) -> Posterior:
        """The posterior of the rows of a reading of shares or means, such as ``outcome=yes | ward`` or ``mean(score) | ward``.

        Parameters
        ----------
        reading : str
            As in :meth:`Release.read`.
        draws, seed : int
            How many draws are made where there is no exact law, 100,000 if not given, and their seed. Those of tables of many columns
            are fixed.
        """
        return Posterior(self._release, reading, draws=draws, seed=seed)

    @property
    def reading(self) -> str:
        """The reading as text."""
        return self._inner.reading

    @property
    def noise_aware(self) -> bool:
        """Whether the noise of the mechanism is in it."""
        return self._inner.noise_aware

    def __getitem__(self, key: Key) -> Marginal:
        """The distribution of a category, or of a row by the values that name it.

        Raises
        ------
        UnknownNameError
            If there is no such row; it is a ``KeyError`` too.
        """
        if key not in self._keys:
            raise UnknownNameError(f"no row is named {key!r}; {nearest(key, self._keys)}")
        return Marginal(self, self._keys.index(key))

    def __iter__(self) -> Iterator[Key]:
        return iter(self._keys)

    def __len__(self) -> int:
        return len(self._keys)

    def _by_name(self, numbers: Sequence[Any]) -> dict[Key, Any]:
        return dict(zip(self._keys, numbers, strict=True))

    def pdf(self, x: Any) -> dict[Key, Any]:
        """The density of each row at ``x``."""
        return {key: marginal.pdf(x) for key, marginal in self.items()}

    def cdf(self, x: Any) -> dict[Key, Any]:
        """The probability of at most ``x``, for each row."""
        return {key: marginal.cdf(x) for key, marginal in self.items()}

    def ppf(self, q: Any) -> dict[Key, Any]:
        """The number with probability ``q`` below it, for each row."""
        return {key: marginal.ppf(q) for key, marginal in self.items()}

    def mean(self) -> dict[Key, float]:
        """The mean of each row."""
        return self._by_name(self._inner.means())

    def std(self) -> dict[Key, float]:
        """The standard deviation of each row."""
        return self._by_name([math.sqrt(variance) for variance in self._inner.variances()])

    def interval(self, confidence: float = 0.95) -> dict[Key, tuple[float, float]]:
        """The equal-tailed credible interval of each row."""
        return {key: marginal.interval(confidence) for key, marginal in self.items()}

    def rvs(self, size: int = 1, random_state: int | None = None) -> Any:
        """Draws of all rows together, as an array of shape (size, rows): those of :meth:`Release.sample` of this reading.

        Parameters
        ----------
        size : int
            How many draws.
        random_state : int, optional
            A seed for draws that can be repeated.
        """
        return self._release.sample(size, random_state, reading=self.reading)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Posterior):
            return NotImplemented
        return (self._release, self._reading) == (other._release, other._reading)

    __hash__ = None  # type: ignore[assignment]

    def __reduce__(self) -> tuple[Any, ...]:
        return Posterior, (self._release, self._reading)

    def __repr__(self) -> str:
        noise = "" if self.noise_aware else ", WITHOUT the noise"
        return f"<Posterior of {self.reading!r}: {len(self)} rows{noise}>"


_STATEMENT = re.compile(r"^(?P<reading>.*?)\s*(?P<sign>>=|<=|>|<)\s*(?P<number>[^<>=\s]+)\s*$", re.DOTALL)


def probability(release: _Distributed, statement: str, *, draws: int | None, seed: int | None) -> float:
    """The probability that a number is above or below another: what :meth:`Release.probability` gives."""
    found = _STATEMENT.match(statement) if isinstance(statement, str) else None
    try:
        if found is None:
            raise ValueError
        bound = float(found["number"])
    except ValueError:
        raise ArgumentError(
            'statement: write a reading, a sign and a number, such as "outcome=yes | ward=A > 0.5"; a share of 50 % is 0.5'
        ) from None
    posterior = Posterior(release, found["reading"], draws=draws, seed=seed)
    if len(posterior) != 1:
        names = ", ".join(map(str, list(posterior)[:4]))
        raise ArgumentError(f"statement: {found['reading']} has {len(posterior)} rows ({names}, ..); name one, such as outcome=yes | ward=A")
    if not posterior.noise_aware:
        warnings.warn(
            "probability leaves the privacy noise out, because it is not modelled for this mechanism; it is too far from one half",
            PosterityWarning,
            stacklevel=3,
        )
    (marginal,) = posterior.values()
    below = float(marginal.cdf(bound))
    # A number that is certain may lie on the bound; all other laws have no such points.
    at = 1.0 if marginal.var() == 0 and marginal.mean() == bound else 0.0
    return {">": 1 - below, ">=": 1 - below + at, "<": below - at, "<=": below}[found["sign"]]
