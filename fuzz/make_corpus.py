"""Makes the files that fuzzing starts from: python fuzz/make_corpus.py. It needs pyarrow and the command (POSTERITY_COMMAND)."""

import json
import os
import pathlib
import subprocess

import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet

HERE = pathlib.Path(__file__).parent / "corpus"
ROWS = {"a": ["yes", "no", None, "it, is", "yes"], "n": [1, 2, None, 4, 5], "who": ["p", "p", "q", "r", None]}

TEXTS = {
    "csv": [
        "a,n,who\nyes,1,p\nno,2,q\n",
        "a,n,who\nyes,1,p\nno,2,p\n,,q\n\"it, is\",4,r\nyes,5,\n",
        "a\r\nyes\r\nno\r\n\r\n\"y\"\"es\"\r\n",
        "a;n\nyes;1\n",
        "\ufeffa,n,who\nyes,1.5,2026-01-01\n",
    ],
    "json": [
        '{"a": "yes", "n": 1, "who": "p"}\n{"a": "no", "n": 2, "who": "q"}\n',
        '{"a": "yes", "n": 1, "who": "p"}\n{"a": "no", "n": 2.5e3, "who": null}\n{"n": [1, {"b": true}], "a": "\\u00e9"}\n',
        '{"a": true, "a": false}\n',
        "[1, 2]\n",
    ],
    "filter": [
        "n > 1 OR n IS NULL",
        "a IN ('yes', 'it''s') AND NOT (n BETWEEN -1 AND 2.5e3)",
        "a LIKE 'y%s' AND a NOT LIKE '_o'",
        "n >= DATE '2026-01-01' OR n < TIMESTAMP '2026-01-01 12:00:00'",
        '"a" = \'no\' AND n <> 1 AND (a IS NOT NULL)',
        "n + 1 < 2 * n - 3 / 4 % 5",
        "CASE WHEN n > 1 THEN true ELSE false END",
    ],
    "reading": [
        "outcome",
        "outcome, ward",
        "outcome=yes | ward",
        "outcome | ward={A, B}",
        "mean(score) | ward",
        "count | ward",
        "outcome=yes | ward: A - B",
        "outcome=yes | ward: odds A / B",
        "independence(outcome, ward)",
        '"a \\"b\\"" | "c=d"',
    ],
    "mechanism": [
        "lattice",
        "geometric",
        "ehds(gamma=0.5)",
        "tight(ehds(gamma=auto, score=angle))",
        "lsdim(consistent)",
        "mh(delta=1e-9)",
        "1/3",
        "1e-12",
    ],
    "http": [
        "GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n",
        "POST /release HTTP/1.1\r\nHost: localhost\r\nContent-Length: 3\r\nContent-Type: application/x-www-form-urlencoded\r\n\r\na=b",
        "GET /home?token=%41%zz HTTP/1.1\r\nHost: [::1]:1\r\nCookie: a=b; c\r\nOrigin: null\r\n\r\n",
        "!HEAD /style.css HTTP/1.0\r\nRange: bytes=0-1\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n",
    ],
    "plan": [
        (HERE.parent.parent / "examples" / "admissions-study.toml").read_text(encoding="utf-8"),
        (HERE.parent.parent / "examples" / "admissions.schema.json").read_text(encoding="utf-8"),
        'title = "t"\nsource = "x.csv"\nepsilon = 1\n[[question]]\nname = "q"\ncolumn = "a"\ncategories = ["yes", "no"]\n',
    ],
}

COMMANDS = [
    ["--counts", "5,4", "--epsilon", "1", "--seed", "1"],
    ["--counts", "5,4,0", "--epsilon", "0.5", "--mechanism", "ehds", "--seed", "2"],
    ["--counts", "5,4", "--epsilon", "1", "--adjacency", "add-remove", "--seed", "3"],
]


def write(target: str, number: int, content: bytes) -> None:
    """Writes one file of a corpus."""
    folder = HERE / target
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{number}").write_bytes(content)


def main() -> None:
    """Makes all files."""
    for target, texts in TEXTS.items():
        for number, text in enumerate(texts):
            write(target, number, text.encode())
    table = pa.table(ROWS)
    # Of this one every record counts.
    plain = pa.table({"a": ["yes", "no"], "n": [1, 2], "who": ["p", "q"]})
    wide = table.set_column(0, "a", table["a"].dictionary_encode()).append_column("t", pa.array([0, 1, None, 2, 3], pa.timestamp("us")))
    for number, (one, codec, version) in enumerate([(table, "NONE", "1.0"), (wide, "SNAPPY", "2.0"), (wide, "ZSTD", "2.0"), (table, "GZIP", "1.0"), (plain, "NONE", "1.0")]):
        sink = pa.BufferOutputStream()
        pyarrow.parquet.write_table(one, sink, compression=codec, data_page_version=version, store_schema=False)
        write("parquet", number, sink.getvalue().to_pybytes())
    for number, (one, codec) in enumerate([(table, "uncompressed"), (wide, "lz4"), (wide, "zstd"), (plain, "uncompressed")]):
        sink = pa.BufferOutputStream()
        pyarrow.feather.write_feather(one, sink, compression=codec)
        write("arrow", number, sink.getvalue().to_pybytes())
    command = os.environ["POSTERITY_COMMAND"]
    for number, flags in enumerate(COMMANDS):
        made = subprocess.run([command, "release", *flags, "--format", "json"], check=True, capture_output=True)
        write("document", number, json.dumps(json.loads(made.stdout)).encode())


if __name__ == "__main__":
    main()
