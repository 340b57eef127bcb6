"""The records that pass each filter of standard input in DuckDB, by their number: python duckdb_answers.py table.parquet"""

import re
import sys

import duckdb

database = duckdb.connect()
database.execute("CREATE TABLE records AS SELECT * FROM read_parquet(?)", [sys.argv[1]])
for line in sys.stdin:
    # DuckDB compares no patterns with days.
    condition = re.sub(r"\bday ((NOT )?LIKE)", r"TEXT(day) \1", line.strip())
    condition = re.sub(r"TEXT\((\w+)\)", r"CAST(\1 AS VARCHAR)", condition)
    rows = database.execute(f"SELECT id FROM records WHERE {condition} ORDER BY id").fetchall()
    print(*(row[0] for row in rows))
