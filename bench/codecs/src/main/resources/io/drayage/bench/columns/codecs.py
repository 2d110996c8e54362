"""Measures codecs that are packages of Python, for 'drayage columns'.

Each line on standard input is a request in JSON, and each line on standard output its answer. The first answer comes
without a request and names the installed codecs. One thread; times include only compressing and decompressing.
"""

import importlib.metadata
import json
import sys
from time import perf_counter_ns

NAMES = {
    "boolean": "?",
    "int8": "i1",
    "int16": "<i2",
    "int32": "<i4",
    "int64": "<i8",
    "float": "<f4",
    "double": "<f8",
}


class Segment:
    """Some values of a column in numpy, with a flag for each that is not null; texts in Arrow."""

    def __init__(self, values, valid):
        self.values = values
        self.valid = valid


class Pcodec:
    """The standalone format. It has no nulls: nulls are left out, and each value has a bit for them."""

    def __init__(self, level):
        from pcodec import ChunkConfig, standalone

        self.standalone = standalone
        self.config = ChunkConfig(compression_level=level)
        try:
            self.config_8_bit = ChunkConfig(compression_level=level, enable_8_bit=True)
        except TypeError:  # before 1.1
            self.config_8_bit = None

    def refuses(self, kind):
        if kind == "boolean" or kind not in NAMES or (kind == "int8" and self.config_8_bit is None):
            return "does not support " + kind

    def prepare(self, segment):
        return segment

    def encode(self, segment):
        values, mask = segment.values, None
        if segment.valid is not None:
            mask = np.packbits(segment.valid).tobytes()
            values = values[segment.valid]
        config = self.config_8_bit if values.dtype.itemsize == 1 else self.config
        return self.standalone.simple_compress(values, config), mask, len(segment.values)

    def size(self, encoded):
        return len(encoded[0]) + len(encoded[1] or b"")

    def decode(self, encoded):
        data, mask, rows = encoded
        values = self.standalone.simple_decompress(data)
        if mask is None:
            return values
        valid = np.unpackbits(np.frombuffer(mask, np.uint8), count=rows).view(bool)
        all_values = np.zeros(rows, values.dtype if values is not None else np.int8)
        if values is not None:
            all_values[valid] = values
        return all_values, valid

    def same(self, segment, decoded):
        if segment.valid is None:
            return bits(segment.values) == bits(decoded)
        values, valid = decoded
        return bits(valid) == bits(segment.valid) and bits(values[valid]) == bits(segment.values[valid])


class Vortex:
    """Arrays compressed by vortex.compress() with its defaults, as messages of its IPC format."""

    def __init__(self):
        import pyarrow
        import vortex
        import vortex.serde

        self.arrow = pyarrow
        self.vortex = vortex
        self.serde = vortex.serde
        self.serde.encode_ipc_array_buffers, self.serde.decode_ipc_array_buffers, vortex.compress
        if hasattr(vortex, "set_worker_threads"):
            vortex.set_worker_threads(0)

    def refuses(self, kind):
        if kind not in NAMES and kind != "string":
            return "does not support " + kind

    def prepare(self, segment):
        array = segment.values
        if isinstance(array, np.ndarray):
            array = self.arrow.array(array, mask=None if segment.valid is None else ~segment.valid)
        return array, self.vortex.Array.from_arrow(array)

    def encode(self, prepared):
        return self.serde.encode_ipc_array_buffers(self.vortex.compress(prepared[1]))

    def size(self, encoded):
        return sum(len(piece) for pieces in encoded for piece in pieces)

    def decode(self, encoded):
        return self.serde.decode_ipc_array_buffers(*encoded).to_arrow_array()

    def same(self, prepared, decoded):
        array = prepared[0]
        if decoded.type != array.type:
            decoded = decoded.cast(array.type)
        if not self.arrow.types.is_floating(array.type):
            return array.equals(decoded)
        return array.is_valid().equals(decoded.is_valid()) and bits(array.drop_null().to_numpy()) == bits(
            decoded.drop_null().to_numpy()
        )


def bits(values):
    return np.ascontiguousarray(values).tobytes()


def installed():
    """Returns the codecs by name, their versions, and the reasons why others are missing."""
    global np
    codecs, versions, missing = {}, {}, {}
    packages = {
        "pcodec": ("pcodec", lambda: {"pcodec:4": Pcodec(4), "pcodec:8": Pcodec(8)}),
        "vortex": ("vortex-data", lambda: {"vortex": Vortex()}),
    }
    for name, (package, make) in packages.items():
        try:
            versions[name] = importlib.metadata.version(package)
            import numpy as np

            codecs.update(make())
        except importlib.metadata.PackageNotFoundError:
            missing[name] = "is not installed (pip install %s)" % package
        except Exception as e:
            versions.pop(name, None)
            missing[name] = "cannot be used: %s" % first_line(e)
    return codecs, versions, missing


def first_line(e):
    return ("%s: %s" % (type(e).__name__, e)).splitlines()[0]


def read(column):
    """Reads the segments of a column from a file. A nullable segment begins with a byte for each value, 1 if it is not
    null. The values follow. Texts are lengths in bytes as i32, -1 for a null, then the bytes in UTF-8."""
    segments = []
    with open(column["file"], "rb") as file:
        for rows in column["rows"]:
            valid = None
            if column["nullable"]:
                valid = np.frombuffer(file.read(rows), bool)
                valid = None if valid.all() else valid
            if column["type"] == "string":
                segments.append(Segment(texts(file, rows), None))
            else:
                kind = np.dtype(NAMES[column["type"]])
                segments.append(Segment(np.frombuffer(file.read(rows * kind.itemsize), kind), valid))
    return segments


def texts(file, rows):
    import pyarrow

    lengths = np.frombuffer(file.read(4 * rows), "<i4")
    offsets = np.zeros(rows + 1, "<i4")
    np.cumsum(np.maximum(lengths, 0), out=offsets[1:])
    nulls = None
    if (lengths < 0).any():
        nulls = pyarrow.py_buffer(np.packbits(lengths >= 0, bitorder="little").tobytes())
    data = file.read(int(offsets[-1]))
    return pyarrow.StringArray.from_buffers(rows, pyarrow.py_buffer(offsets), pyarrow.py_buffer(data), nulls)


class Bench:
    """A codec and its current column."""

    def __init__(self, codec):
        self.codec = codec
        self.prepared = []

    def take(self, column):
        self.prepared = []
        why = self.codec.refuses(column["type"])
        if not why:
            self.prepared = [self.codec.prepare(segment) for segment in read(column)]
        return {"refused": why}

    def passes(self, times):
        encode_ns = decode_ns = 0
        for _ in range(times):
            start = perf_counter_ns()
            encoded = [self.codec.encode(each) for each in self.prepared]
            encode_ns += perf_counter_ns() - start
            size = sum(map(self.codec.size, encoded))
            for each in encoded:
                start = perf_counter_ns()
                self.codec.decode(each)
                decode_ns += perf_counter_ns() - start
        return {"bytes": size, "encodeNs": encode_ns, "decodeNs": decode_ns}

    def verify(self):
        same = all(self.codec.same(each, self.codec.decode(self.codec.encode(each))) for each in self.prepared)
        return {"same": same}


def main():
    codecs, versions, missing = installed()
    answer({"codecs": list(codecs), "versions": versions, "missing": missing})
    benches = {name: Bench(codec) for name, codec in codecs.items()}
    for line in sys.stdin:
        request = json.loads(line)
        bench = benches[request["codec"]]
        try:
            if request["do"] == "take":
                answer(bench.take(request["column"]))
            elif request["do"] == "pass":
                answer(bench.passes(request["times"]))
            else:
                answer(bench.verify())
        except Exception as e:
            answer({"error": first_line(e)})


def answer(what):
    print(json.dumps(what), flush=True)


if __name__ == "__main__":
    main()
