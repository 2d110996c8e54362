package io.drayage.bench.columns;

import io.drayage.cargo.CargoDigest;
import io.drayage.cargo.CargoSize;
import io.drayage.cargo.ColumnType;
import io.drayage.cargo.ColumnValues;
import io.drayage.cargo.PartContent;
import io.drayage.cargo.RowBits;
import io.drayage.codec.raw.RawSerializer;
import io.drayage.frame.ShipmentException;
import io.drayage.segment.CargoSink;
import io.drayage.segment.Manifest;
import io.drayage.segment.Part;
import io.drayage.segment.Segment;
import io.drayage.segment.SegmentScratch;
import io.drayage.segment.SegmentSerializer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/**
 * The measured segments of one column of a cargo: all, or as many as stay below a limit, evenly
 * spread.
 *
 * @param name of the column
 * @param part these segments as a part of their own
 * @param content its values
 * @param segments of the part, in sequence, numbered from 0
 * @param rawBytes of these segments; a text counts as its UTF-8 and a byte at its end
 * @param columnBytes of the whole column; for a sample of texts, estimated in proportion
 * @param target memory for decoded segments of numbers that all codecs share
 */
public record ColumnSample(
    String name,
    Part part,
    PartContent content,
    List<Segment> segments,
    long rawBytes,
    long columnBytes,
    PartContent target) {
  /**
   * Takes a sample into memory.
   *
   * @param all the segments of {@code part}, at least one
   * @param maxBytes the approximate limit of raw bytes
   */
  static ColumnSample of(
      String name, Part part, PartContent content, List<Segment> all, long maxBytes)
      throws ShipmentException {
    List<Segment> chosen = spread(part, all, maxBytes);
    boolean isWhole = chosen.size() == all.size();
    boolean inMemory = !(content instanceof ColumnValues values && values.isOnDemand());
    long rows = chosen.stream().mapToLong(Segment::rowCount).sum();
    Part own =
        new Part(
            0,
            part.table(),
            part.kind(),
            part.column(),
            part.type(),
            part.nullable(),
            rows,
            Math.round((double) part.rawBytes() * rows / part.rowCount()));
    List<Segment> segments = consecutive(own, chosen);
    PartContent sampled =
        isWhole && inMemory ? content : copy(chosen, content, segments, emptyTarget(own));
    if (!isText(part)) {
      long rawBytes =
          sampled instanceof ColumnValues values
              ? values.fixedBytes()
              : ((RowBits) sampled).wordCount() * Long.BYTES;
      return new ColumnSample(
          name, own, sampled, segments, rawBytes, part.rawBytes(), emptyTarget(own));
    }
    long bytes = lineBytes((ColumnValues) sampled);
    long columnBytes =
        isWhole
            ? bytes
            : Math.round(
                (double) bytes * part.rawBytes() / CargoSize.rawBytes((ColumnValues) sampled));
    return new ColumnSample(name, own, sampled, segments, bytes, columnBytes, emptyTarget(own));
  }

  private static List<Segment> spread(Part part, List<Segment> all, long maxBytes) {
    int most = all.size();
    if (part.rawBytes() > maxBytes) {
      most = (int) Math.max(1, all.size() * maxBytes / part.rawBytes());
    }
    List<Segment> chosen = new ArrayList<>();
    for (int i = 0; i < most; i++) {
      chosen.add(all.get((int) ((long) i * all.size() / most)));
    }
    return chosen;
  }

  private static List<Segment> consecutive(Part part, List<Segment> segments) {
    List<Segment> consecutive = new ArrayList<>();
    long row = 0;
    for (Segment segment : segments) {
      consecutive.add(new Segment(consecutive.size(), part, row, segment.rowCount()));
      row += segment.rowCount();
    }
    return List.copyOf(consecutive);
  }

  /** Reads the segments in their order, which suits columns that are made on demand. */
  private static PartContent copy(
      List<Segment> from, PartContent content, List<Segment> to, PartContent target)
      throws ShipmentException {
    SegmentSerializer raw = new RawSerializer().newSegmentSerializer();
    for (int i = 0; i < from.size(); i++) {
      Segment segment = from.get(i);
      PartContent source =
          content instanceof ColumnValues values && values.isOnDemand()
              ? values.pinned(segment.firstRow(), segment.rowCount())
              : content;
      ByteBuffer bytes =
          ByteBuffer.allocate(raw.maxSerializedBytes(segment, source))
              .order(ByteOrder.LITTLE_ENDIAN);
      raw.serialize(segment, source, bytes);
      raw.deserialize(to.get(i), bytes.flip(), target);
    }
    return target;
  }

  /** Bytes of texts in UTF-8, each with a byte at its end. */
  private static long lineBytes(ColumnValues texts) {
    long bytes = texts.rowCount();
    for (int page = 0; page < texts.pageCount(); page++) {
      bytes += texts.texts(page).byteCount(0, texts.rowsInPage(page));
    }
    return bytes;
  }

  static boolean isText(Part part) {
    return part.type() == ColumnType.STRING;
  }

  /** Whether it has only segments spread over the column. */
  boolean isPartial() {
    return rawBytes < columnBytes;
  }

  /**
   * Returns the same segments of a new part, so that a serializer has to examine the column again
   * each time.
   */
  List<Segment> unknownSegments() {
    Part unknown =
        new Part(
            part.index(),
            part.table(),
            part.kind(),
            part.column(),
            part.type(),
            part.nullable(),
            part.rowCount(),
            part.rawBytes());
    return segments.stream()
        .map(s -> new Segment(s.index(), unknown, s.firstRow(), s.rowCount()))
        .toList();
  }

  /** Returns memory for one pass: texts can be put into their rows only once. */
  PartContent targetOfPass() {
    return isText(part) ? emptyTarget() : target;
  }

  /** Returns memory for decoded segments as a receiver allocates it: page by page, at first use. */
  PartContent emptyTarget() {
    return emptyTarget(part);
  }

  private static PartContent emptyTarget(Part part) {
    ColumnType type = part.type();
    return type == null
        ? new RowBits(part.rowCount())
        : ColumnValues.allocate(type, part.rowCount(), part.nullable());
  }

  /**
   * Compares decoded values with the encoded ones.
   *
   * @throws IllegalStateException if they differ, naming the codec and the column
   */
  public void verify(PartContent decoded, String codec) {
    if (digest(content) != digest(decoded)) {
      throw new IllegalStateException("%s decodes %s to other values".formatted(codec, name));
    }
  }

  private static long digest(PartContent content) {
    return content instanceof ColumnValues values
        ? CargoDigest.ofRows(values, 0, values.rowCount(), 0)
        : CargoDigest.ofBits((RowBits) content, 0);
  }

  /** Receives the segments of one column. */
  static final class Sink extends CargoSink {
    private final PartContent target;

    /**
     * Creates a sink for one round of segments.
     *
     * @param segments by their number
     * @param target memory for the decoded values
     */
    Sink(Part part, List<Segment> segments, PartContent target) {
      super(
          new Manifest(
              new UUID(0, 0),
              0,
              List.of(),
              List.of(),
              Set.of(),
              List.of(part.table()),
              List.of(part),
              segments));
      this.target = target;
    }

    @Override
    public void decode(
        Segment segment, ByteBuffer source, SegmentSerializer serializer, SegmentScratch scratch)
        throws ShipmentException {
      serializer.deserialize(segment, source, target);
    }
  }
}
