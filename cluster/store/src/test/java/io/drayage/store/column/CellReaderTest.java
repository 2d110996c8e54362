package io.drayage.store.column;

import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.cargo.ColumnSchema;
import io.drayage.cargo.ColumnType;
import io.drayage.cargo.ColumnValues;
import java.util.List;
import org.junit.jupiter.api.Test;

class CellReaderTest {
  /** A column of three extents, the last one in two pages. */
  private static StoredColumn column() {
    return new StoredColumn(
        ColumnSchema.nullable("text", ColumnType.STRING),
        List.of(
            Extent.adopt(ColumnValues.ofTexts(new String[][] {{"a", "b", null, "d"}}), 0),
            Extent.adopt(ColumnValues.ofTexts(new String[][] {{"", ""}}), 4),
            Extent.adopt(ColumnValues.ofTexts(new String[][] {{"g", "hh"}, {"iii"}}), 6)));
  }

  /** Otherwise each row would be a run, and each insertion would move the runs before it. */
  @Test
  void textsOfRowsInNoOrderAreOneRun() {
    ColumnValues rowIds = ColumnValues.of(new long[][] {{8, 0, 4, 7, 2, 6, 3, 5, 1}});
    CellReader cells = new CellReader(column());

    for (ColumnValues read : List.of(cells.read(rowIds), cells.readOnDemand(rowIds))) {
      assertThat(read.toArray(String[].class))
          .containsExactly("iii", "a", "", "hh", null, "g", "d", "", "b");
      assertThat(read.texts(0).runs(0, 9)).hasSize(1);
    }
  }

  @Test
  void textsOfPagesThatWereNeverWrittenAreEmpty() {
    StoredColumn defaults =
        StoredColumn.ofDefaults(ColumnSchema.of("text", ColumnType.STRING), 100_000);
    ColumnValues rowIds = ColumnValues.of(new long[][] {{99_999, 0, 70_000}});

    assertThat(new CellReader(defaults).read(rowIds).toArray(String[].class))
        .containsExactly("", "", "");
  }
}
