package io.drayage.duckdb;

import io.drayage.duckdb.file.ParquetPages;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Objects;
import java.util.function.Consumer;
import org.apache.parquet.format.FileMetaData;
import org.apache.parquet.format.SchemaElement;
import org.apache.parquet.format.Util;

/** Parquet files with values that no writer writes, under another footer. */
final class Retyped {
  private static final int TAIL_BYTES = 8;

  private Retyped() {}

  /** Writes the same values with another type of the only column, without statistics. */
  static void write(Path file, Path target, Consumer<SchemaElement> change) throws IOException {
    byte[] bytes = Files.readAllBytes(file);
    ByteBuffer tail = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    int start = bytes.length - TAIL_BYTES - tail.getInt(bytes.length - TAIL_BYTES);
    FileMetaData footer;
    try (ParquetPages pages = ParquetPages.open(file)) {
      footer = Objects.requireNonNull(pages.footer());
    }
    footer.unsetColumn_orders();
    footer
        .getRow_groups()
        .forEach(group -> group.getColumns().get(0).getMeta_data().unsetStatistics());
    SchemaElement column = footer.getSchema().get(1);
    column.unsetLogicalType();
    column.unsetConverted_type();
    change.accept(column);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.writeBytes(Arrays.copyOf(bytes, start));
    Util.writeFileMetaData(footer, out);
    ByteBuffer end = ByteBuffer.allocate(TAIL_BYTES).order(ByteOrder.LITTLE_ENDIAN);
    end.putInt(out.size() - start).put("PAR1".getBytes(StandardCharsets.US_ASCII));
    out.writeBytes(end.array());
    Files.write(target, out.toByteArray());
  }
}
