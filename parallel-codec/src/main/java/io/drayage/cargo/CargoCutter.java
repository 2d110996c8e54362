package io.drayage.cargo;

import static io.drayage.internal.Texts.format;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Consumer;

/**
 * Cuts a cargo into smaller cargoes that together make the same changes, one after the other. Each
 * piece has an id of its own. The pieces share the pages, or make them on demand as the whole does.
 * If a cut goes through a page, both parts of the page are copies, made on demand.
 */
public final class CargoCutter {
  /** The approximate largest size of a piece. */
  public static final long DEFAULT_BYTES = 96 << 20;

  /** A cut moves to the next lower end of a page if the piece loses at most 1/8 of its rows. */
  private static final int PARTS_MOVED = 8;

  private final ChangeCargo cargo;
  private final int wanted;
  private final List<ChangeCargo> pieces = new ArrayList<>();

  /** The changes of each table of the piece that is being filled. */
  private final Map<String, List<Consumer<ChangeCargo.TableChangesBuilder>>> filling =
      new LinkedHashMap<>();

  private long filledBytes;

  /** Bytes that are in no finished piece yet, those of the current piece included. */
  private long leftBytes;

  private CargoCutter(ChangeCargo cargo, int wanted) {
    this.cargo = cargo;
    this.wanted = wanted;
    this.leftBytes = typicalBytes(cargo);
  }

  /**
   * Cuts a cargo into pieces of at most some size.
   *
   * @param pieceBytes the approximate largest size of a piece, in raw bytes
   * @return at least one piece; new ids in any case
   * @throws IllegalArgumentException if {@code pieceBytes} is below 1
   */
  public static List<ChangeCargo> cut(ChangeCargo cargo, long pieceBytes) {
    if (pieceBytes < 1) {
      throw new IllegalArgumentException(format("pieces of %,d bytes", pieceBytes));
    }
    long pieces = (typicalBytes(cargo) - 1) / pieceBytes + 1;
    return new CargoCutter(cargo, (int) Math.min(Integer.MAX_VALUE, Math.max(1, pieces))).cut();
  }

  /**
   * Cuts a cargo into a number of pieces of about equal size; into fewer if the cargo has not
   * enough rows. The deleted rows of a table are not cut. Equal cargoes are cut at the same rows.
   *
   * @return at least one piece; new ids in any case
   * @throws IllegalArgumentException if {@code pieces} is below 1
   */
  public static List<ChangeCargo> cutInto(ChangeCargo cargo, int pieces) {
    if (pieces < 1) {
      throw new IllegalArgumentException(format("%,d pieces", pieces));
    }
    return new CargoCutter(cargo, pieces).cut();
  }

  private List<ChangeCargo> cut() {
    cargo.tables().forEach(this::addTable);
    endPiece();
    if (pieces.isEmpty()) {
      pieces.add(cargo.as(UUID.randomUUID(), cargo.baseSnapshot()));
    }
    return pieces;
  }

  /** The approximate size of a cargo. Makes no page on demand. */
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
      long bytes = CargoSize.rawBytes(deletes);
      if (bytes > roomBytes() && filledBytes > 0) {
        endPiece();
      }
      add(table.table(), bytes, changes -> changes.delete(deletes));
    }
    for (ColumnUpdates update : table.updates()) {
      addRows(
          table.table(),
          List.of(update.rowIds(), update.values()),
          (changes, columns) -> changes.update(update.column(), columns.get(0), columns.get(1)));
    }
    List<InsertedColumn> inserted = table.insertedColumns();
    if (!inserted.isEmpty()) {
      addRows(
          table.table(),
          inserted.stream().map(InsertedColumn::values).toList(),
          (changes, columns) -> {
            for (int i = 0; i < columns.size(); i++) {
              changes.insert(inserted.get(i).column(), columns.get(i));
            }
          });
    }
  }

  /** Adds some rows of columns to a piece. */
  private interface RowsChange {
    void addTo(ChangeCargo.TableChangesBuilder changes, List<ColumnValues> columns);
  }

  private void addRows(String table, List<ColumnValues> columns, RowsChange change) {
    long count = columns.get(0).rowCount();
    long rowBytes = Math.max(1, columns.stream().mapToLong(CargoCutter::rowBytes).sum());
    long first = 0;
    do {
      Rows rows = new Rows(first, rowsThatFit(columns, first, count, rowBytes));
      first += rows.count;
      if (rows.count > 0 || count == 0) {
        add(
            table,
            rows.count * rowBytes,
            changes -> change.addTo(changes, columns.stream().map(rows::of).toList()));
      }
      if (first < count) {
        endPiece(); // A piece can have a change only once: the next piece takes the rest.
      }
    } while (first < count);
  }

  /**
   * Number of rows from {@code first} on that the current piece takes; at least one if it is empty.
   */
  private long rowsThatFit(List<ColumnValues> columns, long first, long count, long rowBytes) {
    if (pieces.size() == wanted - 1) {
      return count - first;
    }
    long fit = Math.min(count - first, roomBytes() / rowBytes);
    if (fit == 0) {
      return filling.isEmpty() ? Math.min(1, count) : 0;
    }
    long end = first + fit;
    long ofPages = end == count ? end : end - end % commonRowsPerPage(columns, end);
    return ofPages > first && end - ofPages <= fit / PARTS_MOVED ? ofPages - first : fit;
  }

  /** Bytes that the current piece can still take, to be as large as the pieces after it. */
  private long roomBytes() {
    int left = wanted - pieces.size();
    return (leftBytes + left - 1) / left - filledBytes;
  }

  private void add(String table, long bytes, Consumer<ChangeCargo.TableChangesBuilder> changes) {
    filling.computeIfAbsent(table, unused -> new ArrayList<>()).add(changes);
    filledBytes += bytes;
  }

  private void endPiece() {
    if (!filling.isEmpty()) {
      ChangeCargo.Builder piece = ChangeCargo.builder(UUID.randomUUID(), cargo.baseSnapshot());
      if (pieces.isEmpty()) {
        cargo.droppedTables().forEach(piece::dropTable);
      }
      cargo.newTables().forEach(piece::newTable); // The piece that is applied first adds them.
      cargo.mustBeNew().forEach(piece::mustBeNew);
      filling.forEach(
          (table, all) -> piece.table(table, changes -> all.forEach(each -> each.accept(changes))));
      pieces.add(piece.build());
      filling.clear();
      leftBytes -= filledBytes;
      filledBytes = 0;
    }
  }

  /** Some rows of columns. */
  private record Rows(long first, long count) {
    ColumnValues of(ColumnValues whole) {
      if (first == 0 && count == whole.rowCount()) {
        return whole;
      }
      RowBits validity = whole.validity();
      return ColumnValues.onDemand(
          whole.type(),
          count,
          whole.rowsPerPage(),
          page -> page(whole, page),
          validity == null ? null : bits(validity));
    }

    private Object page(ColumnValues whole, int page) {
      int rowsPerPage = whole.rowsPerPage();
      long from = first + (long) page * rowsPerPage;
      int offset = whole.offsetOf(from);
      Object begin = whole.page(whole.pageOf(from));
      if (offset == 0) {
        return begin;
      }
      int rows = (int) Math.min(rowsPerPage, first + count - from);
      int ofFirst = Math.min(rows, rowsPerPage - offset);
      Object copy = whole.type().newPage(rows);
      whole.type().copy(begin, offset, copy, 0, ofFirst);
      if (ofFirst < rows) {
        Object next = whole.page(whole.pageOf(from) + 1);
        whole.type().copy(next, 0, copy, ofFirst, rows - ofFirst);
      }
      return copy;
    }

    private RowBits bits(RowBits whole) {
      RowBits bits = new RowBits(count);
      for (long w = 0; w < bits.wordCount(); w++) {
        bits.setWord(w, whole.bits(first + (w << 6)));
      }
      return bits;
    }
  }

  /** The least common multiple of the columns' rows per page, or any number above {@code max}. */
  private static long commonRowsPerPage(List<ColumnValues> columns, long max) {
    long common = 1;
    for (ColumnValues column : columns) {
      if (common <= max) {
        common = common / gcd(common, column.rowsPerPage()) * column.rowsPerPage();
      }
    }
    return common;
  }

  /** The approximate number of bytes of a row of a column. */
  private static long rowBytes(ColumnValues column) {
    ColumnType type = column.type();
    return type.isFixedWidth()
        ? type.widthBytes()
        : CargoSize.TEXT_LENGTH_BYTES + textBytes(column);
  }

  /** The approximate number of bytes of a text. */
  private static long textBytes(ColumnValues texts) {
    return texts.isOnDemand() || texts.rowCount() == 0
        ? texts.typicalTextBytes()
        : CargoSize.textBytes(texts, 0, texts.rowCount()) / texts.rowCount();
  }

  private static long gcd(long one, long other) {
    return other == 0 ? one : gcd(other, one % other);
  }
}
