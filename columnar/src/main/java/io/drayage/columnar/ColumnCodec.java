package io.drayage.columnar;

import static io.drayage.internal.Texts.format;

import io.drayage.cargo.CargoSize;
import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.ColumnType;
import io.drayage.cargo.ColumnValues;
import io.drayage.codec.CargoFrames;
import io.drayage.codec.Compressors;
import io.drayage.frame.Fault;
import io.drayage.frame.ShipmentException;
import io.drayage.memory.ByteBufferInputStream;
import io.drayage.segment.Manifest;
import io.drayage.segment.Part;
import io.drayage.segment.PartKind;
import io.drayage.segment.SegmentSerializer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.lang.reflect.Array;
import java.nio.ByteBuffer;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;

/**
 * One column as bytes, which state its type and its number of rows: the codec without cargo or
 * transport. The bytes are the frames of a cargo of this column alone, in segments of 1 MiB, each
 * with a checksum. With equal options, equal columns have equal bytes, on machines with native code
 * of LZ4. Thread-safe.
 *
 * <p>Some encodings compress by Zstandard, above all encodings of texts. If a machine cannot load
 * the native library of Zstandard, these encodings throw an {@link UnsupportedOperationException}
 * that names the library and the reason.
 */
public final class ColumnCodec {
  private static final String NAME = "column";
  private static final UUID NO_TRANSACTION = new UUID(0, 0);

  private ColumnCodec() {}

  /** An encoded column. */
  public static final class Encoded {
    private final byte[] bytes;
    private final Written written;

    Encoded(byte[] bytes, Written written) {
      this.bytes = bytes;
      this.written = written;
    }

    /** The bytes for {@link #decode}; not copied. */
    public byte[] bytes() {
      return bytes;
    }

    /** Bytes of the values in their plain form, as {@link CargoSize} counts. */
    public long rawBytes() {
      return written.rawBytes();
    }

    /** The chosen encodings, with the number of segments of each. */
    public Map<String, Integer> encodings() {
      return written.encodings();
    }
  }

  /**
   * The result of writing a column.
   *
   * @param bytes number of bytes written
   * @param rawBytes bytes of the values in their plain form, as {@link CargoSize} counts
   * @param encodings the chosen encodings, with the number of segments of each
   */
  public record Written(long bytes, long rawBytes, Map<String, Integer> encodings) {}

  /**
   * The header at the start of an encoded column. It was checked to make sense, but the values were
   * not read.
   *
   * @param type of the column
   * @param rows number of values, nulls included
   * @param nullable whether some may be null
   * @param rawBytes bytes of the values in their plain form and in memory, which {@link #decode}
   *     limits
   */
  public record Header(ColumnType type, long rows, boolean nullable, long rawBytes) {}

  /**
   * Encodes a column.
   *
   * @param values at most about 2 GB when encoded; only read
   * @param options the balance of size and time: {@link ColumnarOptions#of}
   * @throws IllegalArgumentException if a text is longer than {@link
   *     io.drayage.segment.SegmentPlanner#MAX_TEXT_BYTES} bytes, with row and limit
   */
  public static Encoded encode(ColumnValues values, ColumnarOptions options) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    Written written = encode(values, options, bytes);
    return new Encoded(bytes.toByteArray(), written);
  }

  /**
   * Encodes a column into a buffer of any kind, which stays the caller's.
   *
   * @param target written from its position on; the position is moved behind the last byte. If this
   *     throws, the position is unchanged, and the bytes after it mean nothing
   * @throws IllegalArgumentException if the column does not fit, with its bytes and the room; or if
   *     a text is too long
   */
  public static Written encode(ColumnValues values, ColumnarOptions options, ByteBuffer target) {
    BufferStream out = new BufferStream(target.duplicate());
    Written written = encode(values, options, out);
    if (written.bytes() > target.remaining()) {
      throw new IllegalArgumentException(
          format(
              "the column needs %,d bytes, the buffer has room for %,d",
              written.bytes(), target.remaining()));
    }
    target.position(target.position() + (int) written.bytes());
    return written;
  }

  private static Written encode(ColumnValues values, ColumnarOptions options, OutputStream out) {
    ChangeCargo cargo =
        ChangeCargo.builder(NO_TRANSACTION, 0)
            .table(NAME, table -> table.insert(NAME, values))
            .build();
    ColumnarSerializer columnar = new ColumnarSerializer(options);
    ColumnarSegmentSerializer serializer = columnar.newSegmentSerializer();
    // A segment may be written twice, with the same choice.
    Map<Integer, String> chosen = new TreeMap<>();
    serializer.observe((segment, scheme) -> chosen.put(segment.index(), scheme.toString()));
    long bytes;
    try {
      bytes = frames(serializer, columnar).write(cargo, out);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    Map<String, Integer> counts = new TreeMap<>();
    chosen.values().forEach(encoding -> counts.merge(encoding, 1, Integer::sum));
    return new Written(bytes, CargoSize.rawBytes(values), Collections.unmodifiableMap(counts));
  }

  /**
   * Encodes an array.
   *
   * @param array with a type of columns, such as {@code long[]}, {@code String[]}; only read
   * @throws io.drayage.cargo.IllegalTextException if a string has an unpaired surrogate
   * @throws IllegalArgumentException if it is no such array, or if a text is too long
   */
  public static Encoded encode(Object array, ColumnarOptions options) {
    if (array instanceof String[] texts) {
      return encode(
          texts.length == 0 ? ColumnValues.ofTexts() : ColumnValues.ofTexts(texts), options);
    }
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
   * Reads the header of an encoded column, but not its values, so that the caller can choose by
   * type and size before {@link #decode}.
   *
   * @param source from its position on; only read, its position stays
   * @throws ShipmentException if the bytes do not begin with the shape of a column
   */
  public static Header header(ByteBuffer source) throws ShipmentException {
    Manifest manifest;
    try {
      manifest = CargoFrames.manifest(new ByteBufferInputStream(source.duplicate()));
    } catch (ShipmentException e) {
      throw e;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    List<Part> parts = manifest.parts();
    ColumnType type = parts.size() == 1 ? parts.get(0).type() : null;
    if (type == null || parts.get(0).kind() != PartKind.INSERTED_VALUES) {
      throw new ShipmentException(
          Fault.MANIFEST,
          format(
              "a cargo of %,d tables and %,d parts is no column",
              manifest.tables().size(), parts.size()));
    }
    return new Header(type, parts.get(0).rowCount(), parts.get(0).nullable(), manifest.rawBytes());
  }

  /** Reads the header of an encoded column, like {@link #header(ByteBuffer)}. */
  public static Header header(byte[] bytes) throws ShipmentException {
    return header(ByteBuffer.wrap(bytes));
  }

  /**
   * Decodes a column; {@link ColumnValues#toArray(Class)} copies it into one array.
   *
   * @param maxRawBytes maximum raw bytes of the values, because foreign bytes may state any number
   * @throws ShipmentException if the bytes are cut, changed, longer, larger than the limit, or no
   *     column
   */
  public static ColumnValues decode(byte[] bytes, long maxRawBytes) throws ShipmentException {
    return decode(ByteBuffer.wrap(bytes), maxRawBytes);
  }

  /**
   * Decodes a column from a buffer of any kind.
   *
   * @param source exactly the column, from position to limit. Only read, and not used any more when
   *     this returns: the values are copies. The position is then at the limit. If this throws, the
   *     position is unchanged
   */
  public static ColumnValues decode(ByteBuffer source, long maxRawBytes) throws ShipmentException {
    Header unused = header(source); // Checks before decoding whether it is a column.
    ByteBuffer bytes = source.duplicate();
    ColumnarSerializer columnar = new ColumnarSerializer(ColumnarOptions.DEFAULT);
    ChangeCargo cargo;
    try {
      cargo =
          frames(columnar.newSegmentSerializer(), columnar)
              .read(new ByteBufferInputStream(bytes), maxRawBytes);
    } catch (ShipmentException e) {
      throw e;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    if (bytes.hasRemaining()) {
      throw new ShipmentException(
          Fault.BAD_FRAME, format("%,d bytes follow the end of the column", bytes.remaining()));
    }
    source.position(source.limit());
    return cargo.tables().get(0).insertedColumns().get(0).values();
  }

  private static CargoFrames frames(SegmentSerializer segments, ColumnarSerializer columnar) {
    return new CargoFrames(segments, columnar.id(), Compressors.ofName("none"));
  }

  /** Writes until the buffer is full, and then only counts, so that the length becomes known. */
  private static final class BufferStream extends OutputStream {
    private final ByteBuffer target;
    private boolean full;

    BufferStream(ByteBuffer target) {
      this.target = target;
    }

    @Override
    public void write(int value) {
      write(new byte[] {(byte) value}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) {
      full |= length > target.remaining();
      if (!full) {
        target.put(bytes, offset, length);
      }
    }
  }
}
