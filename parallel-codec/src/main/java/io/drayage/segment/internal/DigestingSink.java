package io.drayage.segment.internal;

import io.drayage.cargo.CargoDigest;
import io.drayage.cargo.ColumnValues;
import io.drayage.cargo.PartContent;
import io.drayage.cargo.RowBits;
import io.drayage.frame.Fault;
import io.drayage.frame.ShipmentException;
import io.drayage.segment.CargoAssembler;
import io.drayage.segment.CargoSink;
import io.drayage.segment.Manifest;
import io.drayage.segment.Part;
import io.drayage.segment.PartKind;
import io.drayage.segment.Segment;
import io.drayage.segment.SegmentScratch;
import io.drayage.segment.SegmentSerializer;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Decodes each segment into scratch memory of its thread, adds it to the digest of its part, and
 * drops it. So the memory of this sink does not grow with the cargo, except for the manifest.
 */
public final class DigestingSink extends CargoSink {
  /** The digest of the rows so far, for each part. */
  private final AtomicLongArray digests;

  /**
   * Creates a sink for one cargo.
   *
   * @param manifest checked against the receiver's limits
   * @throws ShipmentException {@code MANIFEST} if its parts make no cargo, with the reason
   */
  public DigestingSink(Manifest manifest) throws ShipmentException {
    super(manifest);
    this.digests = new AtomicLongArray(manifest.parts().size());
    requireCargo(manifest);
  }

  /** Does the checks of an assembler for a cargo, without its contents. */
  private static void requireCargo(Manifest manifest) throws ShipmentException {
    for (Part part : manifest.parts()) {
      if (part.kind() == PartKind.UPDATED_ROWS && part.nullable()) {
        throw new ShipmentException(Fault.MANIFEST, part + " may not be null");
      }
    }
    CargoAssembler.build(
        manifest,
        manifest.newTables(),
        manifest.tables(),
        manifest.parts(),
        part -> shape(manifest.parts().get(part)));
  }

  private static PartContent shape(Part part) {
    return part.column().isEmpty()
        ? new RowBits(0)
        : ColumnValues.onDemand(
            part.type(),
            part.rowCount(),
            ColumnValues.DEFAULT_ROWS_PER_PAGE,
            page -> {
              throw new IllegalStateException("only the shape of a column");
            });
  }

  @Override
  public void decode(
      Segment segment, ByteBuffer source, SegmentSerializer serializer, SegmentScratch scratch)
      throws ShipmentException {
    Part part = segment.part();
    int rows = segment.rowCount();
    PartContent content = scratch.decode(segment, source, serializer);
    countTexts(segment, content, 0);
    if (part.kind() == PartKind.DELETED_IDS) {
      long[] sum = new long[1];
      forEachId(segment, content, id -> sum[0] += CargoDigest.ofSetRow(id));
      digests.addAndGet(part.index(), sum[0]);
      return;
    }
    digests.addAndGet(
        part.index(),
        content instanceof RowBits bits
            ? CargoDigest.ofBits(bits, segment.firstRow() / Long.SIZE)
            : CargoDigest.ofRows((ColumnValues) content, 0, rows, segment.firstRow()));
  }

  /** Returns the {@link CargoDigest} of the cargo, after every segment has been decoded. */
  public long digest() {
    CargoDigest.Combiner digest =
        new CargoDigest.Combiner(manifest().transactionId(), manifest().baseSnapshot());
    manifest().droppedTables().forEach(digest::droppedTable);
    manifest().newTables().forEach(digest::newTable);
    for (String table : manifest().tables()) {
      digest.table(table);
      List<Part> parts =
          manifest().parts().stream().filter(part -> part.table().equals(table)).toList();
      addParts(parts, PartKind.INSERTED_VALUES, digest);
      addParts(parts, PartKind.UPDATED_ROWS, digest);
      addParts(parts, PartKind.DELETED_ROWS, digest);
      addParts(parts, PartKind.DELETED_IDS, digest);
    }
    return digest.digest();
  }

  private void addParts(List<Part> parts, PartKind kind, CargoDigest.Combiner digest) {
    for (int p = 0; p < parts.size(); p++) {
      Part part = parts.get(p);
      if (part.kind() == kind) {
        switch (kind) {
          case INSERTED_VALUES -> {
            digest.inserted(part.column());
            addValues(part, digest);
          }
          case UPDATED_ROWS -> {
            digest.updated(part.column());
            addValues(part, digest);
            addValues(parts.get(p + 1), digest);
          }
          case DELETED_IDS -> digest.deleted(part.tableRows(), digests.get(part.index()));
          default -> digest.deleted(part.rowCount(), digests.get(part.index()));
        }
      }
    }
  }

  private void addValues(Part part, CargoDigest.Combiner digest) {
    digest.values(Objects.requireNonNull(part.type()), part.rowCount(), digests.get(part.index()));
  }
}
