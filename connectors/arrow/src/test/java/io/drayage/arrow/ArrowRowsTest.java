package io.drayage.arrow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.drayage.cargo.CargoDigest;
import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.ColumnType;
import io.drayage.cargo.ColumnValues;
import io.drayage.cargo.InsertedColumn;
import io.drayage.cargo.RandomCargo;
import io.drayage.codec.CargoFile;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.types.DateUnit;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ArrowRowsTest {
  /** Fails at its end if a buffer was leaked. */
  @AutoClose private final BufferAllocator memory = new RootAllocator();

  private static List<InsertedColumn> columns(int rows) {
    List<InsertedColumn> columns = new ArrayList<>();
    for (ColumnType type : ColumnType.values()) {
      if (rows <= 1) { // Random values take most of the time.
        columns.add(new InsertedColumn("" + type, RandomCargo.column(rows, type, rows, false)));
      }
      columns.add(
          new InsertedColumn("nullable " + type, RandomCargo.column(rows, type, rows, true)));
    }
    return columns;
  }

  private static ChangeCargo cargo(List<InsertedColumn> columns) {
    return ChangeCargo.builder(new UUID(1, 2), 3)
        .table("t", table -> columns.forEach(each -> table.insert(each.column(), each.values())))
        .build();
  }

  /** The sizes of batches do not divide those of pages. */
  @Test
  void batchesOfAnySizeBecomePages() {
    List<InsertedColumn> columns = columns(67_000);
    Random random = new Random(17);
    Schema schema =
        new Schema(
            columns.stream()
                .map(column -> ArrowColumns.field(column.column(), column.values()))
                .toList());
    ArrowRows rows = new ArrowRows(schema);
    try (VectorSchemaRoot batch = VectorSchemaRoot.create(schema, memory)) {
      for (int done = 0; done < 67_000; ) {
        int count =
            Math.min(
                67_000 - done,
                random.nextInt(100) < 50 ? 1 + random.nextInt(70) : random.nextInt(20_000));
        for (int i = 0; i < columns.size(); i++) {
          ArrowColumns.fill(batch.getVector(i), columns.get(i).values(), done, count);
        }
        batch.setRowCount(count);
        rows.append(batch);
        done += count;
      }
    }
    assertThat(rows.rowCount()).isEqualTo(67_000);
    ChangeCargo read = ChangeCargo.builder(new UUID(1, 2), 3).table("t", rows::insertInto).build();
    assertThat(CargoDigest.of(read)).isEqualTo(CargoDigest.of(cargo(columns)));
  }

  @Test
  void aReaderBringsAllRows() throws Exception {
    for (int count : new int[] {0, 1, 65_537}) {
      List<InsertedColumn> columns = columns(count);
      try (ArrowBatches batches = new ArrowBatches(columns, memory)) {
        ArrowRows rows = new ArrowRows(batches.getVectorSchemaRoot().getSchema());
        while (batches.loadNextBatch()) {
          rows.append(batches.getVectorSchemaRoot());
        }
        assertThat(CargoDigest.of(cargo(rows.columns()))).isEqualTo(CargoDigest.of(cargo(columns)));
      }
    }
  }

  /** Ships rows of a vector without an earlier copy. */
  @Test
  void aCargoOfViewsIsWrittenAndRead(@TempDir Path folder) throws Exception {
    List<InsertedColumn> columns = columns(65_537);
    Path file = folder.resolve("views.cargo");
    List<FieldVector> vectors = new ArrayList<>();
    try {
      for (InsertedColumn column : columns) {
        vectors.add(ArrowColumns.vectorOf(column.column(), column.values(), memory));
      }
      ChangeCargo views =
          ChangeCargo.builder(new UUID(1, 2), 3)
              .table(
                  "t",
                  table ->
                      vectors.forEach(
                          vector -> table.insert(vector.getName(), ArrowColumns.viewOf(vector))))
              .build();
      CargoFile.write(views, file);
    } finally {
      vectors.forEach(FieldVector::close);
    }
    assertThat(CargoDigest.of(CargoFile.read(file, 1L << 30)))
        .isEqualTo(CargoDigest.of(cargo(columns)));
  }

  @Test
  void columnsSoFarStayAsTheyAre() {
    ColumnValues texts = ColumnValues.ofTexts(new String[][] {{"a", null, "bc"}});
    try (FieldVector vector = ArrowColumns.vectorOf("s", texts, memory);
        VectorSchemaRoot batch = VectorSchemaRoot.of(vector)) {
      ArrowRows rows = new ArrowRows(batch.getSchema());
      rows.append(batch);
      ColumnValues first = rows.columns().get(0).values();
      rows.append(batch);
      assertThat(first.toArray()).isEqualTo(new String[] {"a", null, "bc"});
      assertThat(rows.columns().get(0).values().toArray())
          .isEqualTo(new String[] {"a", null, "bc", "a", null, "bc"});
    }
  }

  @Test
  void refusesABatchOfOtherColumns() {
    try (FieldVector vector =
            ArrowColumns.vectorOf("a", ColumnValues.of(new int[][] {{1}}), memory);
        VectorSchemaRoot batch = VectorSchemaRoot.of(vector)) {
      ArrowRows two = new ArrowRows(new Schema(List.of()));
      assertThatThrownBy(() -> two.append(batch)).hasMessage("a batch of 1 columns for 0");
      Field other = Field.nullable("b", new ArrowType.Int(32, true));
      ArrowRows named = new ArrowRows(new Schema(List.of(other)));
      assertThatThrownBy(() -> named.append(batch))
          .hasMessage("a batch of 1 rows has 1 of 'a' in the place of column 'b'");
      Field wider = Field.nullable("a", new ArrowType.Int(64, true));
      ArrowRows typed = new ArrowRows(new Schema(List.of(wider)));
      assertThatThrownBy(() -> typed.append(batch))
          .hasMessage("column 'a': values of LONG are no Int(32, true)");
    }
  }

  @Test
  void batchesHaveTheFieldsThatTheyAreGiven() throws Exception {
    InsertedColumn days = new InsertedColumn("d", ColumnValues.of(new int[][] {{19_000}}));
    Schema dates = new Schema(List.of(Field.nullable("d", new ArrowType.Date(DateUnit.DAY))));
    try (ArrowBatches batches = new ArrowBatches(List.of(days), dates, memory)) {
      assertThat(batches.loadNextBatch()).isTrue();
      assertThat(batches.getVectorSchemaRoot().getSchema()).isEqualTo(dates);
      assertThat(batches.getVectorSchemaRoot().getVector(0).getObject(0)).isEqualTo(19_000);
      assertThat(batches.loadNextBatch()).isFalse();
    }
    Schema texts = new Schema(List.of(Field.nullable("d", ArrowType.Utf8.INSTANCE)));
    assertThatThrownBy(() -> new ArrowBatches(List.of(days), texts, memory))
        .hasMessage("column 'd': values of INT are no Utf8");
  }
}
