"""Arrays that are not what they say raise, and never crash the interpreter. Each runs in a process of its own."""

from __future__ import annotations

import ast
import os
import subprocess
import sys

import pytest

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork")

HEAD = """
import struct
import pyarrow as pa
import posterity

# pyarrow looks at what it makes an array of: it gets zeros, which are changed afterwards.
later = []

def hold(data):
    place = bytearray(len(data))
    later.append((place, data))
    return pa.py_buffer(place)

def buffer(form, *values):
    return hold(struct.pack(f"<{len(values)}{form}", *values))

def array(kind, length, *buffers, **more):
    return pa.Array.from_buffers(kind, length, list(buffers), **more)

class Other:
    def __init__(self, array):
        self.array = array
    def __arrow_c_array__(self, requested_schema=None):
        return self.array.__arrow_c_array__(requested_schema)

def view(text, buffer=0, offset=0, length=None):
    length = len(text) if length is None else length
    if length <= 12:
        return struct.pack("<i12s", length, text)
    return struct.pack("<i4sii", length, text[:4], buffer, offset)

long = b"a label of more than twelve bytes"
text = pa.py_buffer(b"abc" + long)
options = {}
"""

ARRAYS = {
    "offsets that go back": "array(pa.string(), 3, None, buffer('i', 0, 3, 1, 3), text)",
    "offsets below zero": "array(pa.string(), 2, None, buffer('i', 0, -3, 3), text)",
    "a first offset below zero": "array(pa.string(), 1, None, buffer('i', -1, 3), text)",
    "a last offset below zero": "array(pa.string(), 1, None, buffer('i', 0, -1), text)",
    "offsets beyond the text": "array(pa.string(), 1, None, buffer('i', 0, 2_000_000_000), text)",
    "large offsets beyond the text": "array(pa.large_string(), 1, None, buffer('q', 0, 1 << 46), text)",
    "large offsets that go back": "array(pa.large_string(), 2, None, buffer('q', 0, 1 << 60, 3), text)",
    "too few offsets": "array(pa.string(), 1000, None, buffer('i', 0, 3), text)",
    "too few integers": "array(pa.int64(), 1 << 40, None, buffer('q', 1, 2))",
    "too few truth values": "array(pa.bool_(), 1 << 40, None, buffer('q', 1))",
    "too short a mask": "array(pa.int8(), 1 << 20, buffer('b', 1), pa.py_buffer(bytes(1 << 20)))",
    "no text": "array(pa.string(), 1, None, buffer('i', 0, 30), None)",
    "no offsets": "array(pa.string(), 1, None, None, text)",
    "an offset": "array(pa.string(), 1, None, buffer('i', 0, 3), text, offset=1 << 30)",
    "text that is not UTF-8": "array(pa.string(), 1, None, buffer('i', 0, 3), pa.py_buffer(b'\\xff\\xfea'))",
    "half a letter": "array(pa.string(), 2, None, buffer('i', 0, 1, 2), pa.py_buffer('ä'.encode()))",
    "a view that is not UTF-8": "array(pa.string_view(), 1, None, hold(view(b'\\xff\\xfe')))",
    "a view beyond its buffer": "array(pa.string_view(), 1, None, hold(view(long, 0, 1 << 30)), text)",
    "a view into no buffer": "array(pa.string_view(), 1, None, hold(view(long, 77)), text)",
    "a view below zero": "array(pa.string_view(), 1, None, hold(view(long, -1, -5)), text)",
    "a view of negative length": "array(pa.string_view(), 1, None, hold(view(long, 0, 3, -9)), text)",
    "a view with another prefix": "array(pa.string_view(), 1, None, hold(view(b'zzzz' + long, 0, 3)), text)",
    "a short view with a rest": "array(pa.string_view(), 1, None, hold(struct.pack('<i12s', 1, b'abc')))",
    "a key beyond the dictionary": "pa.DictionaryArray.from_arrays(pa.array([0, 100], pa.int8()), pa.array(['a', 'b']), safe=False)",
    "a key below zero": "pa.DictionaryArray.from_arrays(pa.array([0, -100], pa.int8()), pa.array(['a', 'b']), safe=False)",
    "a damaged dictionary": "pa.DictionaryArray.from_arrays(pa.array([0]), array(pa.string(), 1, None, buffer('i', 0, 1 << 30), text), safe=False)",
}

# How the array is handed over: as pyarrow has it, and by another that cannot look at its memory.
WAYS = {
    "pyarrow": "data = array",
    "table": "data = pa.table({'x': array}); options = {'column': 'x'}",
    "reader": "data = pa.table({'x': array}).to_reader(); options = {'column': 'x'}",
    "capsule": "data = Other(array)",
}

TAIL = """
for place, content in later:
    place[:] = content
try:
    posterity.release(posterity.Data(data, categories=["abc", "b"], other="b", missing="b", **options), epsilon=1)
except posterity.DataError as error:
    text = str(error)
    assert "abc" not in text and error.__cause__ is None and error.__context__ is None, text
    raise SystemExit(7)
raise SystemExit(8)
"""

# The interface does not say where memory ends, so only its owner can see these.
UNSEEN = {
    "offsets beyond the text",
    "large offsets beyond the text",
    "too few offsets",
    "too few integers",
    "too few truth values",
    "too short a mask",
    "an offset",
    "a damaged dictionary",
}


# These pyarrow does not even make.
UNMADE = {
    "too few offsets",
    "too few integers",
    "too few truth values",
    "too short a mask",
    "no text",
    "no offsets",
    "an offset",
}

# To load the packages takes longest, so the processes are copies of one that has loaded them.
FORK = """
import os, sys
import pyarrow, posterity
cases, ends = eval(sys.stdin.read()), {}
for name, code in cases.items():
    child = os.fork()
    if child == 0:
        try:
            exec(code, {"__name__": "case"})
        except SystemExit as end:
            os._exit(end.code)
        except BaseException as error:
            print(name, type(error), error, file=sys.stderr, flush=True)
        os._exit(1)
    ends[name] = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
print(ends)
"""


def ends(cases: dict[str, str]) -> dict[str, int]:
    """The exit code of each program, a signal if it is below zero."""
    done = subprocess.run([sys.executable, "-c", FORK], input=repr(cases), capture_output=True, text=True, check=True, timeout=300)
    assert done.stderr == ""
    found: dict[str, int] = ast.literal_eval(done.stdout)
    return found


@pytest.mark.parametrize("way", WAYS)
def test_damaged_arrays_are_refused(way: str) -> None:
    cases = {}
    for name in ARRAYS:
        if way != "capsule" or name not in UNSEEN:
            made = f"try:\n    array = {ARRAYS[name]}\nexcept pa.ArrowInvalid:\n    raise SystemExit(9)\n"
            cases[name] = f"{HEAD}\n{made}{WAYS[way]}\n{TAIL}"
    assert ends(cases) == {name: 9 if name in UNMADE else 7 for name in cases}


STRUCTURES = """
import ctypes
import pyarrow as pa
import posterity

class Schema(ctypes.Structure):
    pass

class Array(ctypes.Structure):
    pass

Schema._fields_ = [
    ("format", ctypes.c_char_p), ("name", ctypes.c_char_p), ("metadata", ctypes.c_char_p), ("flags", ctypes.c_int64),
    ("n_children", ctypes.c_int64), ("children", ctypes.c_void_p), ("dictionary", ctypes.c_void_p),
    ("release", ctypes.c_void_p), ("private_data", ctypes.c_void_p),
]
Array._fields_ = [
    ("length", ctypes.c_int64), ("null_count", ctypes.c_int64), ("offset", ctypes.c_int64), ("n_buffers", ctypes.c_int64),
    ("n_children", ctypes.c_int64), ("buffers", ctypes.c_void_p), ("children", ctypes.c_void_p),
    ("dictionary", ctypes.c_void_p), ("release", ctypes.c_void_p), ("private_data", ctypes.c_void_p),
]
pointer = ctypes.pythonapi.PyCapsule_GetPointer
pointer.restype, pointer.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]

# What the producer would do with a changed structure does not matter here: it stays where it is.
@ctypes.CFUNCTYPE(None, ctypes.c_void_p)
def keep_schema(place):
    Schema.from_address(place).release = None

@ctypes.CFUNCTYPE(None, ctypes.c_void_p)
def keep_array(place):
    Array.from_address(place).release = None

class Changed:
    def __arrow_c_array__(self, requested_schema=None):
        schema, array = pa.array(["a", "b"]).__arrow_c_array__()
        s = Schema.from_address(pointer(schema, b"arrow_schema"))
        a = Array.from_address(pointer(array, b"arrow_array"))
        s.release = ctypes.cast(keep_schema, ctypes.c_void_p).value
        a.release = ctypes.cast(keep_array, ctypes.c_void_p).value
        CHANGE
        return schema, array

try:
    posterity.release(Changed(), categories=["a", "b"], epsilon=1)
except posterity.PosterityError:
    raise SystemExit(7)
raise SystemExit(8)
"""

CHANGES = [
    "a.length = -1",
    "a.length = 1 << 62",
    "a.offset = -1",
    "a.offset = 1 << 62",
    "a.null_count = -7",
    "a.null_count = 3",
    "a.n_buffers = 0",
    "a.n_buffers = 1",
    "a.n_buffers = -1",
    "a.n_buffers = 1 << 40",
    "a.buffers = None",
    "a.n_children = 5",
    "a.dictionary = pointer(array, b'arrow_array')",
    "s.format = None",
    "s.format = b'\\xff'",
    "s.format = b'nonsense'",
    "s.format = b'+s'",
    "s.format = b'+l'",
    "s.format = b'+r'",
    "s.format = b'w:-4'",
    "s.format = b'w:2000000000'",
    "s.name = b'\\xff'",
    "s.n_children = 3",
    "s.n_children = -3",
    "s.dictionary = pointer(schema, b'arrow_schema')",
]


def test_structures_that_cannot_be_are_refused() -> None:
    cases = {change: STRUCTURES.replace("CHANGE", change) for change in CHANGES}
    assert ends(cases) == dict.fromkeys(cases, 7)
