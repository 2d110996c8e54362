package io.drayage.bench.peers.arrow;

import io.drayage.bench.peers.arrow.PutHeader.PutKind;
import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.ColumnType;
import io.drayage.cargo.ColumnUpdates;
import io.drayage.cargo.ColumnValues;
import io.drayage.cargo.RowBits;
import io.drayage.cargo.TableChanges;
import java.util.ArrayList;
import java.util.List;

/**
 * Rows of a cargo as columns of one length, for record batches of one schema.
 *
 * @param table the number of their table
 * @param bits the size of the bit set, if the rows are words of deleted rows
 */
record CargoPart(int table, PutKind kind, List<Column> columns, long bits) {
  static final String ROW_IDS = "row";
  private static final String WORDS = "deleted";

  /** One column. */
  record Column(String name, ColumnValues values) {}

  CargoPart {
    columns = List.copyOf(columns);
  }

  long rows() {
    return columns.get(0).values().rowCount();
  }

  static List<CargoPart> of(ChangeCargo cargo) {
    List<CargoPart> parts = new ArrayList<>();
    for (int t = 0; t < cargo.tables().size(); t++) {
      addParts(cargo.tables().get(t), t, parts);
    }
    return parts;
  }

  private static void addParts(TableChanges changes, int table, List<CargoPart> parts) {
    if (!changes.insertedColumns().isEmpty()) {
      List<Column> columns =
          changes.insertedColumns().stream()
              .map(inserted -> new Column(inserted.column(), inserted.values()))
              .toList();
      parts.add(new CargoPart(table, PutKind.INSERTED, columns, 0));
    }
    for (ColumnUpdates update : changes.updates()) {
      List<Column> columns =
          List.of(
              new Column(ROW_IDS, update.rowIds()), new Column(update.column(), update.values()));
      parts.add(new CargoPart(table, PutKind.UPDATED, columns, 0));
    }
    RowBits deleted = changes.deletedRows();
    if (deleted != null) {
      parts.add(
          new CargoPart(
              table, PutKind.DELETED, List.of(new Column(WORDS, words(deleted))), deleted.size()));
    }
  }

  private static ColumnValues words(RowBits bits) {
    ColumnValues words = ColumnValues.allocate(ColumnType.LONG, bits.wordCount(), false);
    for (int page = 0; page < words.pageCount(); page++) {
      long[] to = (long[]) words.pageForWrite(page);
      for (int i = 0; i < to.length; i++) {
        to[i] = bits.word((long) page * words.rowsPerPage() + i);
      }
    }
    return words;
  }
}
