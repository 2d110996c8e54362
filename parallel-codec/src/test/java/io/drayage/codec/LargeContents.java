package io.drayage.codec;

import static io.drayage.internal.Texts.format;

import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.ColumnBuilder;
import io.drayage.cargo.ColumnType;
import io.drayage.cargo.ColumnValues;
import io.drayage.cargo.RandomCargo;
import io.drayage.cargo.RowBits;
import io.drayage.testing.Repaging;
import io.drayage.testing.SpareRows;
import java.util.List;
import java.util.Random;
import java.util.function.LongSupplier;

/** Cargoes beyond one page or one buffer. Every NaN is the canonical one. */
final class LargeContents {
  static final long SEED = 43;
  private static final int PAGE = ColumnValues.DEFAULT_ROWS_PER_PAGE;

  private LargeContents() {}

  /** A page, one row fewer, one more, and pages of other sizes; few bytes a row. */
  static List<TestContent> pageBorders() {
    return List.of(
        narrow("a row less than a page", PAGE - 1, ColumnType.SHORT, ColumnType.STRING),
        narrow("a page", PAGE, ColumnType.BYTE, ColumnType.INT),
        moreThanAPage(),
        repaged("pages of 40,000 rows", narrow("", PAGE + 1, ColumnType.FLOAT), 40_000),
        new TestContent(
            "spare rows in the second page",
            SpareRows.of(narrow("", PAGE + 1, ColumnType.SHORT).cargo(), PAGE)));
  }

  /** The smallest of {@link #pageBorders}. */
  static TestContent moreThanAPage() {
    return narrow("a row more than a page", PAGE + 1, ColumnType.BOOLEAN, ColumnType.STRING);
  }

  private static TestContent repaged(String name, TestContent content, int rowsPerPage) {
    return new TestContent(name, Repaging.of(content.cargo(), rowsPerPage));
  }

  private static TestContent narrow(String name, int rows, ColumnType... types) {
    return TestContent.ofTable(
        format("%s, %,d rows, seed %d", name, rows, SEED),
        table -> {
          for (ColumnType type : types) {
            table.insert("c_" + type, compressible(type, rows));
          }
          RowBits deleted = RowBits.allSet(rows);
          deleted.clear(rows - 1);
          table.delete(deleted);
        });
  }

  /** Few different values, some of them null. */
  private static ColumnValues compressible(ColumnType type, int rows) {
    Random random = new Random(SEED + type.id());
    ColumnBuilder column = new ColumnBuilder(type);
    for (int row = 0; row < rows; row++) {
      int value = random.nextInt(1 + row % 50);
      if (value == 7) {
        column.addNull();
      } else {
        RandomCargo.add(column, type, value);
      }
    }
    return column.build();
  }

  /** Cargoes that compress extremely well, and not at all: 64 KiB each. */
  static List<TestContent> ratios() {
    return List.of(constant(8_192), random(8_192));
  }

  /** Cargoes of these kinds above the size of a segment, and others too slow for every pair. */
  static List<TestContent> heavy() {
    return List.of(
        constant(600_000),
        random(200_000),
        TestContent.ofTable("all of Unicode", HardTexts::addAllOfUnicodeTo));
  }

  /** Noise of 13 MB in columns of every type. */
  static TestContent everyTypeBeyondAPage() {
    return new TestContent(
        format("every type, %,d rows, seed %d", PAGE + 1, SEED), RandomCargo.of(SEED, PAGE + 1));
  }

  private static TestContent constant(int rows) {
    return TestContent.ofTable(
        format("%,d times the same", rows), table -> table.insert("zeros", filled(rows, () -> 0)));
  }

  private static TestContent random(int rows) {
    return TestContent.ofTable(
        format("%,d random longs, seed %d", rows, SEED),
        table -> table.insert("noise", filled(rows, new Random(SEED)::nextLong)));
  }

  private static ColumnValues filled(int rows, LongSupplier value) {
    ColumnBuilder column = new ColumnBuilder(ColumnType.LONG);
    for (int row = 0; row < rows; row++) {
      column.addLong(value.getAsLong());
    }
    return column.build();
  }

  /** NaNs with every kind of payload, in columns with and without nulls. */
  static ChangeCargo nans() {
    double[][] doubles = {
      {
        Double.longBitsToDouble(0x7FF0_0000_0000_0001L),
        Double.longBitsToDouble(0x7FF8_0000_0000_0001L),
        Double.longBitsToDouble(0xFFF8_0000_0000_0000L),
        Double.longBitsToDouble(0xFFFF_FFFF_FFFF_FFFFL)
      }
    };
    // Only quiet ones: moving a signalling float may make it quiet, on any path.
    float[][] floats = {
      {
        Float.intBitsToFloat(0x7FC0_0001),
        Float.intBitsToFloat(0xFFC0_0000),
        Float.intBitsToFloat(0xFFFF_FFFF),
        Float.intBitsToFloat(0x7FFF_FFFF)
      }
    };
    RowBits validity = RowBits.allSet(4);
    validity.clear(2);
    return TestContent.ofTable(
            "NaNs",
            table ->
                table
                    .insert("doubles", ColumnValues.of(doubles))
                    .insert("nullable_doubles", ColumnValues.of(doubles, validity))
                    .insert("floats", ColumnValues.of(floats))
                    .insert("nullable_floats", ColumnValues.of(floats, validity)))
        .cargo();
  }
}
