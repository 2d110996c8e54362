"""Makes the Arrow files of dictionaries that continue, by pyarrow 26: python3 arrow.py"""

import pyarrow as pa


def batch(texts, text_indices, numbers, number_indices):
    return pa.record_batch(
        [
            pa.DictionaryArray.from_arrays(pa.array(text_indices, pa.int32()), pa.array(texts)),
            pa.DictionaryArray.from_arrays(pa.array(number_indices, pa.int8()), pa.array(numbers)),
        ],
        names=["x", "y"],
    )


batches = [batch(["a", "b"], [0, 1], [7, 8], [0, 1]), batch(["a", "b", "c"], [2, 1], [7, 8, 9], [0, 2])]
options = pa.ipc.IpcWriteOptions(emit_dictionary_deltas=True)
for name, new in (("deltas.arrow", pa.ipc.new_file), ("deltas.arrows", pa.ipc.new_stream)):
    with new(name, batches[0].schema, options=options) as writer:
        for each in batches:
            writer.write_batch(each)
