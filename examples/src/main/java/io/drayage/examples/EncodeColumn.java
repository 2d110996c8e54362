package io.drayage.examples;

import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.ColumnValues;
import io.drayage.codec.CargoFile;
import io.drayage.columnar.ColumnCodec;
import io.drayage.columnar.ColumnarMode;
import io.drayage.columnar.ColumnarOptions;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.UUID;

/**
 * The codec without the transport: one column as bytes, and a cargo as a file. docs/embedding.md
 * shows the marked lines.
 */
public final class EncodeColumn {
  private EncodeColumn() {}

  /** Encodes a million timestamps, writes a cargo of them, and reads both back. */
  public static void main(String... args) throws Exception {
    long[] times = new long[1_000_000];
    Arrays.setAll(times, i -> 1_700_000_000_000L + 250L * i + i % 7);
    // column begin
    ColumnarOptions options = ColumnarOptions.of(ColumnarMode.BALANCED);
    ColumnCodec.Encoded encoded = ColumnCodec.encode(times, options);
    System.out.printf(
        "%,d bytes of %,d: %s%n", encoded.bytes().length, encoded.rawBytes(), encoded.encodings());

    ColumnValues column = ColumnCodec.decode(encoded.bytes(), 1L << 30); // raw bytes at most
    long[] decoded = column.toArray(long[].class);
    // column end
    System.out.printf("equal: %s%n", Arrays.equals(times, decoded));

    Path file = Files.createTempFile("events", ".cargo");
    // file begin
    ChangeCargo cargo =
        ChangeCargo.builder(UUID.randomUUID(), 0)
            .table("events", events -> events.insert("time", column))
            .build();
    CargoFile.write(cargo, file); // as ./drayage cargo generate does
    System.out.println(CargoFile.inspect(file).parts()); // its shape; all checksums were right
    ChangeCargo read = CargoFile.read(file, 1L << 30);
    // file end
    System.out.printf(
        "%,d rows%n", read.tables().get(0).insertedColumns().get(0).values().rowCount());
    Files.delete(file);
  }
}
