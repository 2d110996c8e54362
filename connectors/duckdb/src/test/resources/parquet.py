"""Makes the Parquet files of checksums and of half floats, by pyarrow 26: python3 parquet.py"""

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

table = pa.table({"a": pa.array([1, 2, None, 4], pa.int64()), "s": pa.array(["x", "y", "x", "y"])})
for version in ("1.0", "2.0"):
    pq.write_table(
        table,
        f"checksums-{version[0]}.parquet",
        data_page_version=version,
        write_page_checksum=True,
        use_dictionary=["s"],
        compression="zstd",
    )

# One, a quiet NaN and a signalling one.
halves = np.array([0x3C00, 0x7E00, 0xFC01], np.uint16).view(np.float16)
pq.write_table(
    pa.table({"h": pa.array(halves)}),
    "float16-signalling.parquet",
    compression="none",
    use_dictionary=False,
)
pq.write_table(pa.table({"n": pa.nulls(2)}), "nothing.parquet", compression="none")

# DuckDB calls the second column A_1.
pq.write_table(
    pa.table({"a": pa.array([1, 2]), "A": pa.array([3, 4])}),
    "checksums-twins.parquet",
    write_page_checksum=True,
    use_dictionary=False,
    compression="zstd",
)
