package io.drayage.columnar;

import io.drayage.cargo.CargoSize;
import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.ColumnValues;
import io.drayage.cargo.InsertedColumn;
import io.drayage.cargo.PartContent;
import io.drayage.cargo.TableChanges;
import io.drayage.codec.CargoFrames;
import io.drayage.codec.Compressors;
import io.drayage.frame.Fault;
import io.drayage.frame.ShipmentException;
import io.drayage.segment.Segment;
import io.drayage.segment.SegmentSerializer;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Array;
import java.nio.ByteBuffer;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;

/**
 * One column as bytes that say of what type it is and how many rows it has: for who wants the codec
 * without cargo or transport. The bytes are the frames of a cargo of this column alone, in segments
 * of 1 MiB, each with a checksum; equal columns have equal bytes with equal options, on machines
 * that LZ4 has native code for. Thread-safe.
 */
public final class ColumnCodec {
  private static final String NAME = "column";
  private static final UUID NO_TRANSACTION = new UUID(0, 0);

  private ColumnCodec() {}

  /** An encoded column. */
  public static final class Encoded {
    private final byte[] bytes;
    private final long rawBytes;
    private final Map<String, Integer> encodings;

    Encoded(byte[] bytes, long rawBytes, Map<String, Integer> encodings) {
      this.bytes = bytes;
      this.rawBytes = rawBytes;
      this.encodings = encodings;
    }

    /** What {@link #decode} takes; not copied. */
    public byte[] bytes() {
      return bytes;
    }

    /** What the values take in their plain form, as {@link CargoSize} counts. */
    public long rawBytes() {
      return rawBytes;
    }

    /** Which encodings were chosen, with the number of segments of each. */
    public Map<String, Integer> encodings() {
      return encodings;
    }
  }

  /**
   * Encodes a column.
   *
   * @param values at most about 2 GB when encoded
   * @param options what is worth more, size or time: {@link ColumnarOptions#of}
   * @throws IllegalArgumentException if a text is too long for a segment, naming row and limit
   */
  public static Encoded encode(ColumnValues values, ColumnarOptions options) {
    ChangeCargo cargo =
        ChangeCargo.builder(NO_TRANSACTION, 0)
            .table(NAME, table -> table.insert(NAME, values))
            .build();
    ColumnarSerializer columnar = new ColumnarSerializer(options);
    Observed serializer = new Observed((ColumnarSegmentSerializer) columnar.newSegmentSerializer());
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try {
      frames(serializer, columnar).write(cargo, bytes);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return new Encoded(
        bytes.toByteArray(), CargoSize.rawBytes(values), serializer.countedEncodings());
  }

  /**
   * Encodes an array.
   *
   * @param array of a type of columns: {@code long[]}, {@code String[]}
   * @throws IllegalArgumentException if it is none, or as the other
   */
  public static Encoded encode(Object array, ColumnarOptions options) {
    if (!array.getClass().isArray()) {
      throw new IllegalArgumentException("%s is no array".formatted(array.getClass().getName()));
    }
    int pages = Array.getLength(array) == 0 ? 0 : 1;
    Object[] page = (Object[]) Array.newInstance(array.getClass(), pages);
    if (pages == 1) {
      page[0] = array;
    }
    return encode(ColumnValues.of(page), options);
  }

  /**
   * Decodes a column; {@link ColumnValues#toArray} makes one array of it.
   *
   * @param maxRawBytes how large it may be: bytes from elsewhere may state any size
   * @throws ShipmentException if the bytes are cut, changed, longer, larger than that, or no column
   */
  public static ColumnValues decode(byte[] bytes, long maxRawBytes) throws ShipmentException {
    ColumnarSerializer columnar = new ColumnarSerializer(ColumnarOptions.DEFAULT);
    ByteArrayInputStream in = new ByteArrayInputStream(bytes);
    ChangeCargo cargo;
    try {
      cargo = frames(columnar.newSegmentSerializer(), columnar).read(in, maxRawBytes);
    } catch (ShipmentException e) {
      throw e;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    if (in.available() > 0) {
      throw new ShipmentException(
          Fault.BAD_FRAME,
          String.format(Locale.ROOT, "%,d bytes follow the end of the column", in.available()));
    }
    List<TableChanges> tables = cargo.tables();
    List<InsertedColumn> columns = tables.size() == 1 ? tables.get(0).insertedColumns() : List.of();
    if (columns.size() != 1
        || !tables.get(0).updates().isEmpty()
        || tables.get(0).deletedRows() != null) {
      throw new ShipmentException(
          Fault.MANIFEST,
          String.format(
              Locale.ROOT,
              "a cargo of %,d tables and %,d columns is no column",
              tables.size(),
              columns.size()));
    }
    return columns.get(0).values();
  }

  private static CargoFrames frames(SegmentSerializer segments, ColumnarSerializer columnar) {
    return new CargoFrames(segments, columnar.id(), Compressors.ofName("none"));
  }

  /** Remembers what was chosen; a segment may be written twice, with the same choice. */
  private static final class Observed implements SegmentSerializer {
    private final ColumnarSegmentSerializer columnar;
    private final Map<Integer, String> chosen = new TreeMap<>();

    Observed(ColumnarSegmentSerializer columnar) {
      this.columnar = columnar;
    }

    Map<String, Integer> countedEncodings() {
      Map<String, Integer> counts = new TreeMap<>();
      chosen.values().forEach(encoding -> counts.merge(encoding, 1, Integer::sum));
      return Collections.unmodifiableMap(counts);
    }

    @Override
    public int maxSerializedBytes(Segment segment, PartContent content) {
      return columnar.maxSerializedBytes(segment, content);
    }

    @Override
    public void serialize(Segment segment, PartContent content, ByteBuffer target) {
      columnar.serialize(segment, content, target);
      chosen.put(segment.index(), columnar.lastEncoding());
    }

    @Override
    public void deserialize(Segment segment, ByteBuffer source, PartContent content)
        throws ShipmentException {
      columnar.deserialize(segment, source, content);
    }

    @Override
    public void close() {
      columnar.close();
    }
  }
}
