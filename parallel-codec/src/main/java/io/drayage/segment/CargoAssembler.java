package io.drayage.segment;

import io.drayage.cargo.CargoSize;
import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.ColumnType;
import io.drayage.cargo.ColumnValues;
import io.drayage.cargo.PartContent;
import io.drayage.cargo.RowBits;
import io.drayage.frame.Fault;
import io.drayage.frame.ShipmentException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * A cargo that is being put together from its segments, in any order, by any number of threads.
 *
 * <p>The whole object graph is made from the checked manifest at once; the pages of its columns are
 * allocated when the first segment touches them. Segments write disjoint rows, so filling needs no
 * lock. {@link #cargo} must happen after the last segment was written, and the caller must see to
 * that order (the receiver counts segments with an atomic counter).
 */
public final class CargoAssembler {
  private final Manifest manifest;
  private final List<PartContent> contents;
  private final ChangeCargo cargo;
  private final SegmentClaims claims;

  /** For each part, the raw bytes of texts that may still come. */
  private final AtomicLongArray remainingTextBytes;

  /**
   * An empty cargo of this shape.
   *
   * @param manifest checked against the receiver's limits
   * @throws ShipmentException {@code MANIFEST} if its parts make no cargo, saying why
   */
  public CargoAssembler(Manifest manifest) throws ShipmentException {
    this.manifest = manifest;
    this.contents = manifest.parts().stream().map(CargoAssembler::allocate).toList();
    this.cargo = build(manifest, contents);
    this.remainingTextBytes =
        new AtomicLongArray(manifest.parts().stream().mapToLong(Part::rawBytes).toArray());
    this.claims = new SegmentClaims(manifest);
  }

  private static PartContent allocate(Part part) {
    ColumnType type = part.type();
    return type == null
        ? new RowBits(part.rowCount())
        : ColumnValues.allocate(type, part.rowCount(), part.nullable());
  }

  private static ChangeCargo build(Manifest manifest, List<PartContent> contents)
      throws ShipmentException {
    ChangeCargo.Builder builder =
        ChangeCargo.builder(manifest.transactionId(), manifest.baseSnapshot());
    try {
      int next = 0;
      for (String table : manifest.tables()) {
        List<Part> parts = new ArrayList<>();
        while (next < manifest.parts().size() && manifest.parts().get(next).table().equals(table)) {
          parts.add(manifest.parts().get(next++));
        }
        builder.table(table, changes -> addParts(changes, parts, contents));
      }
      return builder.build();
    } catch (IllegalArgumentException e) {
      throw new ShipmentException(Fault.MANIFEST, "the manifest is no cargo: " + e.getMessage(), e);
    }
  }

  private static void addParts(
      ChangeCargo.TableBuilder changes, List<Part> parts, List<PartContent> contents) {
    for (int p = 0; p < parts.size(); p++) {
      Part part = parts.get(p);
      PartContent content = contents.get(part.index());
      switch (part.kind()) {
        case INSERTED_VALUES -> changes.insert(part.column(), (ColumnValues) content);
        case DELETED_ROWS -> changes.delete((RowBits) content);
        case UPDATED_ROWS -> {
          Part values = p + 1 < parts.size() ? parts.get(p + 1) : part;
          if (values.kind() != PartKind.UPDATED_VALUES || !values.column().equals(part.column())) {
            throw new IllegalArgumentException(part + " are not followed by their values");
          }
          changes.update(
              part.column(), (ColumnValues) content, (ColumnValues) contents.get(values.index()));
        }
        case UPDATED_VALUES -> {
          if (p == 0 || parts.get(p - 1).kind() != PartKind.UPDATED_ROWS) {
            throw new IllegalArgumentException(part + " do not follow their rows");
          }
        }
      }
    }
  }

  /** How many segments the cargo has. */
  public int segmentCount() {
    return manifest.segments().size();
  }

  /**
   * Segment {@code first} and the {@code further} ones that follow it, for the one caller that may
   * fill them.
   *
   * @throws ShipmentException {@code FOREIGN} if the cargo has no such segments, {@code
   *     SEGMENT_REPEATED} if one of them was claimed before
   */
  public List<Segment> claim(int first, long further) throws ShipmentException {
    return claims.claim(first, further);
  }

  /** Whether every segment has been claimed. */
  public boolean isComplete() {
    return claims.isComplete();
  }

  /** The numbers of the segments that have been claimed. */
  public BitSet claimed() {
    return claims.toBitSet();
  }

  /** The first segment that has not been claimed; only if not {@link #isComplete}. */
  public Segment firstMissing() {
    return manifest.segments().get(claimed().nextClearBit(0));
  }

  /** What the part of {@code segment} is filled into. */
  public PartContent content(Segment segment) {
    return Objects.requireNonNull(contents.get(segment.part().index()));
  }

  /**
   * Counts the texts of a segment that was filled: the memory for them was granted by what the
   * manifest states, which must not be a lie. A character counts as one byte, so that no honest
   * cargo is refused.
   *
   * @throws ShipmentException {@code LIMIT} if a part has more text than the manifest states
   */
  void countTexts(Segment segment) throws ShipmentException {
    Part part = segment.part();
    if (part.type() != ColumnType.STRING) {
      return;
    }
    long bytes = textBytes((ColumnValues) content(segment), segment);
    if (remainingTextBytes.addAndGet(part.index(), -bytes) < 0) {
      throw new ShipmentException(
          Fault.LIMIT,
          "%s brings more text than the %,d raw bytes of its part"
              .formatted(segment, part.rawBytes()));
    }
  }

  private static long textBytes(ColumnValues texts, Segment segment) {
    long bytes = (long) segment.rowCount() * CargoSize.TEXT_LENGTH_BYTES;
    for (long row = segment.firstRow(); row < segment.firstRow() + segment.rowCount(); row++) {
      String text = ((String[]) texts.page(texts.pageOf(row)))[texts.offsetOf(row)];
      bytes += text == null ? 0 : text.length();
    }
    return bytes;
  }

  /** The cargo, complete once every segment has been filled. */
  public ChangeCargo cargo() {
    return cargo;
  }

  /** What the parts of a cargo that is to be sent hold, by the index of the part. */
  public static List<PartContent> contentsOf(ChangeCargo cargo) {
    List<PartContent> contents = new ArrayList<>();
    for (var table : cargo.tables()) {
      table.insertedColumns().forEach(inserted -> contents.add(inserted.values()));
      table
          .updates()
          .forEach(
              update -> {
                contents.add(update.rowIds());
                contents.add(update.values());
              });
      RowBits deleted = table.deletedRows();
      if (deleted != null) {
        contents.add(deleted);
      }
    }
    return contents;
  }
}
