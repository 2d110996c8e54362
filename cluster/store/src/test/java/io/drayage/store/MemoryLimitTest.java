package io.drayage.store;

import static io.drayage.internal.Texts.format;
import static io.drayage.testing.Refusals.assertFault;
import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.ColumnSchema;
import io.drayage.cargo.ColumnType;
import io.drayage.cargo.ColumnValues;
import io.drayage.cargo.TableSchema;
import io.drayage.frame.Fault;
import io.drayage.frame.OnConflict;
import io.drayage.frame.ShipmentException;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class MemoryLimitTest {
  private static final int PAGE_ROWS = ColumnValues.DEFAULT_ROWS_PER_PAGE;

  /** The bytes of a page of longs. */
  private static final long PAGE_BYTES = PAGE_ROWS * 8L + 16;

  private final MemoryStore store = new MemoryStore();
  private long lastId;

  MemoryLimitTest() {
    store.createTable(TableSchema.of("t", ColumnSchema.of("a", ColumnType.LONG)), 8L * PAGE_ROWS);
  }

  private ChangeCargo inserting(int rows) {
    return cargo(table -> table.insert("a", ColumnValues.of(new long[][] {new long[rows]})));
  }

  /** Returns a cargo that updates a row in each of the first pages. */
  private ChangeCargo updating(int pages) {
    long[] rows = new long[pages];
    for (int p = 0; p < pages; p++) {
      rows[p] = (long) p * PAGE_ROWS + p;
    }
    return cargo(
        table ->
            table.update("a", Columns.rows(rows), ColumnValues.of(new long[][] {new long[pages]})));
  }

  private ChangeCargo cargo(java.util.function.Consumer<ChangeCargo.TableChangesBuilder> changes) {
    return ChangeCargo.builder(new UUID(1, ++lastId), store.snapshot().timestamp())
        .table("t", changes)
        .build();
  }

  private long commit(ChangeCargo cargo, long databaseBytes, long totalBytes, long retainedBytes)
      throws ShipmentException {
    return store.commit(
        cargo, OnConflict.REJECT, new MemoryLimit(databaseBytes, totalBytes), retainedBytes);
  }

  private long used() {
    return store.snapshot().memoryBytes();
  }

  @Test
  void refusesWhatWouldExceedItWithTheFigures() throws Exception {
    StoreSnapshot before = store.snapshot();
    long used = used();
    long limit = used + PAGE_BYTES;

    assertFault(Fault.FULL, () -> commit(inserting(PAGE_ROWS), limit, limit, 0))
        .hasMessageContaining(format("the database takes %,d bytes of memory", used))
        .hasMessageContaining(format("the limit is %,d", limit));

    assertThat(store.snapshot()).isSameAs(before);
    assertThat(commit(inserting(PAGE_ROWS - 10), limit, limit, 0)).isEqualTo(1);
    assertThat(used()).isLessThanOrEqualTo(limit);
  }

  /** Updates of rows that were never written make their pages. */
  @Test
  void countsThePagesThatAnUpdateMakes() throws Exception {
    long limit = used() + 3 * PAGE_BYTES;

    assertFault(Fault.FULL, () -> commit(updating(4), limit, limit, 0))
        .hasMessageContaining(format("would add %,d", 4 * PAGE_BYTES));

    commit(updating(3), limit, limit, 0);
    assertThat(used()).isEqualTo(limit);
    commit(updating(3), limit, limit + 3 * PAGE_BYTES, 0);
    assertThat(used()).isEqualTo(limit);
  }

  @Test
  void stillDeletesWhenItIsFull() throws Exception {
    commit(inserting(100), Long.MAX_VALUE - 1, Long.MAX_VALUE, 0);
    ChangeCargo deleting = cargo(table -> table.delete(Columns.bits(10, 5)));

    assertThat(commit(deleting, 1, 1, 0)).isEqualTo(2);
  }

  @Test
  void countsTheCopiesOfPagesWhileTheOldOnesAreNeeded() throws Exception {
    commit(updating(4), Long.MAX_VALUE - 1, Long.MAX_VALUE, 0);
    long total = used() + 4 * PAGE_BYTES;

    assertFault(Fault.BUSY, () -> commit(updating(4), total, total, PAGE_BYTES))
        .hasMessageContaining(format("rewrites pages of %,d bytes", 4 * PAGE_BYTES))
        .hasMessageContaining(format("of which %,d are taken", PAGE_BYTES));
    assertThat(commit(updating(4), total, total, 0)).isEqualTo(2);
    assertThat(store.lastCopiedBytes()).isEqualTo(4 * PAGE_BYTES);

    assertFault(Fault.FULL, () -> commit(updating(4), total - 1, total - 1, 0))
        .hasMessageContaining("commit it in smaller parts");
  }
}
