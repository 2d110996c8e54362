package io.drayage.segment;

import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.ColumnType;
import io.drayage.cargo.ColumnValues;
import io.drayage.cargo.PartContent;
import io.drayage.cargo.RowBits;
import io.drayage.cargo.TableSchema;
import io.drayage.frame.Fault;
import io.drayage.frame.ShipmentException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.IntFunction;

/**
 * Assembles a cargo from its segments, in any order, by any number of threads.
 *
 * <p>The whole object graph is created at once from the checked manifest. The pages of a column are
 * allocated when the first segment touches them. Segments write disjoint rows, so filling needs no
 * lock. The caller must call {@link #cargo} only after the last segment was written, and must
 * ensure that order between threads (the receiver counts segments with an atomic counter).
 */
public final class CargoAssembler extends CargoSink {
  private final List<PartContent> contents;
  private final ChangeCargo cargo;

  /**
   * Creates an empty cargo of this shape.
   *
   * @param manifest checked against the receiver's limits
   * @throws ShipmentException {@code MANIFEST} if its parts make no cargo, with the reason
   */
  public CargoAssembler(Manifest manifest) throws ShipmentException {
    super(manifest);
    this.contents = manifest.parts().stream().map(CargoAssembler::allocate).toList();
    this.cargo =
        build(manifest, manifest.newTables(), manifest.tables(), manifest.parts(), contents::get);
  }

  /** Allocates the memory into which a part of a received cargo is decoded. */
  public static PartContent allocate(Part part) {
    ColumnType type = part.type();
    if (part.kind() == PartKind.DELETED_IDS) {
      return new RowBits(part.tableRows());
    }
    return type == null
        ? new RowBits(part.rowCount())
        : ColumnValues.allocate(type, part.rowCount(), part.nullable());
  }

  /**
   * Builds a cargo of this shape, or of some of its parts.
   *
   * @param newTables of the manifest, or some columns of them
   * @param tables of the manifest, in its order
   * @param parts of these tables, in the manifest's order
   * @param contents the contents of the parts, by the index of the part
   * @throws ShipmentException {@code MANIFEST} if they make no cargo, with the reason
   */
  public static ChangeCargo build(
      Manifest manifest,
      List<TableSchema> newTables,
      List<String> tables,
      List<Part> parts,
      IntFunction<PartContent> contents)
      throws ShipmentException {
    ChangeCargo.Builder builder =
        ChangeCargo.builder(manifest.transactionId(), manifest.baseSnapshot());
    manifest.droppedTables().forEach(builder::dropTable);
    newTables.forEach(builder::newTable);
    newTables.stream()
        .map(TableSchema::name)
        .filter(manifest.mustBeNew()::contains)
        .forEach(builder::mustBeNew);
    try {
      int next = 0;
      for (String table : tables) {
        List<Part> own = new ArrayList<>();
        while (next < parts.size() && parts.get(next).table().equals(table)) {
          own.add(parts.get(next++));
        }
        builder.table(table, changes -> addParts(changes, own, contents));
      }
      return builder.build();
    } catch (IllegalArgumentException e) {
      throw new ShipmentException(Fault.MANIFEST, "the manifest is no cargo: " + e.getMessage(), e);
    }
  }

  private static void addParts(
      ChangeCargo.TableChangesBuilder changes,
      List<Part> parts,
      IntFunction<PartContent> contents) {
    for (int p = 0; p < parts.size(); p++) {
      Part part = parts.get(p);
      PartContent content = contents.apply(part.index());
      switch (part.kind()) {
        case INSERTED_VALUES -> changes.insert(part.column(), (ColumnValues) content);
        case DELETED_ROWS, DELETED_IDS -> changes.delete((RowBits) content);
        case UPDATED_ROWS -> {
          Part values = p + 1 < parts.size() ? parts.get(p + 1) : part;
          if (values.kind() != PartKind.UPDATED_VALUES || !values.column().equals(part.column())) {
            throw new IllegalArgumentException(part + " are not followed by their values");
          }
          changes.update(
              part.column(), (ColumnValues) content, (ColumnValues) contents.apply(values.index()));
        }
        case UPDATED_VALUES -> {
          if (p == 0 || parts.get(p - 1).kind() != PartKind.UPDATED_ROWS) {
            throw new IllegalArgumentException(part + " do not follow their rows");
          }
        }
      }
    }
  }

  @Override
  public void decode(
      Segment segment, ByteBuffer source, SegmentSerializer serializer, SegmentScratch scratch)
      throws ShipmentException {
    fill(content(segment), segment, source, serializer, scratch);
  }

  /** Returns the contents of the part of {@code segment}. */
  public PartContent content(Segment segment) {
    return Objects.requireNonNull(contents.get(segment.part().index()));
  }

  /** Returns the cargo, which is complete when every segment has been filled. */
  public ChangeCargo cargo() {
    return cargo;
  }

  /** Returns the contents of the parts of a cargo to be sent, by the index of the part. */
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
        contents.add(deleted.isShorterAsIds() ? deleted.ids() : deleted);
      }
    }
    return contents;
  }
}
