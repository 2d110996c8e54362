package io.drayage.cargo;

import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.testing.Repaging;
import java.util.List;
import java.util.UUID;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

final class CargoDigestTest {
  private static final UUID ID = new UUID(1, 2);
  private static final ColumnValues ONE = ColumnValues.of(new long[][] {{1}});

  @Test
  void rangesOfRowsAddUpToTheColumn() {
    for (ColumnType type : ColumnType.values()) {
      ColumnValues values = Repaging.of(RandomCargo.column(5, type, 1_000, true), 77);
      long sum = 0;
      for (int from = 0; from < 1_000; from += 130) {
        sum += CargoDigest.ofRows(values, from, Math.min(130, 1_000 - from), from);
      }
      assertThat(sum).as("%s", type).isEqualTo(CargoDigest.ofColumn(values));
    }
  }

  @Test
  void floatingPointValuesCountWithTheirBits() {
    double payload = Double.longBitsToDouble(0x7FF8_0000_0000_0001L);
    float floatPayload = Float.intBitsToFloat(0x7FC0_0001);

    assertDiffer(
        ColumnValues.of(new double[][] {{0.0}}),
        ColumnValues.of(new double[][] {{-0.0}}),
        ColumnValues.of(new double[][] {{Double.NaN}}),
        ColumnValues.of(new double[][] {{payload}}));
    assertDiffer(
        ColumnValues.of(new float[][] {{0.0f}}),
        ColumnValues.of(new float[][] {{-0.0f}}),
        ColumnValues.of(new float[][] {{Float.NaN}}),
        ColumnValues.of(new float[][] {{floatPayload}}));
  }

  @Test
  void everyChangeOfAColumnShows() {
    RowBits firstNull = new RowBits(2);
    firstNull.set(1);
    assertDiffer(
        ColumnValues.of(new int[][] {{1, 2}}),
        ColumnValues.of(new int[][] {{2, 1}}),
        ColumnValues.of(new int[][] {{1, 3}}),
        ColumnValues.of(new int[][] {{1, 2}}, firstNull),
        ColumnValues.of(new int[][] {{1, 2, 0}}),
        ColumnValues.of(new int[][] {{1}}),
        ColumnValues.of(new int[0][]),
        ColumnValues.of(new long[][] {{1, 2}}),
        ColumnValues.of(new boolean[][] {{false, true}}),
        ColumnValues.of(new boolean[][] {{true, false}}),
        ColumnValues.ofTexts(new String[][] {{"ab", "c"}}),
        ColumnValues.ofTexts(new String[][] {{"a", "bc"}}),
        ColumnValues.ofTexts(new String[][] {{"a", ""}}),
        ColumnValues.ofTexts(new String[][] {{"a", null}}));
  }

  @Test
  void everyChangeOfTheShapeShows() {
    RowBits one = new RowBits(65);
    one.set(64);
    List<ChangeCargo> cargoes =
        List.of(
            cargo("t", t -> {}),
            cargo("u", t -> {}),
            cargo("t", t -> t.insert("a", ONE)),
            cargo("t", t -> t.insert("b", ONE)),
            cargo("t", t -> t.insert("a", ONE).insert("b", ONE)),
            cargo("t", t -> t.insert("b", ONE).insert("a", ONE)),
            cargo("t", t -> t.update("a", ONE, ONE)),
            cargo("t", t -> t.delete(new RowBits(65))),
            cargo("t", t -> t.delete(new RowBits(66))),
            cargo("t", t -> t.delete(one)),
            ChangeCargo.builder(ID, 8).table("t", t -> {}).build(),
            ChangeCargo.builder(new UUID(1, 3), 7).table("t", t -> {}).build(),
            ChangeCargo.builder(ID, 7).build(),
            adding("t", ColumnSchema.of("a", ColumnType.LONG)),
            adding("u", ColumnSchema.of("a", ColumnType.LONG)),
            adding("t", ColumnSchema.of("b", ColumnType.LONG)),
            adding("t", ColumnSchema.of("a", ColumnType.INT)),
            adding("t", ColumnSchema.nullable("a", ColumnType.LONG)),
            ChangeCargo.builder(ID, 7).table("t", t -> {}).table("u", t -> {}).build(),
            ChangeCargo.builder(ID, 7).table("u", t -> {}).table("t", t -> {}).build());

    assertThat(cargoes.stream().map(CargoDigest::of)).doesNotHaveDuplicates();
    assertThat(CargoDigest.toHex(10)).isEqualTo("000000000000000a");
  }

  private static ChangeCargo adding(String table, ColumnSchema column) {
    return ChangeCargo.builder(ID, 7).newTable(TableSchema.of(table, column)).build();
  }

  private static ChangeCargo cargo(
      String table, Consumer<ChangeCargo.TableChangesBuilder> changes) {
    return ChangeCargo.builder(ID, 7).table(table, changes).build();
  }

  private static void assertDiffer(ColumnValues... columns) {
    assertThat(List.of(columns)).extracting(CargoDigestTest::ofColumn).doesNotHaveDuplicates();
  }

  private static long ofColumn(ColumnValues values) {
    return CargoDigest.of(cargo("t", t -> t.insert("a", values)));
  }
}
