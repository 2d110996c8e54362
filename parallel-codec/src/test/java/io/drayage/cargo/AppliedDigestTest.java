package io.drayage.cargo;

import static io.drayage.internal.Texts.format;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.drayage.testing.CargoBytes;
import io.drayage.testing.Repaging;
import io.drayage.testing.SpareRows;
import java.lang.reflect.Array;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.ToLongFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests {@link CargoDigest} too, where both must notice the same. */
final class AppliedDigestTest {
  private static final int ROWS = 300;
  private static final List<ToLongFunction<ChangeCargo>> DIGESTS =
      List.of(AppliedDigest::of, CargoDigest::of);

  private static ChangeCargo inserting(ColumnValues values) {
    return CargoBytes.cargoOf(values);
  }

  private static List<Long> of(ColumnValues values) {
    return of(inserting(values));
  }

  private static List<Long> of(ChangeCargo cargo) {
    return DIGESTS.stream().map(digest -> digest.applyAsLong(cargo)).toList();
  }

  private static void assertNoticed(List<Long> after, List<Long> before, String what) {
    for (int i = 0; i < DIGESTS.size(); i++) {
      assertThat(after.get(i)).as(what).isNotEqualTo(before.get(i));
    }
  }

  @Test
  void dependsNeitherOnPagingNorOnSpareRows() {
    for (int rows : new int[] {1, 130, 65_537}) {
      ChangeCargo cargo = RandomCargo.of(3, rows);
      List<Long> expected = of(cargo);
      for (int rowsPerPage : rows > 1_000 ? new int[] {300} : new int[] {1, 7, 64, 65_536}) {
        assertThat(of(Repaging.of(cargo, rowsPerPage)))
            .as("seed 3, %d rows in pages of %d", rows, rowsPerPage)
            .isEqualTo(expected);
      }
      assertThat(of(SpareRows.of(cargo, 4_096))).isEqualTo(expected);
    }
  }

  @ParameterizedTest
  @EnumSource
  void noticesEveryCellAndNull(ColumnType type) {
    for (boolean nullable : new boolean[] {false, true}) {
      long seed = nullable ? 7 : 8;
      List<Long> before = of(RandomCargo.column(seed, type, ROWS, nullable));
      for (int row = 0; row < ROWS; row += 23) {
        ColumnValues values = RandomCargo.column(seed, type, ROWS, nullable);
        if (!values.isNull(row)) {
          RandomCargo.change(values.page(0), row);
          assertNoticed(of(values), before, format("%s, row %d changed", type, row));
        }
        ColumnValues other = RandomCargo.column(seed, type, ROWS, nullable);
        if (toggleNull(other, row)) {
          assertNoticed(of(other), before, format("%s, null at row %d", type, row));
        }
      }
    }
  }

  private static boolean toggleNull(ColumnValues values, int row) {
    RowBits validity = values.validity();
    if (validity == null) {
      return false;
    } else if (validity.get(row)) {
      validity.clear(row);
    } else {
      validity.set(row);
    }
    return true;
  }

  @ParameterizedTest
  @EnumSource
  void whatStandsInANullPlaceDoesNotCount(ColumnType type) {
    List<Long> before = of(RandomCargo.column(5, type, ROWS, true));
    ColumnValues values = RandomCargo.column(5, type, ROWS, true);
    for (int row = 0; row < ROWS; row++) {
      if (values.isNull(row)) {
        RandomCargo.change(values.page(0), row);
      }
    }

    assertThat(of(values)).isEqualTo(before);
  }

  @ParameterizedTest
  @EnumSource
  void allValidIsAsWithoutValidityBits(ColumnType type) {
    ColumnValues plain = RandomCargo.column(6, type, ROWS, false);
    Object[] pages = (Object[]) Array.newInstance(type.pageClass(), 1);
    pages[0] = plain.page(0);

    assertThat(of(ColumnValues.of(pages, RowBits.allSet(ROWS)))).isEqualTo(of(plain));
  }

  /** A text may be longer than the buffer. Its length says where it ends. */
  @Test
  void noticesWhereTextsEnd() {
    SplittableRandom random = new SplittableRandom(1);
    StringBuilder longText = new StringBuilder();
    for (int i = 0; i < 10_000; i++) {
      longText.append((char) random.nextInt(1 << 15));
    }
    for (int cut : new int[] {0, 1, 2_045, 2_046, 2_047, 2_048, 9_999}) {
      String[] one = {longText.substring(0, cut), longText.substring(cut)};
      String[] other = {longText.substring(0, cut + 1), longText.substring(cut + 1)};
      List<Long> digests = of(ColumnValues.ofTexts(new String[][] {one}));
      assertNoticed(
          of(ColumnValues.ofTexts(new String[][] {other})), digests, format("cut at %d", cut));
      assertThat(of(ColumnValues.ofTexts(new String[][] {{one[0]}, {one[1]}}))).isEqualTo(digests);
    }
  }

  @Test
  void noticesSwappedBlocks() {
    long[][] pages = {new long[65_536], new long[65_536]};
    pages[1][3] = 1;

    assertNoticed(
        of(ColumnValues.of(new long[][] {pages[1], pages[0]})),
        of(ColumnValues.of(pages)),
        "swapped");
  }

  @Test
  void comparesWhatIsNotShared() {
    ChangeCargo cargo = RandomCargo.of(9, 300);
    long digest = AppliedDigest.of(cargo);
    assertThat(AppliedDigest.ofSame(cargo, cargo)).isEqualTo(digest);
    assertThat(AppliedDigest.ofSame(Repaging.of(cargo, 7), cargo)).isEqualTo(digest);

    ChangeCargo wrong = Repaging.of(cargo, 7);
    ColumnValues updated = wrong.tables().get(0).updates().get(3).values();
    RandomCargo.change(updated.page(40), firstFilled(updated, 280) - 280);
    assertThatIllegalStateException()
        .isThrownBy(() -> AppliedDigest.ofSame(wrong, cargo))
        .withMessageContaining("has digest %s", CargoDigest.toHex(AppliedDigest.of(wrong)))
        .withMessageContaining("but was received with digest %s", CargoDigest.toHex(digest));
  }

  private static int firstFilled(ColumnValues values, int from) {
    int row = from;
    while (values.isNull(row)) {
      row++;
    }
    return row;
  }

  /** Frozen, because the log contains digests. */
  @Test
  void isWhatItAlwaysWas() {
    assertThat(AppliedDigest.of(RandomCargo.of(1, 70_000))).isEqualTo(-6_042_403_032_151_906_478L);
  }
}
