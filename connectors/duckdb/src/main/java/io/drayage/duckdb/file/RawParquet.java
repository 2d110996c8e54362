package io.drayage.duckdb.file;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.apache.parquet.format.ColumnChunk;
import org.apache.parquet.format.ColumnMetaData;
import org.apache.parquet.format.ConvertedType;
import org.apache.parquet.format.FieldRepetitionType;
import org.apache.parquet.format.FileMetaData;
import org.apache.parquet.format.LogicalType;
import org.apache.parquet.format.RowGroup;
import org.apache.parquet.format.SchemaElement;
import org.apache.parquet.format.Statistics;
import org.apache.parquet.format.TimeUnit;
import org.apache.parquet.format.Type;
import org.apache.parquet.format.Util;
import org.jspecify.annotations.Nullable;

/**
 * The bytes of Parquet values that DuckDB may change when it reads them. They are the same pages
 * under another footer, which declares them as texts of a fixed length.
 */
public final class RawParquet {
  private static final int INT96_BYTES = 12;

  private RawParquet() {}

  /** The type of a column that DuckDB may change. */
  public enum Kind {
    /** Nanoseconds of the day, and the Julian day. DuckDB does not check for an overflow. */
    INT96,
    /** A float of 16 bits. DuckDB changes signalling NaNs to quiet ones. */
    FLOAT16,
    /** An integer whose type has limits. DuckDB cuts larger values, or does not name the row. */
    BOUNDED
  }

  /**
   * The limits of a type for the integers that store its values.
   *
   * @param type for messages
   */
  public record Limits(String type, long min, long max) {
    private static final long MILLIS_OF_DAY = 86_400_000;
    private static final String MILLIS = "TIMESTAMP in milliseconds";
    private static final int MAX_LONG_DIGITS = 18;

    /** Whether a value is within the limits, or infinite. */
    public boolean has(long value) {
      return (value >= min && value <= max)
          || (type.equals(MILLIS) && Math.abs(value) == Long.MAX_VALUE);
    }

    private static Limits symmetric(String type, long max) {
      return new Limits(type, -max, max);
    }

    /** Returns the limits of an element of a schema; null if it has none. */
    static @Nullable Limits of(SchemaElement element) {
      if (element.getType() != Type.INT32 && element.getType() != Type.INT64) {
        return null;
      }
      LogicalType logical = element.isSetLogicalType() ? element.getLogicalType() : null;
      ConvertedType converted = element.getConverted_type();
      if (logical != null && logical.isSetINTEGER()) {
        return integer(logical.getINTEGER().getBitWidth(), logical.getINTEGER().isIsSigned());
      } else if (logical != null && logical.isSetDECIMAL()) {
        return decimal(logical.getDECIMAL().getPrecision(), logical.getDECIMAL().getScale());
      } else if (logical != null && logical.isSetTIMESTAMP()) {
        return logical.getTIMESTAMP().getUnit().isSetMILLIS() ? millis() : null;
      } else if (logical != null && logical.isSetTIME()) {
        TimeUnit unit = logical.getTIME().getUnit();
        return unit.isSetNANOS() ? null : time(unit.isSetMILLIS() ? 1 : 1_000);
      } else if (converted == null) {
        return null;
      }
      return switch (converted) {
        case INT_8 -> integer(Byte.SIZE, true);
        case INT_16 -> integer(Short.SIZE, true);
        case UINT_8 -> integer(Byte.SIZE, false);
        case UINT_16 -> integer(Short.SIZE, false);
        case DECIMAL -> decimal(element.getPrecision(), element.getScale());
        case TIMESTAMP_MILLIS -> millis();
        case TIME_MILLIS -> time(1);
        case TIME_MICROS -> time(1_000);
        default -> null;
      };
    }

    private static @Nullable Limits integer(int bits, boolean isSigned) {
      if (bits > Short.SIZE) {
        return null;
      }
      String type = (isSigned ? "INT_" : "UINT_") + bits;
      long values = 1L << bits;
      return isSigned
          ? new Limits(type, -values / 2, values / 2 - 1)
          : new Limits(type, 0, values - 1);
    }

    private static @Nullable Limits decimal(int digits, int scale) {
      if (digits > MAX_LONG_DIGITS) {
        return null;
      }
      long above = 1;
      for (int i = 0; i < digits; i++) {
        above *= 10;
      }
      return symmetric("DECIMAL(" + digits + "," + scale + ")", above - 1);
    }

    private static Limits millis() {
      return symmetric(MILLIS, Long.MAX_VALUE / 1_000);
    }

    private static Limits time(int unitsOfMilli) {
      return new Limits("TIME", 0, MILLIS_OF_DAY * unitsOfMilli);
    }
  }

  /**
   * A column of a file.
   *
   * @param name of the top-level column
   * @param leaf its index among all leaves of the schema
   * @param isNested whether its values are within other ones
   * @param limits null unless it is bounded
   */
  public record Column(
      String name, int leaf, Kind kind, boolean isNested, @Nullable Limits limits) {}

  /**
   * Returns the columns of these kinds, if the file has a footer, except for bounded ones whose
   * statistics in the file are within the limits.
   */
  public static List<Column> columns(@Nullable FileMetaData footer) {
    List<Column> columns = new ArrayList<>();
    if (footer == null) {
      return columns;
    }
    List<SchemaElement> schema = footer.getSchema();
    int leaf = 0;
    int inside = 0; // Number of elements of the top-level column that still follow.
    String top = "";
    for (SchemaElement element : schema.subList(1, schema.size())) {
      boolean isNested = inside > 0 || element.getRepetition_type() == FieldRepetitionType.REPEATED;
      top = inside > 0 ? top : element.getName();
      inside = Math.max(inside - 1, 0) + element.getNum_children();
      if (element.isSetType()) {
        Limits limits = Limits.of(element);
        Kind kind = kind(element, limits);
        if (kind != null && !(limits != null && isWithin(footer, leaf, limits))) {
          columns.add(new Column(top, leaf, kind, isNested, limits));
        }
        leaf++;
      }
    }
    return columns;
  }

  private static @Nullable Kind kind(SchemaElement element, @Nullable Limits limits) {
    if (element.getType() == Type.INT96) {
      return Kind.INT96;
    }
    boolean isFloat16 = element.isSetLogicalType() && element.getLogicalType().isSetFLOAT16();
    return isFloat16 ? Kind.FLOAT16 : limits == null ? null : Kind.BOUNDED;
  }

  private static boolean isWithin(FileMetaData footer, int leaf, Limits limits) {
    for (RowGroup group : footer.getRow_groups()) {
      ColumnMetaData column = group.getColumns().get(leaf).getMeta_data();
      Statistics statistics = column == null ? null : column.getStatistics();
      boolean isEmpty =
          statistics != null
              && statistics.isSetNull_count()
              && statistics.getNull_count() == column.getNum_values();
      if (!isEmpty
          && (statistics == null
              || !isWithin(statistics.getMin_value(), limits)
              || !isWithin(statistics.getMax_value(), limits))) {
        return false;
      }
    }
    return true;
  }

  private static boolean isWithin(byte @Nullable [] value, Limits limits) {
    if (value == null || (value.length != Integer.BYTES && value.length != Long.BYTES)) {
      return false;
    }
    ByteBuffer bytes = ByteBuffer.wrap(value).order(ByteOrder.LITTLE_ENDIAN);
    return limits.has(value.length == Integer.BYTES ? bytes.getInt() : bytes.getLong());
  }

  /**
   * Writes a file of only these columns, c0, c1, ...: BLOB, or integers for those with limits.
   *
   * @param columns none of them nested
   */
  public static void write(ParquetPages pages, String table, List<Column> columns, Path file)
      throws IOException {
    FileMetaData of = Objects.requireNonNull(pages.footer());
    List<SchemaElement> schema = new ArrayList<>();
    SchemaElement root = new SchemaElement("schema");
    root.setNum_children(columns.size());
    schema.add(root);
    List<SchemaElement> leaves = of.getSchema().stream().filter(SchemaElement::isSetType).toList();
    for (int i = 0; i < columns.size(); i++) {
      schema.add(raw(leaves.get(columns.get(i).leaf()), "c" + i));
    }
    List<RowGroup> groups = new ArrayList<>();
    try (FileChannel out =
        FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
      write(out, ByteBuffer.wrap("PAR1".getBytes(StandardCharsets.US_ASCII)));
      for (RowGroup group : of.getRow_groups()) {
        List<ColumnChunk> chunks = new ArrayList<>();
        long bytes = 0;
        for (int i = 0; i < columns.size(); i++) {
          ColumnChunk chunk = group.getColumns().get(columns.get(i).leaf());
          chunks.add(copy(pages, table, chunk, "c" + i, out));
          bytes += chunk.getMeta_data().getTotal_uncompressed_size();
        }
        groups.add(new RowGroup(chunks, bytes, group.getNum_rows()));
      }
      ByteArrayOutputStream footer = new ByteArrayOutputStream();
      Util.writeFileMetaData(
          new FileMetaData(of.getVersion(), schema, of.getNum_rows(), groups), footer);
      write(out, ByteBuffer.wrap(footer.toByteArray()));
      ByteBuffer tail = ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN);
      tail.putInt(footer.size()).put("PAR1".getBytes(StandardCharsets.US_ASCII));
      write(out, tail.flip());
    }
  }

  private static SchemaElement raw(SchemaElement leaf, String name) {
    SchemaElement raw = new SchemaElement(name);
    raw.setRepetition_type(leaf.getRepetition_type());
    raw.setType(leaf.getType() == Type.INT96 ? Type.FIXED_LEN_BYTE_ARRAY : leaf.getType());
    if (raw.getType() == Type.FIXED_LEN_BYTE_ARRAY) {
      raw.setType_length(leaf.getType() == Type.INT96 ? INT96_BYTES : leaf.getType_length());
    }
    return raw;
  }

  private static ColumnChunk copy(
      ParquetPages pages, String table, ColumnChunk chunk, String name, FileChannel out)
      throws IOException {
    ColumnMetaData of = chunk.getMeta_data();
    long from = ParquetPages.start(of);
    long end = pages.walk(table, of, (header, at) -> {});
    long moved = out.position() - from;
    pages.copy(from, end, out);
    ColumnMetaData raw =
        new ColumnMetaData(
            of.getType() == Type.INT96 ? Type.FIXED_LEN_BYTE_ARRAY : of.getType(),
            of.getEncodings(),
            List.of(name),
            of.getCodec(),
            of.getNum_values(),
            of.getTotal_uncompressed_size(),
            end - ParquetPages.start(of),
            of.getData_page_offset() + moved);
    if (ParquetPages.start(of) < of.getData_page_offset()) {
      raw.setDictionary_page_offset(ParquetPages.start(of) + moved);
    }
    ColumnChunk copy = new ColumnChunk(0);
    copy.setMeta_data(raw);
    return copy;
  }

  private static void write(FileChannel out, ByteBuffer bytes) throws IOException {
    while (bytes.hasRemaining()) {
      out.write(bytes);
    }
  }
}
