"""Makes the Parquet files of checksums, half floats and encryption, by pyarrow 26: python3 parquet.py"""

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pyarrow.parquet.encryption as pe

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


class OpenKeys(pe.KmsClient):
    """Keys that are stored as they are."""

    def wrap_key(self, key_bytes, master_key_identifier):
        return key_bytes

    def unwrap_key(self, wrapped_key, master_key_identifier):
        return wrapped_key


factory = pe.CryptoFactory(lambda connection: OpenKeys())
for name, plaintext_footer in (("column", True), ("footer", False)):
    properties = factory.file_encryption_properties(
        pe.KmsConnectionConfig(),
        pe.EncryptionConfiguration(
            footer_key="f", column_keys={"c": ["a"]}, plaintext_footer=plaintext_footer
        ),
    )
    with pq.ParquetWriter(
        f"encrypted-{name}.parquet", table.schema, encryption_properties=properties
    ) as writer:
        writer.write_table(table)
