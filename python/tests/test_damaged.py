"""Arrays that are not what they say raise, and never crash the interpreter. Each runs in a process of its own."""

from __future__ import annotations

import subprocess
import sys

import pytest

HEAD = """
import struct
import pyarrow as pa
import posterity

def buffer(form, *values):
    return pa.py_buffer(struct.pack(f"<{len(values)}{form}", *values))

def array(kind, length, *buffers, **more):
    return pa.Array.from_buffers(kind, length, list(buffers), **more)

def view(text, buffer=0, offset=0, length=None):
    length = len(text) if length is None else length
    if length <= 12:
        return struct.pack("<i12s", length, text)
    return struct.pack("<i4sii", length, text[:4], buffer, offset)

long = b"a label of more than twelve bytes"
text = pa.py_buffer(b"abc" + long)
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
    "a view that is not UTF-8": "array(pa.string_view(), 1, None, pa.py_buffer(view(b'\\xff\\xfe')))",
    "a view beyond its buffer": "array(pa.string_view(), 1, None, pa.py_buffer(view(long, 0, 1 << 30)), text)",
    "a view into no buffer": "array(pa.string_view(), 1, None, pa.py_buffer(view(long, 77)), text)",
    "a view below zero": "array(pa.string_view(), 1, None, pa.py_buffer(view(long, -1, -5)), text)",
    "a view of negative length": "array(pa.string_view(), 1, None, pa.py_buffer(view(long, 0, 3, -9)), text)",
    "a view with another prefix": "array(pa.string_view(), 1, None, pa.py_buffer(view(b'zzzz' + long, 0, 3)), text)",
    "a short view with a rest": "array(pa.string_view(), 1, None, pa.py_buffer(struct.pack('<i12s', 1, b'abc')))",
    "a key beyond the dictionary": "pa.DictionaryArray.from_arrays(pa.array([0, 100], pa.int8()), pa.array(['a', 'b']), safe=False)",
    "a key below zero": "pa.DictionaryArray.from_arrays(pa.array([0, -100], pa.int8()), pa.array(['a', 'b']), safe=False)",
    "a damaged dictionary": "pa.DictionaryArray.from_arrays(pa.array([0]), array(pa.string(), 1, None, buffer('i', 0, 1 << 30), text), safe=False)",
}

# How the array is handed over: as pyarrow has it, and by another that cannot look at its memory.
WAYS = {
    "pyarrow": "lambda: posterity.release(array, categories=['abc', 'b'], other='b', missing='b', epsilon=1)",
    "table": "lambda: posterity.release(pa.table({'x': array}), column='x', categories=['abc', 'b'], other='b', missing='b', epsilon=1)",
    "reader": "lambda: posterity.release(pa.table({'x': array}).to_reader(), column='x', categories=['abc', 'b'], other='b', missing='b', epsilon=1)",
    "capsule": "lambda: posterity.release(Other(array), categories=['abc', 'b'], other='b', missing='b', epsilon=1)",
}

TAIL = """
class Other:
    def __init__(self, array):
        self.array = array
    def __arrow_c_array__(self, requested_schema=None):
        return self.array.__arrow_c_array__(requested_schema)

try:
    way()
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


@pytest.mark.parametrize("way", WAYS)
def test_damaged_arrays_are_refused(way: str) -> None:
    """All of one way in one go: to start an interpreter takes longest."""
    cases = [name for name in ARRAYS if way != "capsule" or name not in UNSEEN]
    running = []
    for name in cases:
        code = f"{HEAD}\narray_ = {ARRAYS[name]}\narray = array_\nway = {WAYS[way]}\n{TAIL}"
        running.append((name, subprocess.Popen([sys.executable, "-c", code], stderr=subprocess.PIPE, text=True)))
        if len(running) >= 4:
            check(*running.pop(0))
    for one in running:
        check(*one)


def check(name: str, process: subprocess.Popen[str]) -> None:
    _, errors = process.communicate(timeout=120)
    assert process.returncode == 7, f"{name}: exit code {process.returncode}\n{errors}"


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

class Changed:
    def __arrow_c_array__(self, requested_schema=None):
        schema, array = pa.array(["a", "b"]).__arrow_c_array__()
        s = Schema.from_address(pointer(schema, b"arrow_schema"))
        a = Array.from_address(pointer(array, b"arrow_array"))
        CHANGE
        return schema, array

try:
    posterity.release(Changed(), categories=["a", "b"], epsilon=1)
except posterity.DataError as error:
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
    running = []
    for change in CHANGES:
        code = STRUCTURES.replace("CHANGE", change)
        running.append((change, subprocess.Popen([sys.executable, "-c", code], stderr=subprocess.PIPE, text=True)))
        if len(running) >= 4:
            check(*running.pop(0))
    for one in running:
        check(*one)
