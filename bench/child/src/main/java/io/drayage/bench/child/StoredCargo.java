package io.drayage.bench.child;

import static io.drayage.internal.Texts.format;

import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.ColumnUpdates;
import io.drayage.cargo.ColumnValues;
import io.drayage.cargo.InsertedColumn;
import io.drayage.cargo.RowBits;
import io.drayage.cargo.TableChanges;
import io.drayage.codec.CargoFile;
import java.io.IOException;
import java.lang.reflect.Array;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A cargo that the rig has written to a file, so that the process that ships it has not run code
 * that makes cargoes.
 *
 * @param file its name; null if it could not be written
 * @param whyNone the reason why it could not be written, in a line; null if it was
 * @param maxBytes the most raw bytes of the cargo
 * @param heapBytes approximate bytes of the cargo on the heap
 * @param wholePages whether it was made page by page: the last page of each column had spare room,
 *     and columns shared no row ids. If not, columns that change in the same rows shared them
 */
public record StoredCargo(
    @Nullable String file,
    @Nullable String whyNone,
    long maxBytes,
    long heapBytes,
    boolean wholePages) {
  /**
   * Reads the cargo as it was before it was written: on snapshot 0, with the spare room and the
   * shared arrays and names. Serializers of object graphs write these.
   *
   * @throws IOException if there is none, or if it does not fit into the heap
   */
  public ChangeCargo read() throws IOException {
    if (file == null) {
      throw new IOException(whyNone);
    }
    long maxHeapBytes = Runtime.getRuntime().maxMemory();
    if (heapBytes > maxHeapBytes) {
      throw new IOException(
          format("the cargo needs about %,d bytes, the heap has %,d", heapBytes, maxHeapBytes));
    }
    ChangeCargo read = CargoFile.read(Path.of(file), maxBytes);
    ColumnCopy column = wholePages ? StoredCargo::paddedPages : StoredCargo::itself;
    return copy(read, read.transactionId(), column, !wholePages);
  }

  /**
   * Makes a cargo of the first rows of each column and all deletes, as another transaction.
   *
   * @param rawBytes approximate raw bytes of the part; a cargo that is not larger is shared
   * @param ofBytes raw bytes of {@code cargo}
   */
  public static ChangeCargo part(ChangeCargo cargo, long rawBytes, long ofBytes) {
    if (rawBytes >= ofBytes) {
      return again(cargo);
    }
    double fraction = (double) rawBytes / ofBytes;
    return copy(cargo, UUID.randomUUID(), values -> firstRows(values, fraction), true);
  }

  /** Makes another transaction with the same changes, which shares the arrays. */
  public static ChangeCargo again(ChangeCargo cargo) {
    return cargo.as(UUID.randomUUID(), 0);
  }

  /** Makes the column of the copy. */
  private interface ColumnCopy {
    ColumnValues of(ColumnValues values);
  }

  private static ColumnValues itself(ColumnValues values) {
    return values;
  }

  /**
   * @param sharing whether equal row ids of a table become one shared column
   */
  private static ChangeCargo copy(
      ChangeCargo cargo, UUID transactionId, ColumnCopy column, boolean sharing) {
    ChangeCargo.Builder copied = ChangeCargo.builder(transactionId, 0);
    for (TableChanges table : cargo.tables()) {
      copied.table(table.table().intern(), changes -> addTo(changes, table, column, sharing));
    }
    return copied.build();
  }

  private static void addTo(
      ChangeCargo.TableChangesBuilder copy,
      TableChanges table,
      ColumnCopy column,
      boolean sharing) {
    for (InsertedColumn inserted : table.insertedColumns()) {
      copy.insert(inserted.column().intern(), column.of(inserted.values()));
    }
    List<ColumnValues> known = new ArrayList<>();
    List<ColumnValues> copies = new ArrayList<>();
    for (ColumnUpdates update : table.updates()) {
      int same = 0;
      while (same < known.size() && !(sharing && hasSameRows(known.get(same), update.rowIds()))) {
        same++;
      }
      if (same == known.size()) {
        known.add(update.rowIds());
        copies.add(column.of(update.rowIds()));
      }
      copy.update(update.column().intern(), copies.get(same), column.of(update.values()));
    }
    RowBits deleted = table.deletedRows();
    if (deleted != null) {
      copy.delete(deleted);
    }
  }

  private static boolean hasSameRows(ColumnValues one, ColumnValues other) {
    if (one == other) {
      return true;
    }
    boolean same = one.rowCount() == other.rowCount() && one.rowsPerPage() == other.rowsPerPage();
    for (int page = 0; same && page < one.pageCount(); page++) {
      int rows = one.rowsInPage(page);
      same = Arrays.equals((long[]) one.page(page), 0, rows, (long[]) other.page(page), 0, rows);
    }
    return same;
  }

  private static ColumnValues paddedPages(ColumnValues values) {
    int last = values.pageCount() - 1;
    if (last < 0) {
      return values;
    }
    Object[] pages = pages(values, last + 1);
    pages[last] = rows(values, last, values.rowsInPage(last), pageRows(values));
    return ColumnValues.of(pages, values.rowCount(), values.validity());
  }

  /** Returns the rows of a full page. A single page that is not full has fewer. */
  private static int pageRows(ColumnValues values) {
    return Math.max(values.rowsPerPage(), ColumnValues.DEFAULT_ROWS_PER_PAGE);
  }

  private static ColumnValues firstRows(ColumnValues values, double fraction) {
    long rows = Math.min(values.rowCount(), Math.max(1, (long) (values.rowCount() * fraction)));
    if (rows == values.rowCount()) {
      return values;
    }
    int last = values.pageOf(rows - 1);
    int rowsInLast = (int) (rows - (long) last * values.rowsPerPage());
    Object[] pages = pages(values, last + 1);
    pages[last] = rows(values, last, rowsInLast, rowsInLast);
    return ColumnValues.of(pages, firstBits(values.validity(), rows));
  }

  private static Object[] pages(ColumnValues values, int count) {
    Object[] pages = (Object[]) Array.newInstance(values.type().pageClass(), count);
    for (int page = 0; page < count; page++) {
      pages[page] = values.page(page);
    }
    return pages;
  }

  private static Object rows(ColumnValues values, int page, int rows, int length) {
    Object copy = values.type().newPage(length);
    values.type().copy(values.page(page), 0, copy, 0, rows);
    return copy;
  }

  private static @Nullable RowBits firstBits(@Nullable RowBits bits, long count) {
    if (bits == null) {
      return null;
    }
    RowBits first = new RowBits(count);
    for (long row = 0; row < count; row++) {
      if (bits.get(row)) {
        first.set(row);
      }
    }
    return first;
  }
}
