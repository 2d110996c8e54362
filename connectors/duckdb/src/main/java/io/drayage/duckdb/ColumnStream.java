package io.drayage.duckdb;

import io.drayage.arrow.ArrowColumns;
import io.drayage.arrow.VectorPage;
import io.drayage.cargo.CargoDigest;
import io.drayage.cargo.ColumnType;
import io.drayage.cargo.ColumnValues;
import io.drayage.cargo.IllegalTextException;
import io.drayage.cargo.PageSource;
import io.drayage.cargo.RowBits;
import io.drayage.duckdb.sql.Relation;
import io.drayage.duckdb.sql.Sql;
import io.drayage.internal.Counted;
import io.drayage.tables.TableException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinTask;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.duckdb.DuckDBResultSet;
import org.jspecify.annotations.Nullable;

/**
 * A column that is read from a query, page after page. The next page is read ahead. A request for
 * an earlier page runs the query again.
 */
final class ColumnStream implements PageSource, AutoCloseable {
  private static final int PAGE_ROWS = ColumnValues.DEFAULT_ROWS_PER_PAGE;

  private final Sql sql;
  private final BufferAllocator memory;
  private final Executor ahead;
  private final Relation table;
  private final Relation.Column column;
  private final String where;
  private final String query;
  private final long rows;
  private final ColumnValues values;
  private final int typicalTextBytes;
  private final ReadColumns progress;
  private final SourceFiles files;

  /** The open query. Only the thread that reads ahead uses it. */
  private volatile @Nullable Cursor cursor;

  // Guarded by this:
  private int current = -1;
  private @Nullable Object held;
  private @Nullable CompletableFuture<Object> next;

  /** The digest of the pages before {@link #firstNotDigested}, except that of the last task. */
  private long digest;

  private @Nullable ForkJoinTask<Long> lastDigest;

  private int firstNotDigested;

  /**
   * @param table has the column, for messages
   * @param from the text after FROM
   * @param rows number of rows
   * @param nullable whether values may be null
   * @param typicalTextBytes estimated bytes of a text; 0 if unknown
   * @param ahead reads ahead, on one thread
   * @param progress is notified of each page that is read for the first time
   * @param files must be as they were when the last page has been read
   */
  ColumnStream(
      Sql sql,
      BufferAllocator memory,
      Executor ahead,
      Relation table,
      Relation.Column column,
      String from,
      long rows,
      boolean nullable,
      int typicalTextBytes,
      ReadColumns progress,
      SourceFiles files)
      throws IOException {
    this.sql = sql;
    this.memory = memory;
    this.ahead = ahead;
    this.table = table;
    this.column = column;
    this.where = table.describe(column);
    this.query = query(column.projection(), from);
    this.rows = rows;
    this.typicalTextBytes = typicalTextBytes;
    this.progress = progress;
    this.files = files;
    // The query returns only whether a value is null, and not the value.
    RowBits validity =
        nullable
            ? validity(query("nullif(%s IS NULL, true)".formatted(column.projection()), from))
            : null;
    this.values = ColumnValues.onDemand(column.type().type(), rows, PAGE_ROWS, this, validity);
  }

  private static String query(String projection, String from) {
    return "SELECT %s FROM %s".formatted(projection, from);
  }

  ColumnValues values() {
    return values;
  }

  /** Returns the digest of all rows, after they were read from first to last. */
  synchronized long digest() {
    if (lastDigest != null) {
      digest += lastDigest.join();
      lastDigest = null;
    }
    return digest;
  }

  /** Finds the nulls in a pass of its own, because a column declares them before it is read. */
  private RowBits validity(String nulls) throws IOException {
    RowBits bits = RowBits.allSet(rows);
    try (Cursor reading = new Cursor(nulls)) {
      long row = 0;
      while (row < rows) {
        int count = (int) Math.min(PAGE_ROWS, rows - row);
        reading.readNulls(bits, row, count);
        row += count;
      }
    }
    return bits;
  }

  @Override
  public int typicalTextBytes() {
    return typicalTextBytes;
  }

  @Override
  public synchronized Object page(int page) {
    if (page == current && held != null) {
      return held;
    }
    try {
      if (page <= current) {
        close();
      }
      while (current < page) {
        held = (next == null ? make() : next).join();
        current++;
        addToDigest(held);
        next = (long) (current + 1) * PAGE_ROWS < rows ? make() : null;
      }
    } catch (CompletionException e) {
      close();
      RuntimeException failure = e.getCause() instanceof RuntimeException cause ? cause : e;
      requireUnchanged(failure);
      throw failure;
    }
    if (next == null && current == values.pageCount() - 1) {
      end();
      requireUnchanged(null);
    }
    return Objects.requireNonNull(held);
  }

  private void requireUnchanged(@Nullable Exception failure) {
    try {
      files.requireUnchanged(failure);
    } catch (TableException e) {
      close();
      throw new UncheckedIOException(e);
    }
  }

  private void addToDigest(Object page) {
    int number = current;
    if (number == firstNotDigested) {
      firstNotDigested++;
      progress.add(values.rowsInPage(number));
      digest();
      lastDigest = ForkJoinPool.commonPool().submit(() -> digest(page, number));
    }
  }

  private CompletableFuture<Object> make() {
    long first = (long) (current + 1) * PAGE_ROWS;
    int count = values.rowsInPage(current + 1);
    return CompletableFuture.supplyAsync(
        () -> {
          try {
            Object page = read(first, count);
            table.requireInRange(column, page, count, first, values.validity());
            return page;
          } catch (TableException e) {
            throw new UncheckedIOException(e);
          }
        },
        ahead);
  }

  private Object read(long first, int count) throws TableException {
    try {
      return cursor().read(values.type(), first, count);
    } catch (IOException e) {
      throw new TableException("%s: %s".formatted(where, Sql.streamFailure(e)), e);
    } catch (IllegalTextException e) {
      throw new TableException(e.in(where, 1).getMessage(), e);
    }
  }

  private long digest(Object page, int number) {
    long first = (long) number * PAGE_ROWS;
    ColumnValues made =
        ColumnValues.onDemand(values.type(), rows, PAGE_ROWS, only -> page, values.validity());
    return CargoDigest.ofRows(made, first, made.rowsInPage(number), first);
  }

  private Cursor cursor() throws IOException {
    Cursor open = cursor;
    if (open == null) {
      open = new Cursor(query);
      cursor = open;
    }
    return open;
  }

  private void end() {
    Cursor open = cursor;
    cursor = null;
    if (open != null) {
      open.close();
    }
  }

  /** Ends the query if one is open. */
  @Override
  public synchronized void close() {
    if (next != null) {
      next.handle((made, failure) -> made).join();
      next = null;
    }
    end();
    current = -1;
    held = null;
  }

  /** A running query. Not thread-safe. */
  private final class Cursor implements AutoCloseable {
    private final Sql own;
    private final Statement statement;
    private final ResultSet result;
    private final ArrowReader batches;
    private int at;
    private int count;

    /** Bytes of the last page's texts, as an estimate for the next page. */
    private int textBytes;

    Cursor(String query) throws IOException {
      own = sql.another();
      try {
        statement = own.connection().createStatement();
        result = statement.executeQuery(query);
        batches =
            (ArrowReader) result.unwrap(DuckDBResultSet.class).arrowExportStream(memory, PAGE_ROWS);
      } catch (SQLException e) {
        own.close();
        throw Sql.ownFailure(e);
      }
    }

    private FieldVector vector() throws IOException {
      while (at == count) {
        if (!batches.loadNextBatch()) {
          throw new TableException(
              "the imported data has changed: it no longer has %s of %s"
                  .formatted(Counted.of(rows, "row"), query));
        }
        count = batches.getVectorSchemaRoot().getRowCount();
        at = 0;
      }
      return batches.getVectorSchemaRoot().getVector(0);
    }

    Object read(ColumnType type, long firstRow, int rows) throws IOException {
      VectorPage page = new VectorPage(type, firstRow, rows, textBytes);
      while (page.rows() < rows) {
        FieldVector vector = vector();
        int taken = Math.min(rows - page.rows(), count - at);
        page.append(vector, at, taken);
        at += taken;
      }
      textBytes = page.textBytes();
      return page.page();
    }

    void readNulls(RowBits validity, long row, int rows) throws IOException {
      int filled = 0;
      while (filled < rows) {
        FieldVector vector = vector();
        int taken = Math.min(rows - filled, count - at);
        ArrowColumns.drainNulls(vector, at, taken, validity, row + filled);
        filled += taken;
        at += taken;
      }
    }

    @Override
    public void close() {
      try {
        batches.close();
        result.close();
        statement.close();
      } catch (IOException | SQLException e) {
        // Nothing was written.
      } finally {
        own.close();
      }
    }
  }
}
