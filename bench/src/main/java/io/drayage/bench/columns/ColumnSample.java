package io.drayage.bench.columns;

import io.drayage.cargo.CargoDigest;
import io.drayage.cargo.CargoSize;
import io.drayage.cargo.ColumnType;
import io.drayage.cargo.ColumnValues;
import io.drayage.cargo.PartContent;
import io.drayage.cargo.RowBits;
import io.drayage.frame.ShipmentException;
import io.drayage.segment.CargoSink;
import io.drayage.segment.Manifest;
import io.drayage.segment.Part;
import io.drayage.segment.Segment;
import io.drayage.segment.SegmentScratch;
import io.drayage.segment.SegmentSerializer;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The segments of one part of a cargo that are measured: all, or so many, evenly spread, that they
 * stay below a limit.
 *
 * @param part the whole
 * @param content what the whole holds
 * @param segments those that are measured, numbered from 0
 * @param rawBytes of these segments
 */
record ColumnSample(Part part, PartContent content, List<Segment> segments, long rawBytes) {
  /** Texts cost more memory and time than their bytes say. */
  static final int TEXT_SHARE = 4;

  /**
   * A sample.
   *
   * @param all the segments of {@code part}, at least one
   * @param maxBytes about as many raw bytes at most, of texts a {@value #TEXT_SHARE}th
   */
  static ColumnSample of(Part part, PartContent content, List<Segment> all, long maxBytes) {
    long limit = isText(part) ? maxBytes / TEXT_SHARE : maxBytes;
    int most = all.size();
    if (part.rawBytes() > limit) {
      most = (int) Math.max(1, all.size() * limit / part.rawBytes());
    }
    List<Segment> chosen = new ArrayList<>();
    long bytes = 0;
    for (int i = 0; i < most; i++) {
      Segment segment = all.get((int) ((long) i * all.size() / most));
      chosen.add(new Segment(i, part, segment.firstRow(), segment.rowCount()));
      bytes += rawBytes(segment, content);
    }
    return new ColumnSample(part, content, List.copyOf(chosen), bytes);
  }

  static boolean isText(Part part) {
    return part.type() == ColumnType.STRING;
  }

  private static long rawBytes(Segment segment, PartContent content) {
    long words = ((long) segment.rowCount() + Long.SIZE - 1) / Long.SIZE;
    if (!(content instanceof ColumnValues values)) {
      return words * Long.BYTES;
    }
    if (values.type().isFixedWidth()) {
      long validityBytes = values.validity() == null ? 0 : words * Long.BYTES;
      return (long) segment.rowCount() * values.type().widthBytes() + validityBytes;
    }
    long bytes = 0;
    for (int i = 0; i < segment.rowCount(); i++) {
      bytes += CargoSize.rawBytes(text(values, segment.firstRow() + i));
    }
    return bytes;
  }

  private static @Nullable String text(ColumnValues values, long row) {
    return ((@Nullable String[]) values.page(values.pageOf(row)))[values.offsetOf(row)];
  }

  /**
   * The same segments of a part that no serializer has seen, so that what it learns of a column
   * counts each time.
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

  /** A cargo's contents of which only this part's is asked for, by its number. */
  List<PartContent> contentsWith(PartContent ofPart) {
    return Collections.nCopies(part.index() + 1, ofPart);
  }

  /**
   * The content as a worker has it that has just read it: each text a separate object, whose hash
   * code has not been computed yet.
   */
  PartContent unknownContent() {
    if (!isText(part)) {
      return content;
    }
    ColumnValues texts = (ColumnValues) content;
    ColumnValues copies = (ColumnValues) emptyTarget();
    for (Segment segment : segments) {
      for (int i = 0; i < segment.rowCount(); i++) {
        long row = segment.firstRow() + i;
        String text = text(texts, row);
        @Nullable String[] page = (@Nullable String[]) copies.pageForWrite(copies.pageOf(row));
        page[copies.offsetOf(row)] = text == null ? null : new String(text.toCharArray());
      }
    }
    return copies;
  }

  /** Memory for the decoded segments, as a receiver allocates it: page by page, when written to. */
  PartContent emptyTarget() {
    ColumnType type = part.type();
    return type == null
        ? new RowBits(part.rowCount())
        : ColumnValues.allocate(type, part.rowCount(), part.nullable());
  }

  /**
   * Compares what was decoded with what was encoded.
   *
   * @throws IllegalStateException if it is something else, naming the codec and the segment
   */
  void verify(PartContent decoded, String codec) {
    for (Segment segment : segments) {
      if (digest(segment, content) != digest(segment, decoded)) {
        throw new IllegalStateException(
            "%s decodes %s to something else".formatted(codec, segment));
      }
    }
  }

  private static long digest(Segment segment, PartContent content) {
    if (content instanceof ColumnValues values) {
      return CargoDigest.ofRows(values, segment.firstRow(), segment.rowCount(), 0);
    }
    RowBits bits = (RowBits) content;
    RowBits piece = new RowBits(segment.rowCount());
    for (long word = 0; word < piece.wordCount(); word++) {
      piece.setWord(word, bits.word((segment.firstRow() >>> 6) + word));
    }
    return CargoDigest.ofBits(piece, 0);
  }

  /** Receives the segments of one column. */
  static final class Sink extends CargoSink {
    private final PartContent target;

    /**
     * A sink for one round of segments.
     *
     * @param segments by their number
     * @param target what they are decoded into
     */
    Sink(Part part, List<Segment> segments, PartContent target) {
      super(new Manifest(new UUID(0, 0), 0, List.of(part.table()), List.of(part), segments));
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
