package io.drayage.cargo;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.UUID;
import org.junit.jupiter.api.Test;

final class CargoSizeTest {
  private static final UUID ID = new UUID(1, 2);

  @Test
  void countsFixedWidthValuesByTheirWidth() {
    assertThat(CargoSize.rawBytes(ColumnValues.of(new int[][] {{1, 2}, {3}}))).isEqualTo(12);
    assertThat(CargoSize.rawBytes(ColumnValues.of(new double[][] {{1, 2}}))).isEqualTo(16);
    assertThat(CargoSize.rawBytes(ColumnValues.of(new boolean[][] {{true}}))).isEqualTo(1);
    assertThat(CargoSize.rawBytes(ColumnValues.of(new long[0][]))).isZero();
  }

  @Test
  void countsValidityBitsByWholeWords() {
    ColumnValues values = ColumnValues.of(new byte[][] {new byte[65]}, RowBits.allSet(65));
    assertThat(CargoSize.rawBytes(values)).isEqualTo(65 + 2 * 8);
  }

  @Test
  void countsTextByItsBytes() {
    assertThat(rawBytes("")).isEqualTo(4);
    assertThat(rawBytes("abc")).isEqualTo(4 + 3);
    assertThat(rawBytes("\u00FF")).isEqualTo(4 + 2);
    assertThat(rawBytes("a\u4e2d")).isEqualTo(4 + 4);
  }

  private static long rawBytes(String text) {
    return CargoSize.rawBytes(ColumnValues.ofTexts(new String[] {text}));
  }

  @Test
  void addsUpTextsOverAllPages() {
    ColumnValues texts = ColumnValues.ofTexts(new String[][] {{"ab", null}, {"\u20AC"}});
    assertThat(CargoSize.rawBytes(texts)).isEqualTo(6 + 4 + 7 + 8);
  }

  @Test
  void addsUpInsertsUpdatesAndDeletesOfAllTables() {
    ChangeCargo cargo =
        ChangeCargo.builder(ID, 7)
            .table(
                "sales",
                sales ->
                    sales
                        .insert("product", ColumnValues.of(new int[][] {{1, 2, 3}}))
                        .insert("name", ColumnValues.ofTexts(new String[][] {{"a", "b", "c"}}))
                        .update(
                            "stock",
                            ColumnValues.of(new long[][] {{4, 5}}),
                            ColumnValues.of(new short[][] {{6, 7}})))
            .table("old", old -> old.delete(RowBits.allSet(100)))
            .table("hardly", hardly -> hardly.delete(oneOf(129)))
            .build();
    assertThat(CargoSize.rawBytes(cargo)).isEqualTo(3 * 4 + 3 * 5 + 2 * (8 + 2) + 2 * 8 + 8);
    assertThat(CargoSize.valueCount(cargo)).isEqualTo(6 + 4 + 2 + 1);
  }

  private static RowBits oneOf(long rows) {
    RowBits bits = new RowBits(rows);
    bits.set(rows / 2);
    return bits;
  }
}
