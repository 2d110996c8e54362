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
 * A cargo that is being put together from its segments, in any order, by any number of threads.
 *
 * <p>The whole object graph is made from the checked manifest at once; the pages of its columns are
 * allocated when the first segment touches them. Segments write disjoint rows, so filling needs no
 * lock. {@link #cargo} must happen after the last segment was written, and the caller must see to
 * that order (the receiver counts segments with an atomic counter).
 */
public final class CargoAssembler extends CargoSink {
  private final List<PartContent> contents;
  private final ChangeCargo cargo;

  /**
   * An empty cargo of this shape.
   *
   * @param manifest checked against the receiver's limits
   * @throws ShipmentException {@code MANIFEST} if its parts make no cargo, saying why
   */
  public CargoAssembler(Manifest manifest) throws ShipmentException {
    super(manifest);
    this.contents = manifest.parts().stream().map(CargoAssembler::allocate).toList();
    this.cargo =
        build(manifest, manifest.newTables(), manifest.tables(), manifest.parts(), contents::get);
  }

  /** What the part of a cargo that is received is decoded into. */
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
   * A cargo of this shape, or of a part of it.
   *
   * @param newTables of the manifest, or columns of them
   * @param tables of the manifest, in its order
   * @param parts of these tables, in its order
   * @param contents what they hold, by their index
   * @throws ShipmentException {@code MANIFEST} if they make no cargo, saying why
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

  /** What the part of {@code segment} is filled into. */
  public PartContent content(Segment segment) {
    return Objects.requireNonNull(contents.get(segment.part().index()));
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
        contents.add(deleted.isShorterAsIds() ? deleted.ids() : deleted);
      }
    }
    return contents;
  }
}
