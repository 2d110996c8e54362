package io.drayage.segment;

import static io.drayage.internal.Texts.format;

import io.drayage.cargo.CargoSize;
import io.drayage.cargo.ColumnType;
import io.drayage.cargo.ColumnValues;
import io.drayage.cargo.PartContent;
import io.drayage.cargo.RowBits;
import io.drayage.frame.Fault;
import io.drayage.frame.ShipmentException;
import java.nio.ByteBuffer;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * The target into which the segments of one cargo are decoded, in any order, by any number of
 * threads. It is not visible outside before the cargo is complete and its seal was compared.
 */
public abstract class CargoSink {
  private final Manifest manifest;
  private final SegmentClaims claims;

  /** The raw bytes of texts that may still arrive, for each part. */
  private final AtomicLongArray remainingTextBytes;

  /** Creates a sink for a cargo of this shape, which was checked against the receiver's limits. */
  protected CargoSink(Manifest manifest) {
    this.manifest = manifest;
    this.claims = new SegmentClaims(manifest);
    this.remainingTextBytes =
        new AtomicLongArray(manifest.parts().stream().mapToLong(Part::valueBytes).toArray());
  }

  /** The shape of the cargo. */
  public Manifest manifest() {
    return manifest;
  }

  /**
   * Returns segment {@code first} and the {@code further} ones that follow it. Only the caller may
   * {@link #decode} them.
   *
   * @throws ShipmentException {@code PROTOCOL_VIOLATION} if the cargo has no such segments, {@code
   *     SEGMENT_REPEATED} if one of them was claimed before
   */
  public List<Segment> claim(int first, long further) throws ShipmentException {
    return claims.claim(first, further);
  }

  /** Whether {@link #decode} uses a segment. The bytes of other segments are not needed. */
  public boolean wants(Segment segment) {
    return true;
  }

  /**
   * Decodes one claimed segment.
   *
   * @param source exactly its serialized bytes
   * @param scratch belongs to the calling thread
   * @throws ShipmentException if the bytes are no such segment, or more than the manifest states
   */
  public abstract void decode(
      Segment segment, ByteBuffer source, SegmentSerializer serializer, SegmentScratch scratch)
      throws ShipmentException;

  /**
   * Decodes a segment into memory that {@link CargoAssembler#allocate} created for its part.
   *
   * @throws ShipmentException see {@link #decode}
   */
  protected final void fill(
      PartContent content,
      Segment segment,
      ByteBuffer source,
      SegmentSerializer serializer,
      SegmentScratch scratch)
      throws ShipmentException {
    if (segment.part().kind() == PartKind.DELETED_IDS) {
      RowBits bits = (RowBits) content;
      forEachId(
          segment,
          scratch.decode(segment, source, serializer),
          id -> {
            if (!bits.setShared(id)) {
              throw badId(segment, id, "stands twice");
            }
          });
    } else {
      serializer.deserialize(segment, source, content);
      countTexts(segment, content, segment.firstRow());
    }
  }

  /** The use of the ids of deleted rows. */
  @FunctionalInterface
  protected interface IdUse {
    /** Uses one id. Called in the order of the segment. */
    void accept(long id) throws ShipmentException;
  }

  /**
   * Passes the ids of a segment of {@link PartKind#DELETED_IDS} to {@code use}.
   *
   * @param ids of the segment, from row 0 on
   * @throws ShipmentException {@code DECODE} if they do not ascend, or if the table had no such row
   */
  protected static void forEachId(Segment segment, PartContent ids, IdUse use)
      throws ShipmentException {
    ColumnValues values = (ColumnValues) ids;
    long last = -1;
    for (int row = 0; row < segment.rowCount(); row++) {
      long id = ((long[]) values.page(values.pageOf(row)))[values.offsetOf(row)];
      if (id <= last || id >= segment.part().tableRows()) {
        throw badId(
            segment,
            id,
            id <= last
                ? format("follows %,d", last)
                : format("is outside the table's %,d rows", segment.part().tableRows()));
      }
      use.accept(id);
      last = id;
    }
  }

  private static ShipmentException badId(Segment segment, long id, String what) {
    return new ShipmentException(Fault.DECODE, format("%s: row id %,d %s", segment, id, what));
  }

  /**
   * Counts a decoded segment if it is of texts. The memory for texts was acquired according to the
   * manifest, which must not have stated too little.
   *
   * @param content holds the segment's rows from {@code firstRow} on
   * @throws ShipmentException {@code LIMIT} if its part has more text than the manifest states
   */
  protected final void countTexts(Segment segment, PartContent content, long firstRow)
      throws ShipmentException {
    Part part = segment.part();
    if (part.type() != ColumnType.STRING) {
      return;
    }
    long bytes =
        (long) segment.rowCount() * CargoSize.TEXT_LENGTH_BYTES
            + CargoSize.textBytes((ColumnValues) content, firstRow, segment.rowCount());
    if (remainingTextBytes.addAndGet(part.index(), -bytes) < 0) {
      throw new ShipmentException(
          Fault.LIMIT,
          format(
              "%s brings more text than the %,d raw bytes of its part", segment, part.rawBytes()));
    }
  }

  /** Whether every segment has been claimed. */
  public boolean isComplete() {
    return claims.isComplete();
  }

  /** The numbers of the segments that have been claimed. */
  public BitSet claimed() {
    return claims.toBitSet();
  }

  /** The first segment that has not been claimed. Only if not {@link #isComplete complete}. */
  public Segment firstMissing() {
    return manifest.segments().get(claimed().nextClearBit(0));
  }
}
