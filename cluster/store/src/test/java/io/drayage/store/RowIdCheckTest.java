package io.drayage.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.cargo.ColumnSchema;
import io.drayage.cargo.ColumnType;
import io.drayage.cargo.ColumnUpdates;
import io.drayage.cargo.ColumnValues;
import io.drayage.cargo.TableSchema;
import io.drayage.frame.ShipmentException;
import io.drayage.store.column.StoredTable;
import org.junit.jupiter.api.Test;

/** Tests the answer that several tasks may do the updates: a wrong yes would be a race. */
class RowIdCheckTest {
  private static final StoredTable TABLE =
      StoredTable.ofDefaults(TableSchema.of("t", ColumnSchema.of("a", ColumnType.BYTE)), 100);

  private static boolean ascend(long[]... pages) throws ShipmentException {
    ColumnValues rowIds = ColumnValues.of(pages);
    ColumnValues values =
        ColumnValues.of(new byte[][] {new byte[Math.toIntExact(rowIds.rowCount())]});
    return new RowIdCheck(
            TABLE, TableSince.ofReplay(0, TABLE), new ColumnUpdates("a", rowIds, values))
        .check();
  }

  @Test
  void saysThatRowIdsAscend() throws ShipmentException {
    assertThat(ascend(new long[] {0})).isTrue();
    assertThat(ascend(new long[] {0, 1, 98, 99})).isTrue();
    assertThat(ascend(new long[] {3, 5}, new long[] {6, 7}, new long[] {99})).isTrue();
  }

  @Test
  void saysThatRowIdsDoNotAscend() throws ShipmentException {
    assertThat(ascend(new long[] {1, 0})).isFalse();
    assertThat(ascend(new long[] {0, 1, 99, 98})).isFalse();
    assertThat(ascend(new long[] {3, 6}, new long[] {5, 7})).isFalse();
  }
}
