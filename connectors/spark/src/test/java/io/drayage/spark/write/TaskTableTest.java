package io.drayage.spark.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.drayage.database.LogPosition;
import io.drayage.spark.database.DrayageOptions;
import io.drayage.spark.database.TableDescription;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.Test;

class TaskTableTest {
  private static StructType row(String... names) {
    StructType row = new StructType();
    for (String name : names) {
      row = row.add(name, DataTypes.LongType);
    }
    return row;
  }

  private static List<Integer> ordinals(String[] columns, String... names) {
    return TaskTable.of(TableDescription.of("t", row(columns)), false, false, row(names))
        .ordinals();
  }

  private static String[] columns(String... names) {
    return names;
  }

  @Test
  void findsColumnsWithoutRegardToCase() {
    assertThat(ordinals(columns("id", "v"), "V", "ID")).containsExactly(1, 0);
  }

  @Test
  void refusesColumnsThatAreMissing() {
    assertThatThrownBy(() -> ordinals(columns("id", "v"), "id", "w"))
        .hasMessageContaining("rows for table 't' have the columns [id, w]: insert all of them");
    assertThatThrownBy(() -> ordinals(columns("x", "id"), "Id", "iD"))
        .hasMessageContaining("rows for table 't' have the columns [Id, iD]");
  }

  @Test
  void tellsThatTheNumberOfARowCannotBeSet() {
    assertThatThrownBy(() -> ordinals(columns("id"), "id", "_row"))
        .hasMessageContaining("table 't': _row cannot be set: the number of a row is fixed");
  }

  private static DrayageWrite write() {
    TableDescription table = TableDescription.of("t", row("id"));
    DrayageOptions options =
        DrayageOptions.parse("d", Map.of("zookeeper", "127.0.0.1:1", "store", "fs:none"));
    return new DrayageWrite(
        WritePlan.create(options, table, new LogPosition(new UUID(0, 1), 0, 0)),
        TaskTable.of(table, true, false, row("id")),
        DrayageWrite.Commit.AT_ONCE,
        "query");
  }

  @Test
  void refusesMoreTasksThanATransactionHasFragments() {
    assertThatThrownBy(() -> write().createBatchWriterFactory(() -> 32_769))
        .hasMessageContaining(
            "Drayage table t: the tasks could send 32,769 fragments, and a transaction has at most"
                + " 32,768");
  }

  @Test
  void endsAWriteWhoseTasksHaveSentMoreFragmentsThanATransactionHas() {
    DrayageWrite write = write();
    Written many = new Written(Collections.nCopies(32_769, UUID.randomUUID()), Map.of());

    assertThatThrownBy(() -> write.onDataWriterCommit(many))
        .hasMessageContaining("the tasks have sent 32,769 fragments");
  }
}
