package io.drayage.spark.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.drayage.cargo.ColumnSchema;
import io.drayage.cargo.ColumnType;
import io.drayage.cargo.ColumnValues;
import io.drayage.cargo.RowBits;
import io.drayage.cargo.TableSchema;
import io.drayage.cargo.TextPage;
import io.drayage.store.column.DeletedRows;
import io.drayage.store.column.Extent;
import io.drayage.store.column.StoredColumn;
import io.drayage.store.column.StoredTable;
import java.lang.reflect.Array;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import org.apache.spark.unsafe.types.UTF8String;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class ColumnBatchesTest {
  private static final List<DataType> TYPES =
      List.of(
          DataTypes.BooleanType,
          DataTypes.ByteType,
          DataTypes.ShortType,
          DataTypes.IntegerType,
          DataTypes.LongType,
          DataTypes.FloatType,
          DataTypes.DoubleType,
          DataTypes.StringType);

  private static StoredTable table(SplittableRandom random) {
    List<Integer> extents = random.ints(random.nextInt(1, 5), 1, 400).boxed().toList();
    List<StoredColumn> columns = new ArrayList<>();
    long rows = extents.stream().mapToLong(Integer::longValue).sum();
    for (ColumnType type : ColumnType.values()) {
      ColumnSchema schema = ColumnSchema.nullable(type.name(), type);
      if (random.nextInt(9) == 0) {
        columns.add(StoredColumn.ofDefaults(schema, rows));
        continue;
      }
      List<Extent> stored = new ArrayList<>();
      long row = 0;
      for (int count : extents) {
        stored.add(Extent.adopt(values(type, count, random), row));
        row += count;
      }
      columns.add(new StoredColumn(schema, stored));
    }
    DeletedRows deleted = DeletedRows.NONE;
    if (random.nextBoolean()) {
      RowBits bits = new RowBits(rows);
      LongStream.range(0, rows).filter(r -> random.nextInt(100) < 60).forEach(bits::set);
      deleted = deleted.plus(bits);
    }
    TableSchema schema = new TableSchema("t", columns.stream().map(StoredColumn::schema).toList());
    return new StoredTable(schema, rows, deleted, columns);
  }

  private static ColumnValues values(ColumnType type, int rows, SplittableRandom random) {
    int perPage = random.nextInt(1, 2 * rows);
    List<Object> pages = new ArrayList<>();
    for (int row = 0; row < rows; row += perPage) {
      pages.add(page(type, Math.min(perPage, rows - row), random));
    }
    Object[] all = pages.toArray((Object[]) Array.newInstance(type.pageClass(), pages.size()));
    RowBits validity = null;
    if (random.nextBoolean()) {
      RowBits bits = RowBits.allSet(rows);
      IntStream.range(0, rows).filter(r -> random.nextInt(3) == 0).forEach(bits::clear);
      validity = bits;
    }
    return ColumnValues.of(all, validity);
  }

  private static Object page(ColumnType type, int rows, SplittableRandom random) {
    if (type == ColumnType.STRING) {
      String[] texts = new String[rows];
      for (int i = 0; i < rows; i++) {
        texts[i] = "é".repeat(random.nextInt(4)) + random.nextInt(100);
      }
      TextPage page = TextPage.of(texts);
      if (rows > 3 && random.nextBoolean()) {
        page.replace(new int[] {rows / 2}, 1, TextPage.of("replaced"), 0);
      }
      return page;
    }
    Object page = type.newPage(rows);
    for (int i = 0; i < rows; i++) {
      long bits = random.nextLong();
      switch (type) {
        case BOOLEAN -> Array.setBoolean(page, i, bits < 0);
        case BYTE -> Array.setByte(page, i, (byte) bits);
        case SHORT -> Array.setShort(page, i, (short) bits);
        case INT -> Array.setInt(page, i, (int) bits);
        case LONG -> Array.setLong(page, i, bits);
        case FLOAT -> Array.setFloat(page, i, Float.intBitsToFloat((int) bits));
        default -> Array.setDouble(page, i, Double.longBitsToDouble(bits));
      }
    }
    return page;
  }

  private static StructType schema() {
    StructField[] fields = new StructField[TYPES.size()];
    for (int i = 0; i < fields.length; i++) {
      fields[i] = DataTypes.createStructField(ColumnType.ofId(i + 1).name(), TYPES.get(i), true);
    }
    return DataTypes.createStructType(fields);
  }

  @Test
  void partsHaveAllRowsThatAreNotDeletedInTheirOrder() {
    for (int seed = 0; seed < 300; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      StoredTable table = table(random);
      List<List<@Nullable Object>> expected = new ArrayList<>();
      for (long row = 0; row < table.rowCount(); row++) {
        if (!table.isDeleted(row)) {
          List<@Nullable Object> values = new ArrayList<>();
          for (StoredColumn column : table.columns()) {
            values.add(bits(column.get(row)));
          }
          expected.add(values);
        }
      }
      long cut = random.nextLong(table.rowCount() + 1);
      List<List<@Nullable Object>> read = new ArrayList<>();
      read(new ColumnBatches(table, schema(), 0, cut, null), read);
      read(new ColumnBatches(table, schema(), cut, table.rowCount(), null), read);
      assertThat(read).as("seed %s", seed).isEqualTo(expected);
    }
  }

  private static void read(ColumnBatches batches, List<List<@Nullable Object>> rows) {
    while (batches.next()) {
      ColumnarBatch batch = batches.get();
      assertThat(batch.numRows()).isPositive();
      for (int row = 0; row < batch.numRows(); row++) {
        List<@Nullable Object> values = new ArrayList<>();
        for (int column = 0; column < batch.numCols(); column++) {
          ColumnVector vector = batch.column(column);
          boolean isNull = vector.isNullAt(row);
          assertThat(!isNull || vector.hasNull()).isTrue();
          Object value = isNull ? null : batch.getRow(row).get(column, vector.dataType());
          values.add(bits(value instanceof UTF8String ? value.toString() : value));
        }
        rows.add(values);
      }
    }
  }

  /** Returns a value whose comparison includes all bits of a NaN. */
  private static @Nullable Object bits(@Nullable Object value) {
    if (value instanceof Double number) {
      return Double.doubleToRawLongBits(number);
    }
    return value instanceof Float number ? Float.floatToRawIntBits(number) : value;
  }

  @Test
  void decimalsAreLongsOfTheirScale() {
    StoredColumn column =
        new StoredColumn(
            ColumnSchema.of("d", ColumnType.LONG),
            List.of(
                Extent.adopt(
                    ColumnValues.of(new long[][] {{999_999_999_999_999_999L, -1, 0}}), 0)));
    StoredTable table =
        new StoredTable(TableSchema.of("t", column.schema()), 3, DeletedRows.NONE, List.of(column));
    StructType decimal = new StructType().add("d", DataTypes.createDecimalType(18, 4), false);
    ColumnBatches batches = new ColumnBatches(table, decimal, 0, 3, null);
    assertThat(batches.next()).isTrue();
    ColumnVector vector = batches.get().column(0);
    assertThat(
            IntStream.range(0, 3).mapToObj(row -> vector.getDecimal(row, 18, 4).toJavaBigDecimal()))
        .containsExactly(
            new BigDecimal("99999999999999.9999"),
            new BigDecimal("-0.0001"),
            new BigDecimal("0.0000"));
    assertThat(batches.next()).isFalse();

    StructType narrower = new StructType().add("d", DataTypes.createDecimalType(17, 4), false);
    ColumnBatches misfits = new ColumnBatches(table, narrower, 0, 3, null);
    assertThat(misfits.next()).isTrue();
    ColumnVector tooLong = misfits.get().column(0);
    assertThatThrownBy(() -> tooLong.getDecimal(0, 17, 4))
        .hasMessageStartingWith("DECIMAL(17,4) has the value 999999999999999999 without its point");
    assertThat(tooLong.getDecimal(1, 17, 4).toJavaBigDecimal())
        .isEqualTo(new BigDecimal("-0.0001"));
  }

  @Test
  void aBatchWithoutColumnsCountsRows() {
    StoredTable table = table(new SplittableRandom(1));
    ColumnBatches batches = new ColumnBatches(table, new StructType(), 0, table.rowCount(), null);
    long rows = 0;
    while (batches.next()) {
      rows += batches.get().numRows();
    }
    assertThat(rows).isEqualTo(table.liveRowCount());
  }
}
