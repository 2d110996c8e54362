package io.drayage.spark.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.ColumnValues;
import io.drayage.cargo.InsertedColumn;
import io.drayage.spark.database.TableDescription;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
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

  private static final StructType ROW =
      new StructType()
          .add("id", DataTypes.LongType, false)
          .add("flag", DataTypes.BooleanType)
          .add("price", DataTypes.createDecimalType(18, 2))
          .add("text", DataTypes.StringType);

  private static FragmentBuilder builder(StructType row, long bytes) {
    return new FragmentBuilder(TaskTable.of(TableDescription.of("rows", row), false, row), bytes);
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
      // One row object for all, as Spark has it.
      assertThat(builder.add(projection.apply(added))).isFalse();
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

  @Test
  void tellsWhenThereIsEnough() {
    StructType row = new StructType().add("text", DataTypes.StringType);
    FragmentBuilder builder = builder(row, 1 << 20);
    UTF8String text = UTF8String.fromString("x".repeat(1_000));
    List<Integer> taken = new ArrayList<>();
    int added = 0;
    for (int i = 0; i < 5_000; i++) {
      added++;
      if (builder.add(row(text))) {
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
  void refusesNullInColumnThatHasNone() {
    StructType row = new StructType().add("id", DataTypes.LongType, false);
    FragmentBuilder builder = builder(row, 1 << 20);
    builder.add(row((Object) null));
    assertThatThrownBy(() -> builder.take(BASE)).hasMessageContaining("column 'id' is NOT NULL");
  }

  @Test
  void refusesTextThatIsNone() {
    StructType row = new StructType().add("text", DataTypes.StringType);
    FragmentBuilder builder = builder(row, 1 << 20);
    builder.add(row(UTF8String.fromBytes(new byte[] {(byte) 0xC3})));
    assertThatThrownBy(() -> builder.take(BASE)).hasMessageContaining("column 'text'");
  }
}
