package io.drayage.spark.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.ColumnUpdates;
import io.drayage.cargo.ColumnValues;
import io.drayage.cargo.InsertedColumn;
import io.drayage.cargo.RowBits;
import io.drayage.spark.database.TableDescription;
import io.drayage.store.column.StoredTable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.stream.LongStream;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.unsafe.types.UTF8String;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FragmentBuilderTest {
  private static final long SEED = 4_711;
  private static final int BASE = 3;
  private static final int BASE_ROWS = 200_000;

  private static final StructType ROW =
      new StructType()
          .add("id", DataTypes.LongType, false)
          .add("flag", DataTypes.BooleanType)
          .add("price", DataTypes.createDecimalType(18, 2))
          .add("text", DataTypes.StringType);

  private static FragmentBuilder builder(StructType row, long bytes) {
    TableDescription table = TableDescription.of("rows", row);
    return new FragmentBuilder(
        TaskTable.of(table, false, false, row),
        () -> StoredTable.ofDefaults(table.schema(), BASE_ROWS),
        bytes);
  }

  private static GenericInternalRow row(@Nullable Object... values) {
    return new GenericInternalRow(values);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 63, 64, 65, 1_023, 1_024, 1_025, 65_535, 65_536, 65_537, 140_000})
  void holdsWhatWasAdded(int rows) {
    Random random = new Random(SEED);
    UnsafeProjection projection = UnsafeProjection.create(ROW);
    FragmentBuilder builder = builder(ROW, Long.MAX_VALUE);
    List<List<Object>> expected = new ArrayList<>();
    for (int i = 0; i < rows; i++) {
      Boolean flag = random.nextInt(3) == 0 ? null : random.nextBoolean();
      Long price = i < 2_000 || random.nextBoolean() ? Long.valueOf(random.nextInt()) : null;
      String text = random.nextInt(5) == 0 ? null : "t".repeat(random.nextInt(4)) + "ä" + i;
      InternalRow added =
          row(
              (long) i,
              flag,
              price == null ? null : Decimal.createUnsafe(price, 18, 2),
              text == null ? null : UTF8String.fromString(text));
      // All rows use one row object, as in Spark.
      assertThat(builder.insert(projection.apply(added))).isFalse();
      expected.add(
          List.of((long) i, String.valueOf(flag), String.valueOf(price), String.valueOf(text)));
    }

    ChangeCargo cargo = builder.take(BASE);

    assertThat(cargo.baseSnapshot()).isEqualTo(BASE);
    List<ColumnValues> columns =
        cargo.tables().get(0).insertedColumns().stream().map(InsertedColumn::values).toList();
    for (int i = 0; i < rows; i++) {
      assertThat(
              List.of(
                  String.valueOf(columns.get(0).get(i)),
                  String.valueOf(columns.get(1).get(i)),
                  String.valueOf(columns.get(2).get(i)),
                  String.valueOf(columns.get(3).get(i))))
          .isEqualTo(expected.get(i).stream().map(String::valueOf).toList());
    }
    assertThat(builder.isEmpty()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 64, 1_023, 1_025, 70_000, 140_000})
  void holdsCellsThatDifferFromTheBase(int rows) throws Exception {
    Random random = new Random(SEED);
    FragmentBuilder builder = builder(ROW, Long.MAX_VALUE);
    List<Map<Long, String>> expected =
        List.of(new HashMap<>(), new HashMap<>(), new HashMap<>(), new HashMap<>());
    for (long row : random.longs(0, BASE_ROWS).distinct().limit(rows).toArray()) {
      @Nullable Object[] values = {
        random.nextInt(2) * row,
        random.nextInt(3) == 0 ? null : random.nextBoolean(),
        random.nextInt(3) == 0 ? null : random.nextInt(3),
        random.nextInt(3) == 0 ? null : "t".repeat(random.nextInt(3))
      };
      @Nullable Object[] defaults = {0L, false, 0, ""};
      for (int i = 0; i < values.length; i++) {
        if (!Objects.equals(values[i], defaults[i])) {
          expected.get(i).put(row, String.valueOf(values[i]));
        }
      }
      Object price = values[2] == null ? null : Decimal.createUnsafe((Integer) values[2], 18, 2);
      Object text = values[3] == null ? null : UTF8String.fromString((String) values[3]);
      assertThat(builder.update(row, row(values[0], values[1], price, text))).isFalse();
    }

    ChangeCargo cargo = builder.take(BASE);

    for (int i = 0; i < expected.size(); i++) {
      String name = ROW.apply(i).name();
      Map<Long, String> cells = new HashMap<>();
      for (ColumnUpdates update : cargo.tables().get(0).updates()) {
        for (long at = 0; update.column().equals(name) && at < update.rowIds().rowCount(); at++) {
          cells.put((Long) update.rowIds().get(at), String.valueOf(update.values().get(at)));
        }
      }
      assertThat(cells).as(name).isEqualTo(expected.get(i));
    }
    assertThat(builder.isEmpty()).isTrue();
  }

  @Test
  void sendsNothingOfRowsThatStayAsTheyAre() throws Exception {
    FragmentBuilder builder = builder(ROW, 1);
    for (long row = 0; row < 3_000; row++) {
      UTF8String none = UTF8String.fromString("");
      boolean enough = builder.update(row, row(0L, false, Decimal.createUnsafe(0, 18, 2), none));
      assertThat(enough).isFalse();
    }
    assertThat(builder.isEmpty()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 1_025, 65_536, 65_537, 150_000})
  void deletesRows(int rows) {
    FragmentBuilder builder = builder(ROW, Long.MAX_VALUE);
    long[] deleted = new Random(SEED).longs(0, BASE_ROWS).distinct().limit(rows).toArray();
    for (long row : deleted) {
      assertThat(builder.delete(row)).isFalse();
    }

    RowBits bits = builder.take(BASE).tables().get(0).deletedRows();

    assertThat(bits).isNotNull();
    assertThat(bits.cardinality()).isEqualTo(rows);
    assertThat(LongStream.of(deleted).allMatch(bits::get)).isTrue();
    assertThat(builder.isEmpty()).isTrue();
  }

  @Test
  void tellsWhenThereIsEnough() {
    StructType row = new StructType().add("text", DataTypes.StringType);
    FragmentBuilder builder = builder(row, 1 << 20);
    UTF8String text = UTF8String.fromString("x".repeat(1_000));
    List<Integer> taken = new ArrayList<>();
    int added = 0;
    for (int i = 0; i < 5_000; i++) {
      added++;
      if (builder.insert(row(text))) {
        ChangeCargo cargo = builder.take(BASE);
        assertThat(cargo.tables().get(0).insertedRowCount()).isEqualTo(added);
        assertThat(builder.takenBytes()).isEqualTo(added * 1_004L);
        taken.add(added);
        added = 0;
      }
    }
    assertThat(taken).containsExactly(2_048, 2_048);
    assertThat(builder.isEmpty()).isFalse();
  }

  @Test
  void refusesWhatHasNoPlace() {
    StructType row =
        new StructType().add("id", DataTypes.LongType, false).add("text", DataTypes.StringType);
    FragmentBuilder builder = builder(row, 1 << 20);
    builder.insert(row(null, null));
    assertThatThrownBy(() -> builder.take(BASE)).hasMessageContaining("column 'id' is NOT NULL");

    FragmentBuilder other = builder(row, 1 << 20);
    other.insert(row(1L, UTF8String.fromBytes(new byte[] {(byte) 0xC3})));
    assertThatThrownBy(() -> other.take(BASE)).hasMessageContaining("column 'text'");
  }
}
