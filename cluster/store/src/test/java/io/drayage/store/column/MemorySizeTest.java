package io.drayage.store.column;

import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.ColumnSchema;
import io.drayage.cargo.ColumnType;
import io.drayage.cargo.RandomCargo;
import io.drayage.cargo.TableSchema;
import io.drayage.frame.OnConflict;
import io.drayage.frame.ShipmentException;
import io.drayage.segment.Manifest;
import io.drayage.segment.SegmentPlanner;
import io.drayage.store.MemoryLimit;
import io.drayage.store.MemoryStore;
import io.drayage.store.StoreSnapshot;
import io.drayage.store.Transaction;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Checks that the memory size that is updated at each commit equals a new measurement. */
class MemorySizeTest {
  private static final int COMMITS = 150;
  private static final long ROWS = 200_000;

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void isKeptFromCommitToCommitAndNeverExceeds(long seed) throws Exception {
    Random random = new Random(seed);
    MemoryStore store = new MemoryStore();
    store.createTable(
        TableSchema.of(
            "t",
            ColumnSchema.of("number", ColumnType.LONG),
            ColumnSchema.nullable("flag", ColumnType.BYTE),
            ColumnSchema.nullable("text", ColumnType.STRING)),
        ROWS);
    long limitBytes = 3_000_000;
    MemoryLimit limit = new MemoryLimit(limitBytes, 4 * limitBytes);
    int full = 0;
    for (int i = 0; i < COMMITS; i++) {
      StoreSnapshot before = store.snapshot();
      try {
        store.commit(next(before, random).toCargo(), OnConflict.REJECT, limit, 0);
      } catch (ShipmentException e) {
        assertThat(e).hasMessageContaining("the limit is 3,000,000");
        assertThat(store.snapshot()).isSameAs(before);
        full++;
      }
      assertThat(store.snapshot().memoryBytes())
          .as("commit %d", i)
          .isEqualTo(measured(store.snapshot()))
          .isLessThanOrEqualTo(limitBytes);
    }
    assertThat(full).isPositive().isLessThan(COMMITS);
  }

  /** The size by the manifest must not exceed the result of the final check. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void ofAManifestIsAtMostWhatItsRowsTake(long seed) throws Exception {
    ChangeCargo cargo = RandomCargo.of(seed, 2_000);
    Manifest manifest = new SegmentPlanner(SegmentPlanner.DEFAULT_SEGMENT_BYTES).plan(cargo);
    long takes =
        cargo.tables().stream()
            .flatMap(table -> table.insertedColumns().stream())
            .mapToLong(column -> Extent.adopt(column.values(), 0).memoryBytes())
            .sum();

    assertThat(MemorySize.ofInserted(manifest)).isBetween(takes / 4, takes);
  }

  private static Transaction next(StoreSnapshot snapshot, Random random) {
    Transaction transaction = Transaction.on(snapshot);
    long rows = snapshot.table("t").rowCount();
    for (int i = random.nextInt(600); i > 0; i--) {
      Map<String, @Nullable Object> row = new HashMap<>();
      row.put("number", random.nextLong());
      row.put("flag", random.nextBoolean() ? null : (byte) 1);
      row.put("text", text(random));
      transaction.insert("t", row);
    }
    for (int i = random.nextInt(50); i > 0; i--) {
      long row = random.nextLong(rows);
      switch (random.nextInt(3)) {
        case 0 -> transaction.update("t", "number", row, random.nextLong());
        case 1 -> transaction.update("t", "flag", row, random.nextBoolean() ? null : (byte) 2);
        default -> transaction.update("t", "text", row, text(random));
      }
    }
    return transaction;
  }

  private static @Nullable String text(Random random) {
    return switch (random.nextInt(4)) {
      case 0 -> null;
      case 1 -> "";
      case 2 -> "x".repeat(random.nextInt(100));
      default -> "\u4e2d".repeat(random.nextInt(30));
    };
  }

  private static long measured(StoreSnapshot snapshot) {
    long bytes = 0;
    for (StoredTable table : snapshot.tables()) {
      for (StoredColumn column : table.columns()) {
        for (int e = 0; e < column.extentCount(); e++) {
          bytes += column.extent(e).measure();
        }
      }
    }
    return bytes;
  }
}
