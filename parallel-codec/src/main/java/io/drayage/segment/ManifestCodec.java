package io.drayage.segment;

import static io.drayage.internal.Texts.format;

import io.drayage.cargo.CargoSize;
import io.drayage.cargo.ColumnType;
import io.drayage.cargo.ColumnValues;
import io.drayage.cargo.Names;
import io.drayage.frame.Fault;
import io.drayage.frame.FrameHeader;
import io.drayage.frame.FrameType;
import io.drayage.frame.ShipmentException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/**
 * The payload of a {@link FrameType#MANIFEST} frame, little-endian:
 *
 * <pre>
 *   cargo   | transaction id 2 x i64 | base snapshot i64 | table count i32 | table ... | new tables
 *   table   | name | part count i32 | part ...
 *   part    | kind u8 | type u8 | flags u8 | name | row count i64 | raw bytes i64 | of ids | segment runs
 *   name    | bytes u16 | UTF-8
 *   of ids  | rows of the table i64           only of ids of deleted rows
 * </pre>
 *
 * Type is 0 for bits of deleted rows; bit 0 of flags is 1 if there are validity bits, the other
 * bits are 0. {@link NewTables} describes the dropped and new tables.
 */
public final class ManifestCodec {
  private static final int NULLABLE_FLAG = 1;

  private ManifestCodec() {}

  /** Number of bytes of the frame of {@code manifest}. */
  static int frameBytes(Manifest manifest) {
    return FrameHeader.BYTES + encodedBytes(manifest, manifest.rowsOfSegmentsByPart());
  }

  /**
   * Writes {@code manifest} into a complete frame on the heap.
   *
   * @throws IllegalArgumentException if the frame would be larger than a frame may be
   */
  public static ByteBuffer toFrame(Manifest manifest, long shipmentId) {
    List<int[]> rowsByPart = manifest.rowsOfSegmentsByPart();
    int bytes = FrameHeader.BYTES + encodedBytes(manifest, rowsByPart);
    if (bytes - FrameHeader.BYTES > FrameType.MANIFEST.maxPayloadBytes()) {
      throw new IllegalArgumentException(
          format(
              "a manifest of %,d bytes exceeds the limit of %,d",
              bytes - FrameHeader.BYTES, FrameType.MANIFEST.maxPayloadBytes()));
    }
    ByteBuffer frame = ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
    frame.position(FrameHeader.BYTES);
    frame.putLong(manifest.transactionId().getMostSignificantBits());
    frame.putLong(manifest.transactionId().getLeastSignificantBits());
    frame.putLong(manifest.baseSnapshot());
    frame.putInt(manifest.tables().size());
    int next = 0;
    for (String table : manifest.tables()) {
      int end = endOfTable(manifest.parts(), next, table);
      putName(frame, table);
      frame.putInt(end - next);
      for (; next < end; next++) {
        putPart(frame, manifest.parts().get(next), rowsByPart.get(next));
      }
    }
    NewTables.of(manifest).write(frame);
    FrameHeader.write(frame, FrameType.MANIFEST, shipmentId);
    return frame;
  }

  private static int endOfTable(List<Part> parts, int start, String table) {
    int end = start;
    while (end < parts.size() && parts.get(end).table().equals(table)) {
      end++;
    }
    return end;
  }

  private static int encodedBytes(Manifest manifest, List<int[]> rowsByPart) {
    long bytes = 3 * Long.BYTES + Integer.BYTES + NewTables.of(manifest).encodedBytes();
    for (String table : manifest.tables()) {
      bytes += nameBytes(table) + Integer.BYTES;
    }
    for (Part part : manifest.parts()) {
      bytes += 3 + nameBytes(part.column()) + 2 * Long.BYTES;
      bytes += part.kind() == PartKind.DELETED_IDS ? Long.BYTES : 0;
      bytes += SegmentRuns.encodedBytes(rowsByPart.get(part.index()));
    }
    return Math.toIntExact(bytes);
  }

  static int nameBytes(String name) {
    return Short.BYTES + Names.utf8Bytes(name);
  }

  static void putName(ByteBuffer frame, String name) {
    byte[] utf8 = name.getBytes(StandardCharsets.UTF_8);
    frame.putShort((short) utf8.length).put(utf8);
  }

  private static void putPart(ByteBuffer frame, Part part, int[] rowsOfSegments) {
    ColumnType type = part.type();
    frame.put((byte) part.kind().id());
    frame.put((byte) (type == null ? 0 : type.id()));
    frame.put((byte) (part.nullable() ? NULLABLE_FLAG : 0));
    putName(frame, part.column());
    frame.putLong(part.rowCount()).putLong(part.rawBytes());
    if (part.kind() == PartKind.DELETED_IDS) {
      frame.putLong(part.tableRows());
    }
    SegmentRuns.write(rowsOfSegments, frame);
  }

  /**
   * Reads a verified payload and checks it. Afterwards every number in the manifest is within its
   * limit and agrees with the others, and it is safe to allocate from these numbers.
   *
   * @param maxRawBytes maximum bytes of a cargo that the receiver accepts
   * @throws ShipmentException {@code LIMIT} or {@code MANIFEST}, with the part and the numbers
   */
  public static Manifest ofPayload(ByteBuffer payload, long maxRawBytes) throws ShipmentException {
    try {
      return new Reader(payload, maxRawBytes).manifest();
    } catch (BufferUnderflowException e) {
      throw new ShipmentException(
          Fault.MANIFEST,
          format("the manifest ends in the middle, after %,d bytes", payload.limit()),
          e);
    }
  }

  static ColumnType type(int id) throws ShipmentException {
    try {
      return ColumnType.ofId(id);
    } catch (IllegalArgumentException e) {
      throw new ShipmentException(Fault.MANIFEST, String.valueOf(e.getMessage()), e);
    }
  }

  private static String name(ByteBuffer in) {
    byte[] utf8 = new byte[Math.min(in.getShort() & 0xFFFF, in.remaining() + 1)];
    in.get(utf8);
    return new String(utf8, StandardCharsets.UTF_8);
  }

  /** Reads the next name, and checks it before it is part of a message. */
  static String checkedName(String kind, ByteBuffer in) throws ShipmentException {
    String name = name(in);
    try {
      Names.check(kind, name);
      return name;
    } catch (IllegalArgumentException e) {
      throw new ShipmentException(Fault.MANIFEST, String.valueOf(e.getMessage()), e);
    }
  }

  static int count(String what, int count, int limit) throws ShipmentException {
    if (count < 0 || count > limit) {
      throw new ShipmentException(
          Fault.LIMIT, format("%,d %s are outside 0 to %,d", count, what, limit));
    }
    return count;
  }

  private static final class Reader {
    private final ByteBuffer in;
    private final long maxRawBytes;
    private final List<String> tables = new ArrayList<>();
    private final List<Part> parts = new ArrayList<>();
    private final List<Segment> segments = new ArrayList<>();

    /** Raw bytes, and the memory of bits for deleted rows that arrive as ids. */
    private long memoryBytes;

    Reader(ByteBuffer in, long maxRawBytes) {
      this.in = in;
      this.maxRawBytes = maxRawBytes;
    }

    Manifest manifest() throws ShipmentException {
      UUID transactionId = new UUID(in.getLong(), in.getLong());
      long baseSnapshot = in.getLong();
      int tableCount = count("tables", in.getInt(), Manifest.MAX_TABLES);
      for (int t = 0; t < tableCount; t++) {
        readTable();
      }
      NewTables newTables = NewTables.read(in);
      if (in.hasRemaining()) {
        throw new ShipmentException(
            Fault.MANIFEST, format("%,d bytes follow the manifest", in.remaining()));
      }
      return new Manifest(
          transactionId,
          baseSnapshot,
          newTables.dropped(),
          newTables.tables(),
          newTables.mustBeNew(),
          tables,
          parts,
          segments);
    }

    private void readTable() throws ShipmentException {
      String table = checkedName("table", in);
      tables.add(table);
      int partCount = count("parts", in.getInt(), Manifest.MAX_PARTS - parts.size());
      for (int p = 0; p < partCount; p++) {
        readPart(table);
      }
    }

    private void readPart(String table) throws ShipmentException {
      PartKind kind = kind(in.get() & 0xFF);
      int typeId = in.get() & 0xFF;
      int flags = in.get() & 0xFF;
      Part part =
          new Part(
              parts.size(),
              table,
              kind,
              kind.isDeletes() ? none(name(in)) : checkedName("column", in),
              kind == PartKind.DELETED_ROWS ? null : type(typeId),
              (flags & NULLABLE_FLAG) != 0,
              in.getLong(),
              in.getLong(),
              kind == PartKind.DELETED_IDS ? in.getLong() : 0);
      if ((flags & ~NULLABLE_FLAG) != 0 || (part.type() == null && typeId != 0)) {
        throw contradiction(part, format("unknown flags 0x%02x or type %d", flags, typeId));
      }
      if (kind == PartKind.DELETED_IDS) {
        checkIds(part);
      }
      checkRows(part);
      int[] rowsOfSegments = SegmentRuns.read(in, maxSegments(part));
      checkSegments(part, rowsOfSegments);
      parts.add(part);
      Manifest.addSegments(part, rowsOfSegments, segments);
    }

    private static void checkIds(Part part) throws ShipmentException {
      if (part.type() != ColumnType.LONG || part.nullable()) {
        throw contradiction(part, "their ids are no longs, or may be null");
      }
      requireRows(part, part.tableRows());
      if (part.rowCount() > part.tableRows()) {
        throw contradiction(
            part, format("%,d ids for %,d rows", part.rowCount(), part.tableRows()));
      }
    }

    private static void requireRows(Part part, long rows) throws ShipmentException {
      if (rows < 0 || rows > ColumnValues.MAX_ROWS) {
        throw new ShipmentException(
            Fault.LIMIT,
            format("%s: %,d rows are outside 0 to %,d", part, rows, ColumnValues.MAX_ROWS));
      }
    }

    private void checkRows(Part part) throws ShipmentException {
      requireRows(part, part.rowCount());
      long atLeast = minRawBytes(part);
      boolean exact = part.type() != ColumnType.STRING;
      if (part.rawBytes() < atLeast || (exact && part.rawBytes() != atLeast)) {
        throw contradiction(
            part,
            format(
                "%,d raw bytes for %,d rows, which need %s%,d",
                part.rawBytes(), part.rowCount(), exact ? "" : "at least ", atLeast));
      }
      long bytes = part.memoryBytes();
      memoryBytes = Math.addExact(memoryBytes, Math.min(bytes, Long.MAX_VALUE / 2 - memoryBytes));
      if (memoryBytes > maxRawBytes) {
        throw new ShipmentException(
            Fault.LIMIT,
            format(
                "a cargo of %,d bytes or more exceeds the limit of %,d", memoryBytes, maxRawBytes));
      }
    }

    /** Twice the finest division, because segments cost memory, which raw bytes must justify. */
    private int maxSegments(Part part) {
      long finest = 1 + part.rawBytes() / (SegmentPlanner.MIN_SEGMENT_BYTES / 2);
      return (int) Math.min(finest, Manifest.MAX_SEGMENTS - segments.size());
    }

    private static long minRawBytes(Part part) {
      long words = (part.rowCount() + 63) >>> 6;
      ColumnType type = part.type();
      if (type == null) {
        return words * Long.BYTES;
      }
      int least = type.isFixedWidth() ? type.widthBytes() : CargoSize.TEXT_LENGTH_BYTES;
      return part.rowCount() * least + (part.nullable() ? words * Long.BYTES : 0);
    }

    private void checkSegments(Part part, int[] rowsOfSegments) throws ShipmentException {
      long rows = 0;
      for (int i = 0; i < rowsOfSegments.length; i++) {
        boolean last = i == rowsOfSegments.length - 1;
        if (rowsOfSegments[i] > maxRows(part)) {
          throw new ShipmentException(
              Fault.LIMIT,
              format(
                  "%s: a segment of %,d rows exceeds the limit of %,d",
                  part, rowsOfSegments[i], maxRows(part)));
        }
        if (!last && part.type() != ColumnType.STRING && rowsOfSegments[i] % Long.SIZE != 0) {
          throw contradiction(
              part, format("a segment of %,d rows, not a multiple of 64", rowsOfSegments[i]));
        }
        rows += rowsOfSegments[i];
      }
      if (rows != part.rowCount()) {
        throw contradiction(
            part, format("%,d rows in segments, %,d in the part", rows, part.rowCount()));
      }
    }

    private static int maxRows(Part part) {
      ColumnType type = part.type();
      if (type == null) {
        return Segment.MAX_RAW_BYTES * Byte.SIZE;
      }
      return Segment.MAX_RAW_BYTES
          / (type.isFixedWidth() ? type.widthBytes() : CargoSize.TEXT_LENGTH_BYTES);
    }

    private static PartKind kind(int id) throws ShipmentException {
      PartKind kind = PartKind.ofId(id);
      if (kind == null) {
        throw new ShipmentException(Fault.MANIFEST, format("part kind %d is unknown", id));
      }
      return kind;
    }

    private static String none(String name) throws ShipmentException {
      if (!name.isEmpty()) {
        throw new ShipmentException(
            Fault.MANIFEST, "deleted rows have the name '%s'".formatted(Names.printable(name)));
      }
      return name;
    }

    private static ShipmentException contradiction(Part part, String what) {
      return new ShipmentException(Fault.MANIFEST, part + ": " + what);
    }
  }
}
