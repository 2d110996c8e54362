package io.drayage.store;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.ColumnSchema;
import io.drayage.cargo.ColumnType;
import io.drayage.cargo.TableSchema;
import io.drayage.frame.ShipmentException;
import io.drayage.store.column.StoredTable;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class DefaultRowsTest {
  private static final long ROWS = 10_000_000;

  private static TableSchema everyType() {
    List<ColumnSchema> columns = new ArrayList<>();
    for (ColumnType type : ColumnType.values()) {
      columns.add(ColumnSchema.nullable(type.name(), type));
    }
    return new TableSchema("wide", columns);
  }

  private static long allocatedBytes() {
    return ((ThreadMXBean) ManagementFactory.getThreadMXBean())
        .getThreadAllocatedBytes(Thread.currentThread().getId());
  }

  @Test
  void costsAlmostNoMemory() {
    MemoryStore store = new MemoryStore();
    long before = allocatedBytes();

    store.createTable(everyType(), ROWS);

    assertThat(allocatedBytes() - before).isLessThan(20_000_000);
    assertThat(store.snapshot().table("wide").rowCount()).isEqualTo(ROWS);
  }

  @Test
  void readsAsDefaultValues() {
    MemoryStore store = new MemoryStore();
    store.createTable(everyType(), ROWS);
    StoredTable table = store.snapshot().table("wide");

    assertThat(table.get("BOOLEAN", ROWS - 1)).isEqualTo(false);
    assertThat(table.get("BYTE", 0)).isEqualTo((byte) 0);
    assertThat(table.get("SHORT", 0)).isEqualTo((short) 0);
    assertThat(table.get("INT", 0)).isEqualTo(0);
    assertThat(table.get("LONG", 0)).isEqualTo(0L);
    assertThat(table.get("FLOAT", 0)).isEqualTo(0f);
    assertThat(table.get("DOUBLE", 0)).isEqualTo(0.0);
    assertThat(table.get("STRING", ROWS - 1)).isEqualTo("");
  }

  @Test
  void keepsDefaultsAroundAnUpdatedRow() throws ShipmentException {
    MemoryStore store = new MemoryStore(0, Runnable::run, 1);
    store.createTable(everyType(), ROWS);
    long before = allocatedBytes();

    store.commit(
        ChangeCargo.builder(new UUID(0, 1), 0)
            .table(
                "wide",
                table ->
                    table
                        .update("STRING", Columns.rows(70_000), Columns.of(ColumnType.STRING, "x"))
                        .update("INT", Columns.rows(ROWS - 1), Columns.of(ColumnType.INT, 5)))
            .build());

    assertThat(allocatedBytes() - before).isLessThan(2_000_000);
    StoredTable table = store.snapshot().table("wide");
    assertThat(table.get("STRING", 69_999)).isEqualTo("");
    assertThat(table.get("STRING", 70_000)).isEqualTo("x");
    assertThat(table.get("STRING", 70_001)).isEqualTo("");
    assertThat(table.get("INT", ROWS - 2)).isEqualTo(0);
    assertThat(table.get("INT", ROWS - 1)).isEqualTo(5);
  }
}
