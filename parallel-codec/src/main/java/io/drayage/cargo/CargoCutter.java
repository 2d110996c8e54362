package io.drayage.cargo;

import static io.drayage.internal.Texts.format;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Consumer;

/**
 * Cuts a cargo into smaller ones that do the same together, one after the other, each with an id of
 * its own. They share the pages, or make them on demand as the whole does.
 */
public final class CargoCutter {
  /** What a piece has at most, as far as rows can be cut there. */
  public static final long DEFAULT_BYTES = 96 << 20;

  /** Columns whose pages do not suit each other within so many rows are not cut. */
  private static final long MAX_STEP_ROWS = 1 << 22;

  private final ChangeCargo cargo;
  private final long pieceBytes;
  private final List<ChangeCargo> pieces = new ArrayList<>();

  /** The tables of the piece that is being filled, and about how large it is. */
  private final Map<String, Consumer<ChangeCargo.TableChangesBuilder>> filling =
      new LinkedHashMap<>();

  private long filledBytes;

  private CargoCutter(ChangeCargo cargo, long pieceBytes) {
    this.cargo = cargo;
    this.pieceBytes = pieceBytes;
  }

  /**
   * Cuts.
   *
   * @param pieceBytes about how many raw bytes a piece has at most
   * @return at least one piece; new ids in any case
   * @throws IllegalArgumentException if {@code pieceBytes} is below 1
   */
  public static List<ChangeCargo> cut(ChangeCargo cargo, long pieceBytes) {
    if (pieceBytes < 1) {
      throw new IllegalArgumentException(format("pieces of %,d bytes", pieceBytes));
    }
    CargoCutter cutter = new CargoCutter(cargo, pieceBytes);
    cargo.tables().forEach(cutter::addTable);
    cutter.endPiece();
    if (cutter.pieces.isEmpty()) {
      cutter.pieces.add(cargo.as(UUID.randomUUID(), cargo.baseSnapshot()));
    }
    return cutter.pieces;
  }

  /**
   * Cuts into about as many pieces as are wanted: into more where a table has more changes than one
   * piece may have, into fewer where its pages have more rows than a piece.
   *
   * @return at least one piece; new ids in any case. Equal cargoes are cut at the same rows
   * @throws IllegalArgumentException if {@code pieces} is below 1
   */
  public static List<ChangeCargo> cutInto(ChangeCargo cargo, int pieces) {
    if (pieces < 1) {
      throw new IllegalArgumentException(format("%,d pieces", pieces));
    }
    return cut(cargo, Math.max(1, (typicalBytes(cargo) + pieces - 1) / pieces));
  }

  /** About how large a cargo is, without making what is made on demand. */
  public static long typicalBytes(ChangeCargo cargo) {
    long bytes = 0;
    for (TableChanges table : cargo.tables()) {
      RowBits deletes = table.deletedRows();
      bytes += deletes == null ? 0 : CargoSize.rawBytes(deletes);
      for (ColumnUpdates update : table.updates()) {
        bytes +=
            update.rowIds().rowCount() * (rowBytes(update.rowIds()) + rowBytes(update.values()));
      }
      for (InsertedColumn inserted : table.insertedColumns()) {
        bytes += inserted.values().rowCount() * rowBytes(inserted.values());
      }
    }
    return bytes;
  }

  private void addTable(TableChanges table) {
    RowBits deletes = table.deletedRows();
    if (deletes != null) {
      add(table.table(), CargoSize.rawBytes(deletes), changes -> changes.delete(deletes));
    }
    for (ColumnUpdates update : table.updates()) {
      List<ColumnValues> columns = List.of(update.rowIds(), update.values());
      for (Rows rows : cut(columns, update.rowIds().rowCount())) {
        add(
            table.table(),
            rows.bytes,
            changes ->
                changes.update(
                    update.column(), rows.of(update.rowIds()), rows.of(update.values())));
      }
    }
    List<InsertedColumn> inserted = table.insertedColumns();
    List<ColumnValues> columns = inserted.stream().map(InsertedColumn::values).toList();
    for (Rows rows : cut(columns, table.insertedRowCount())) {
      add(
          table.table(),
          rows.bytes,
          changes ->
              inserted.forEach(each -> changes.insert(each.column(), rows.of(each.values()))));
    }
  }

  /** A piece has one change of each table. */
  private void add(String table, long bytes, Consumer<ChangeCargo.TableChangesBuilder> changes) {
    if (filling.containsKey(table) || (filledBytes > 0 && filledBytes + bytes > pieceBytes)) {
      endPiece();
    }
    filling.put(table, changes);
    filledBytes += bytes;
  }

  private void endPiece() {
    if (!filling.isEmpty()) {
      ChangeCargo.Builder piece = ChangeCargo.builder(UUID.randomUUID(), cargo.baseSnapshot());
      cargo.newTables().forEach(piece::newTable); // Whichever comes first adds them.
      filling.forEach(piece::table);
      pieces.add(piece.build());
      filling.clear();
      filledBytes = 0;
    }
  }

  /** Some rows of columns, from a page on. */
  private record Rows(long first, long count, long bytes) {
    ColumnValues of(ColumnValues whole) {
      if (first == 0 && count == whole.rowCount()) {
        return whole;
      }
      int firstPage = (int) (first / whole.rowsPerPage());
      RowBits validity = whole.validity();
      return ColumnValues.onDemand(
          whole.type(),
          count,
          whole.rowsPerPage(),
          page -> whole.page(firstPage + page),
          validity == null ? null : bits(validity));
    }

    private RowBits bits(RowBits whole) {
      RowBits bits = new RowBits(count);
      for (long w = 0; w < bits.wordCount(); w++) {
        long left = count - (w << 6);
        long word = whole.bits(first + (w << 6));
        bits.setWord(w, left < Long.SIZE ? word & ((1L << left) - 1) : word);
      }
      return bits;
    }
  }

  private List<Rows> cut(List<ColumnValues> columns, long rowCount) {
    if (columns.isEmpty()) {
      return List.of();
    }
    long step = Long.SIZE; // Validity bits are cut at whole words.
    long rowBytes = 0;
    for (ColumnValues column : columns) {
      step =
          Math.min(
              MAX_STEP_ROWS + 1, step / gcd(step, column.rowsPerPage()) * column.rowsPerPage());
      rowBytes += rowBytes(column);
    }
    long bytes = Math.max(1, rowBytes);
    long count = step > MAX_STEP_ROWS ? rowCount : Math.max(1, pieceBytes / bytes / step) * step;
    List<Rows> cut = new ArrayList<>();
    for (long first = 0; first < Math.max(1, rowCount); first += Math.max(1, count)) {
      long rows = Math.min(count, rowCount - first);
      cut.add(new Rows(first, rows, rows * bytes));
    }
    return cut;
  }

  /** About how many bytes a row of a column takes. */
  private static long rowBytes(ColumnValues column) {
    ColumnType type = column.type();
    return type.isFixedWidth()
        ? type.widthBytes()
        : CargoSize.TEXT_LENGTH_BYTES + textBytes(column);
  }

  /** About how many bytes a text takes. */
  private static long textBytes(ColumnValues texts) {
    return texts.isOnDemand() || texts.rowCount() == 0
        ? texts.typicalTextBytes()
        : CargoSize.textBytes(texts, 0, texts.rowCount()) / texts.rowCount();
  }

  private static long gcd(long one, long other) {
    return other == 0 ? one : gcd(other, one % other);
  }
}
