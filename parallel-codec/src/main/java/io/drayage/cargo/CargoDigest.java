package io.drayage.cargo;

import static io.drayage.internal.Texts.format;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.UUID;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;

/**
 * A 64-bit digest of the content of a cargo: dropped and new tables, tables, columns, types, rows,
 * values, nulls and deleted rows. The digest depends neither on the paging of the columns nor on
 * how the cargo travelled. So the cargo that was sent, the cargo that was received and the rows in
 * a store can be compared.
 *
 * <p>The digest guards against mistakes, not against an adversary: it is no cryptographic hash.
 *
 * <p>A column's digest is the wrapping sum over its rows of {@code mix(bits(value) ^ row *
 * GOLDEN)}, where {@code mix} is the finalizer of SplitMix64 (Steele, Lea, Flood, "Fast splittable
 * pseudorandom number generators", OOPSLA 2014). A sum does not depend on the order of its terms:
 * rows may be added in any order, from any thread. Floating-point values count with their exact
 * bits, a text with a hash of its UTF-8. The value in a null place does not count.
 */
public final class CargoDigest {
  private static final long GOLDEN = 0x9E3779B97F4A7C15L;
  private static final long NULL_VALUE = 0x6E756C6CL;
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final int NEW_TABLE = -1;
  private static final int DROPPED_TABLE = -2;
  private static final int INSERTED = 1;
  private static final int UPDATED = 2;
  private static final int DELETED = 3;

  private CargoDigest() {}

  /** The digest of {@code cargo}. Uses the common pool. */
  public static long of(ChangeCargo cargo) {
    return of(cargo, CargoDigest::ofColumn);
  }

  /** The digest of {@code cargo} with another digest of columns, which are passed in order. */
  static long of(ChangeCargo cargo, ToLongFunction<ColumnValues> ofColumn) {
    Combiner digest = new Combiner(cargo.transactionId(), cargo.baseSnapshot());
    cargo.droppedTables().forEach(digest::droppedTable);
    cargo.newTables().forEach(digest::newTable);
    for (TableChanges table : cargo.tables()) {
      addTable(table, ofColumn, digest);
    }
    return digest.digest();
  }

  /** Formats a digest for output: 16 hexadecimal digits. */
  public static String toHex(long digest) {
    return format("%016x", digest);
  }

  private static void addTable(
      TableChanges table, ToLongFunction<ColumnValues> ofColumn, Combiner digest) {
    digest.table(table.table());
    for (InsertedColumn inserted : table.insertedColumns()) {
      digest.inserted(inserted.column());
      addColumn(inserted.values(), ofColumn, digest);
    }
    for (ColumnUpdates update : table.updates()) {
      digest.updated(update.column());
      addColumn(update.rowIds(), ofColumn, digest);
      addColumn(update.values(), ofColumn, digest);
    }
    RowBits deleted = table.deletedRows();
    if (deleted != null) {
      digest.deleted(deleted.size(), ofBits(deleted, 0));
    }
  }

  private static void addColumn(
      ColumnValues values, ToLongFunction<ColumnValues> ofColumn, Combiner digest) {
    digest.values(values.type(), values.rowCount(), ofColumn.applyAsLong(values));
  }

  /**
   * Combines the digests of the parts of a cargo into its digest. The digest of a part may be a sum
   * of calls of {@link #ofRows} and {@link #ofBits}. Dropped tables come first, then new tables,
   * then the parts table by table: inserted columns, updated columns, deleted rows. Not
   * thread-safe.
   */
  public static final class Combiner {
    private long state = GOLDEN;

    /** Starts with the transaction and its base snapshot. */
    public Combiner(UUID transactionId, long baseSnapshot) {
      add(transactionId.getMostSignificantBits());
      add(transactionId.getLeastSignificantBits());
      add(baseSnapshot);
    }

    /** Adds a dropped table. */
    public void droppedTable(String table) {
      add(DROPPED_TABLE);
      addText(table);
    }

    /** Adds a new table. */
    public void newTable(TableSchema table) {
      add(NEW_TABLE);
      addText(table.name());
      add(table.columns().size());
      for (ColumnSchema column : table.columns()) {
        addText(column.name());
        add(column.type().id());
        add(column.nullable() ? 1 : 0);
      }
    }

    /** Begins the next table. */
    public void table(String table) {
      addText(table);
    }

    /** Begins an inserted column. The column's {@link #values} follow. */
    public void inserted(String column) {
      add(INSERTED);
      addText(column);
    }

    /** Begins an updated column. The {@link #values} of the row ids follow, then its own. */
    public void updated(String column) {
      add(UPDATED);
      addText(column);
    }

    /** Adds a column of values. {@code rowsDigest} is the sum over its rows. */
    public void values(ColumnType type, long rowCount, long rowsDigest) {
      add(type.id());
      add(rowCount);
      add(rowsDigest);
    }

    /** Adds the deleted rows of a table of {@code size} rows. {@code rowsDigest} is their sum. */
    public void deleted(long size, long rowsDigest) {
      add(DELETED);
      add(size);
      add(rowsDigest);
    }

    /** The digest of all additions. */
    public long digest() {
      return state;
    }

    private void addText(String text) {
      byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
      add(utf8.length);
      add(ofText(utf8, 0, utf8.length));
    }

    private void add(long value) {
      state = mix(state ^ value) * GOLDEN + value;
    }
  }

  /** The digest of all rows of a column. Uses the common pool. */
  public static long ofColumn(ColumnValues values) {
    return IntStream.range(0, values.pageCount())
        .parallel()
        .mapToLong(
            page -> {
              long firstRow = (long) page * values.rowsPerPage();
              return ofRows(values, firstRow, values.rowsInPage(page), firstRow);
            })
        .sum();
  }

  /**
   * The contribution of rows {@code fromRow} to {@code fromRow + rows - 1} of {@code values} to the
   * digest of a column that has them from row {@code digestRow} on.
   */
  public static long ofRows(ColumnValues values, long fromRow, long rows, long digestRow) {
    long sum = 0;
    long row = fromRow;
    long end = fromRow + rows;
    while (row < end) {
      int offset = values.offsetOf(row);
      int count = (int) Math.min(end - row, values.rowsPerPage() - offset);
      long at = digestRow + (row - fromRow);
      Object page = values.page(values.pageOf(row));
      sum +=
          values.validity() == null
              ? ofPage(page, offset, count, at)
              : ofNullablePage(values.validity(), page, offset, row, count, at);
      row += count;
    }
    return sum;
  }

  private static long ofNullablePage(
      RowBits validity, Object page, int offset, long fromRow, int count, long at) {
    long sum = 0;
    int done = 0; // All rows before it are added.
    for (int i = 0; i < count; i += Long.SIZE) {
      long nulls = ~validity.bits(fromRow + i);
      for (; nulls != 0; nulls &= nulls - 1) {
        int row = i + Long.numberOfTrailingZeros(nulls);
        if (row >= count) {
          break;
        }
        sum += ofPage(page, offset + done, row - done, at + done);
        sum += term(NULL_VALUE, ~(at + row));
        done = row + 1;
      }
    }
    return sum + ofPage(page, offset + done, count - done, at + done);
  }

  private static long ofPage(Object page, int offset, int count, long at) {
    long sum = 0;
    if (page instanceof long[] values) {
      for (int i = 0; i < count; i++) {
        sum += term(values[offset + i], at + i);
      }
    } else if (page instanceof int[] values) {
      for (int i = 0; i < count; i++) {
        sum += term(values[offset + i], at + i);
      }
    } else if (page instanceof double[] values) {
      for (int i = 0; i < count; i++) {
        sum += term(Double.doubleToRawLongBits(values[offset + i]), at + i);
      }
    } else if (page instanceof float[] values) {
      for (int i = 0; i < count; i++) {
        sum += term(Float.floatToRawIntBits(values[offset + i]), at + i);
      }
    } else if (page instanceof short[] values) {
      for (int i = 0; i < count; i++) {
        sum += term(values[offset + i], at + i);
      }
    } else if (page instanceof byte[] values) {
      for (int i = 0; i < count; i++) {
        sum += term(values[offset + i], at + i);
      }
    } else if (page instanceof boolean[] values) {
      for (int i = 0; i < count; i++) {
        sum += term(values[offset + i] ? 1 : 0, at + i);
      }
    } else {
      long row = at;
      for (TextRun texts : ((TextPage) page).runs(offset, count)) {
        for (int i = 0; i < texts.rows(); i++) {
          sum += term(ofText(texts.bytes(), texts.start(i), texts.length(i)), row++);
        }
      }
    }
    return sum;
  }

  /**
   * The contribution of all set rows of {@code bits} to the digest of a bit set that has them from
   * word {@code digestWord} on.
   */
  public static long ofBits(RowBits bits, long digestWord) {
    long sum = 0;
    for (long w = bits.nextSetWord(0); w < bits.wordCount(); w = bits.nextSetWord(w + 1)) {
      sum += ofWord(bits.word(w), digestWord + w);
    }
    return sum;
  }

  private static long ofWord(long word, long digestWord) {
    long sum = 0;
    for (long left = word; left != 0; left &= left - 1) {
      sum += ofSetRow((digestWord << 6) + Long.numberOfTrailingZeros(left));
    }
    return sum;
  }

  /** The contribution of a set bit to the digest of its bit set. */
  public static long ofSetRow(long row) {
    return term(1, row);
  }

  /**
   * The digest of {@code rows} rows of {@code bits} from word {@code firstWord} on, counted as if a
   * bit set began with them.
   */
  public static long ofBits(RowBits bits, long firstWord, long rows) {
    long sum = 0;
    for (long word = 0; word * Long.SIZE < rows; word++) {
      sum += ofWord(bits.word(firstWord + word), word);
    }
    return sum;
  }

  /** Hashes eight bytes at a time; the last ones are filled up with zeros. */
  private static long ofText(byte[] utf8, int from, int length) {
    long hash = length;
    int done = 0;
    for (; done + Long.BYTES <= length; done += Long.BYTES) {
      hash = withBytes(hash, (long) LONGS.get(utf8, from + done));
    }
    int left = length - done;
    if (left > 0) {
      long last = 0;
      if (from + done <= utf8.length - Long.BYTES) {
        last = (long) LONGS.get(utf8, from + done) & (-1L >>> (Long.SIZE - left * Byte.SIZE));
      } else {
        for (int i = length - 1; i >= done; i--) {
          last = (last << Byte.SIZE) | (utf8[from + i] & 0xFF);
        }
      }
      hash = withBytes(hash, last);
    }
    return hash;
  }

  private static long withBytes(long hash, long bytes) {
    long mixed = (hash ^ bytes) * 0xFF51AFD7ED558CCDL;
    return mixed ^ mixed >>> 32;
  }

  static long term(long value, long row) {
    return mix(value ^ (row + 1) * GOLDEN);
  }

  private static long mix(long value) {
    long z = value;
    z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
    return z ^ (z >>> 31);
  }
}
