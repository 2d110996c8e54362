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
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** Small cargoes with content that codecs may get wrong. Every NaN is the canonical one. */
final class SmallContents {
  static final long SEED = 41;

  private SmallContents() {}

  static List<TestContent> all() {
    List<TestContent> contents = new ArrayList<>();
    contents.add(
        new TestContent("no table", ChangeCargo.builder(new UUID(-1, 1), Long.MIN_VALUE).build()));
    contents.add(TestContent.ofTable("a table without changes", table -> {}));
    for (int rows : new int[] {0, 1, 2, 63, 64, 65, 257}) {
      contents.add(
          new TestContent(
              format("every type, %d rows, seed %d", rows, SEED), RandomCargo.of(SEED, rows)));
    }
    contents.add(TestContent.ofTable("extremes", SmallContents::addExtremes));
    contents.add(TestContent.ofTable("nothing but nulls", SmallContents::addNulls));
    contents.add(TestContent.ofTable("texts", HardTexts::addTo));
    contents.add(TestContent.ofTable("deletes", SmallContents::addDeletes));
    contents.add(names());
    addOddPages(contents);
    return contents;
  }

  private static void addOddPages(List<TestContent> contents) {
    ChangeCargo cargo = RandomCargo.of(SEED, 300);
    for (int rowsPerPage : new int[] {1, 7, 64, 299, 300}) {
      contents.add(
          new TestContent(
              format("pages of %d rows, seed %d", rowsPerPage, SEED),
              Repaging.of(cargo, rowsPerPage)));
    }
    for (int rowsPerPage : new int[] {7, 128, 1_000}) {
      contents.add(
          new TestContent(
              format("spare rows in pages of %d rows, seed %d", rowsPerPage, SEED),
              SpareRows.of(cargo, rowsPerPage)));
    }
  }

  private static void addExtremes(ChangeCargo.TableChangesBuilder table) {
    byte[][] bytes = {{Byte.MIN_VALUE, -1, 0, 1, Byte.MAX_VALUE, 5, 6}};
    short[][] shorts = {{Short.MIN_VALUE, -1, 0, 1, Short.MAX_VALUE, 256, -256}};
    int[][] ints = {{Integer.MIN_VALUE, -1, 0, 1, Integer.MAX_VALUE, 1 << 16, -(1 << 16)}};
    long[][] longs = {{Long.MIN_VALUE, -1, 0, 1, Long.MAX_VALUE, 1L << 32, -(1L << 32)}};
    boolean[][] booleans = {{true, false, true, true, false, false, true}};
    float[][] floats = {
      {
        Float.NEGATIVE_INFINITY,
        -Float.MAX_VALUE,
        -0.0f,
        0.0f,
        Float.MIN_VALUE,
        Float.POSITIVE_INFINITY,
        Float.NaN
      }
    };
    double[][] doubles = {
      {
        Double.NEGATIVE_INFINITY,
        -Double.MAX_VALUE,
        -0.0,
        0.0,
        Double.MIN_VALUE,
        Double.POSITIVE_INFINITY,
        Double.NaN
      }
    };
    List<Object[]> columns = List.of(bytes, shorts, ints, longs, booleans, floats, doubles);
    for (int c = 0; c < columns.size(); c++) {
      table.insert("column" + c, ColumnValues.of(columns.get(c)));
      table.update("column" + c, ColumnValues.of(longs), ColumnValues.of(columns.get(c)));
    }
  }

  private static void addNulls(ChangeCargo.TableChangesBuilder table) {
    for (ColumnType type : ColumnType.values()) {
      ColumnBuilder column = new ColumnBuilder(type);
      for (int row = 0; row < 130; row++) {
        column.addNull();
      }
      table.insert("in_" + type, column.build());
    }
  }

  private static void addDeletes(ChangeCargo.TableChangesBuilder table) {
    RowBits few = new RowBits(200_001);
    few.set(0);
    few.set(65_535);
    few.set(65_536);
    few.set(200_000);
    table.delete(few);
  }

  private static TestContent names() {
    ChangeCargo.Builder cargo = ChangeCargo.builder(new UUID(Long.MIN_VALUE, Long.MAX_VALUE), -1);
    for (String name : List.of(" ", "täbelle", "表", "\uD83D\uDE9A", "n".repeat(1_000), "\u200C")) {
      cargo.table(
          name,
          table -> {
            table.insert(name, ColumnValues.of(new int[][] {{1}}));
            table.delete(RowBits.allSet(name.length()));
          });
    }
    cargo.table("no rows to delete from", table -> table.delete(new RowBits(0)));
    cargo.table("all deleted", table -> table.delete(RowBits.allSet(129)));
    return new TestContent("names of every kind", cargo.build());
  }
}
