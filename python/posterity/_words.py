"""The words of every closed list, as types.

Generated from the lists in Rust: after a change of one run ``POSTERITY_UPDATE=1 tools/python-tests -k words``.
"""

from typing import Literal

Adjacency = Literal["replace", "add-remove"]
Decode = Literal["none", "projection", "mean", "moments", "best"]
IntervalKind = Literal["confidence", "credible", "shortest"]
About = Literal["population", "records"]
InputFormat = Literal["csv", "tsv", "json", "parquet", "arrow", "sqlite"]
Encoding = Literal["utf-8", "windows-1252", "utf-16", "utf-16le", "utf-16be"]
PictureKind = Literal["heat", "forest", "mosaic"]
Distance = Literal["hellinger", "l1", "kl", "tv"]
Ranking = Literal["distance", "width"]
Sheet = Literal["sheet", "label", "registry"]
Spelling = Literal["markdown", "html"]
