"""What data may be: files, arrays of NumPy, and tables of other packages. All of it becomes sources for the library."""

from __future__ import annotations

import importlib.util
import os
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from . import _core

EXPECTED = (
    "a path or a list of paths, a dictionary of arrays, a structured array, or a table with __arrow_c_stream__ "
    "(pandas, polars, pyarrow, DuckDB)"
)
_NUMBERS = {"i1": "c", "u1": "C", "i2": "s", "u2": "S", "i4": "i", "u4": "I", "i8": "l", "u8": "L"}
_NUMBERS |= {"f2": "e", "f4": "f", "f8": "g"}


@dataclass
class Source:
    """A log, as the library is told of it: a path, or a table that it can open."""

    name: str  # the path, or what messages call the table
    table: object = None  # NumpyColumns, or something with __arrow_c_stream__; None: it is a path
    rows: int = 0  # 0: not known
    bytes: int | None = None
    once: bool = False  # it can be read only once, as a stream


class ArrowFile:
    """A file that pyarrow reads: Parquet, Feather or Arrow. Each stream begins with the first row."""

    endings = (".parquet", ".pq", ".feather", ".arrow")

    def __init__(self, path: str):
        from pyarrow import dataset

        kind = "parquet" if path.endswith(self.endings[:2]) else "feather"
        self.dataset = dataset.dataset(path, format=kind)
        self.options = dataset.ParquetFragmentScanOptions(pre_buffer=False) if kind == "parquet" else None
        self.shape = (self.dataset.count_rows(), len(self.dataset.schema.names))

    def __arrow_c_stream__(self, requested_schema=None):
        # By default pyarrow reads so far ahead that half of a file is in memory.
        scanner = self.dataset.scanner(batch_size=32_768, batch_readahead=2, fragment_scan_options=self.options)
        return scanner.to_reader().__arrow_c_stream__(requested_schema)


def sources_of(data: object, argument: str = "data") -> list[Source]:
    """The logs in an argument; a list has one for each of its elements."""
    if isinstance(data, list | tuple):
        if not data:
            raise ValueError(f"{argument} is an empty list; {EXPECTED} is expected")
        return [source_of(one, f"{argument}[{i}]") for i, one in enumerate(data)]
    return [source_of(data, argument)]


def source_of(data: object, argument: str = "data") -> Source:
    """One log."""
    if isinstance(data, str | os.PathLike):
        return file_source(os.fsdecode(data))
    if isinstance(data, Mapping):
        return numpy_source(data, argument)
    if isinstance(data, np.ndarray) and data.dtype.names:
        return numpy_source({name: data[name] for name in data.dtype.names}, argument)
    if hasattr(data, "__arrow_c_stream__"):
        if type(data).__module__.partition(".")[0] == "pandas":  # which would convert all of it for every stream
            import pyarrow

            data = pyarrow.Table.from_pandas(data, preserve_index=False)
        rows, columns = shape_of(data)
        size = getattr(data, "nbytes", None)
        if not isinstance(size, int | np.integer):
            size = 8 * rows * columns if columns else None
        # A stream of batches gives them away as it is read; a table can be asked again.
        return Source(argument, data, rows, None if size is None else int(size), once=hasattr(data, "__next__"))
    what = f"an array of shape {data.shape} and dtype {data.dtype}" if isinstance(data, np.ndarray) else _short(data)
    raise ValueError(f"{argument} is {what}; {EXPECTED} is expected")


def file_source(path: str) -> Source:
    """A file: Parquet and its kin by pyarrow, if it is there, everything else by the library."""
    if path.endswith(ArrowFile.endings) and os.path.isfile(path) and importlib.util.find_spec("pyarrow"):
        file = ArrowFile(path)
        return Source(path, file, file.shape[0], os.path.getsize(path))
    return Source(path)


def shape_of(table: object) -> tuple[int, int]:
    """Rows and columns, 0 where they are not known."""
    shape = getattr(table, "shape", None)
    if isinstance(shape, tuple) and len(shape) == 2:
        return int(shape[0]), int(shape[1])
    return 0, 0


def numpy_source(columns: Mapping, argument: str = "data") -> Source:
    """Arrays as a table: one-dimensional ones are columns, the columns of others are `name.0`, `name.1`, ..."""
    if not columns:
        raise ValueError(f"{argument} has no columns; {EXPECTED} is expected")
    made, size, first = [], 0, None
    for name, values in columns.items():
        if not isinstance(name, str):
            raise ValueError(f"{argument}: the name {name!r} of a column is {_short(type(name))}; a str is expected")
        array = _array(f"{argument}['{name}']", values)
        if first is None:
            first = (name, len(array))
        elif len(array) != first[1]:
            raise ValueError(f"{argument}: '{name}' has {len(array)} rows, '{first[0]}' has {first[1]}")
        width = array.shape[1] if array.ndim == 2 else 0
        made.append((name, *_arrow(f"{argument}['{name}']", array, width)))
        size += array.nbytes
    rows = first[1]
    if rows == 0:
        raise ValueError(f"{argument} has no rows")
    return Source(argument, _core.NumpyColumns(rows, made), rows, size)


def _array(argument: str, values: object) -> np.ndarray:
    try:
        array = values if isinstance(values, np.ndarray) else np.asarray(values)
    except ValueError as error:
        raise ValueError(f"{argument} is not an array: {error}") from None
    if array.ndim == 0:
        raise ValueError(f"{argument} is {_short(values)}; an array with a value for each row is expected")
    return array.reshape(len(array), -1) if array.ndim > 2 else array


def _arrow(argument: str, array: np.ndarray, width: int) -> tuple:
    """The Arrow format of an array, the width of its rows, and its buffers: which values are there, and the values."""
    there = None
    if isinstance(array, np.ma.MaskedArray):
        there, array = ~np.ma.getmaskarray(array), np.ma.getdata(array)
    kind = array.dtype.kind
    if kind == "O":
        array, there = _of_objects(argument, array, there)
        kind = array.dtype.kind
    bits = None if there is None else _bits(there)
    if kind == "b":
        return "b", width, bits, _bits(array)
    if kind in "mM":
        unit = np.datetime_data(array.dtype)[0]
        unit = unit if unit in ("s", "ms", "us", "ns") else "s"
        array = array.astype(f"{kind}8[{unit}]")
        format = ("tD" if kind == "m" else "ts") + unit[0] + (":" if kind == "M" else "")
        known = ~np.isnat(array) if there is None else there & ~np.isnat(array)
        return format, width, _bits(known), _whole(array, "i8")
    if kind in "iuf":
        if kind == "f" and array.dtype.itemsize > 8:
            array = array.astype("f8")
        name = f"{kind}{array.dtype.itemsize}"
        return _NUMBERS[name], width, bits, _whole(array, name)
    if kind in "US":
        texts = [text if isinstance(text, bytes) else text.encode() for text in array.reshape(-1).tolist()]
        offsets = np.zeros(len(texts) + 1, np.int64)
        np.cumsum([len(text) for text in texts], out=offsets[1:])
        return "U", width, bits, offsets, np.frombuffer(b"".join(texts) or b"\0", np.uint8)
    raise ValueError(f"{argument} has dtype {array.dtype}; numbers, truth values, dates or texts are expected")


def _of_objects(argument: str, array: np.ndarray, there: np.ndarray | None) -> tuple[np.ndarray, np.ndarray | None]:
    """Numbers where all objects are numbers, otherwise their texts; None and NaN are missing."""
    flat = array.reshape(-1)
    known = np.array([value is not None and value == value for value in flat], bool)  # NaN differs from itself
    if there is not None:
        known &= there.reshape(-1)
    values = flat[known].tolist()
    if all(isinstance(value, int | float | np.number | np.bool_) for value in values):
        numbers = np.full(len(flat), np.nan)
        numbers[known] = values
        return numbers.reshape(array.shape), None
    if not all(isinstance(value, str | bytes) for value in values):
        other = next(value for value in values if not isinstance(value, str | bytes))
        raise ValueError(f"{argument} holds {_short(other)}; numbers, truth values, dates or texts are expected")
    texts = np.array([value if there else "" for value, there in zip(flat, known, strict=True)])
    return texts.reshape(array.shape), known.reshape(array.shape)


def _bits(flags: np.ndarray) -> np.ndarray:
    return np.packbits(np.ascontiguousarray(flags).reshape(-1), bitorder="little")


def _whole(array: np.ndarray, kind: str) -> np.ndarray:
    """The array without gaps and in the byte order of the machine."""
    array = array.view("i8") if array.dtype.kind in "mM" else array
    return np.ascontiguousarray(array, dtype=f"={kind}")


def _short(value: object) -> str:
    if isinstance(value, type):
        return value.__name__
    text = repr(value)
    return f"{text if len(text) <= 60 else text[:57] + '...'} ({type(value).__name__})"
