package io.drayage.cargo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

final class ColumnBuilderTest {
  private static final int PAGE = ColumnValues.DEFAULT_ROWS_PER_PAGE;

  @ParameterizedTest
  @ValueSource(ints = {0, 1, PAGE - 1, PAGE, PAGE + 1, 2 * PAGE, 2 * PAGE + 1})
  void fillsPagesUpToTheirBorder(int rows) {
    ColumnBuilder builder = new ColumnBuilder(ColumnType.INT);
    for (int row = 0; row < rows; row++) {
      builder.addInt(row);
    }
    assertThat(builder.rowCount()).isEqualTo(rows);

    ColumnValues values = builder.build();

    assertThat(values.rowCount()).isEqualTo(rows);
    assertThat(values.pageCount()).isEqualTo((rows + PAGE - 1) / PAGE);
    assertThat(values.validity()).isNull();
    for (int row : new int[] {0, PAGE - 1, PAGE, 2 * PAGE - 1, 2 * PAGE, rows - 1}) {
      if (row >= 0 && row < rows) {
        assertThat(values.get(row)).isEqualTo(row);
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void nullsStandInTheirPlaceOnBothSidesOfAPageBorder(ColumnType type) {
    ColumnBuilder builder = new ColumnBuilder(type);
    for (int row = 0; row < 2 * PAGE + 3; row++) {
      if (row == PAGE || row == 2 * PAGE + 1) {
        builder.addNull();
      } else {
        RandomCargo.add(builder, type, 1);
      }
    }

    ColumnValues values = builder.build();

    for (long row = 0; row < values.rowCount(); row++) {
      boolean expected = row == PAGE || row == 2L * PAGE + 1;
      if (values.isNull(row) != expected) {
        assertThat(values.isNull(row)).as("row %d", row).isEqualTo(expected);
      }
    }
    assertThat(values.validity()).isNotNull();
  }

  @ParameterizedTest
  @EnumSource
  void refusesValuesOfAnotherTypeByName(ColumnType type) {
    for (ColumnType other : ColumnType.values()) {
      ColumnBuilder builder = new ColumnBuilder(type);
      if (other == type) {
        RandomCargo.add(builder, other, 1);
        continue;
      }
      assertThatThrownBy(() -> RandomCargo.add(builder, other, 1))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("a value of %s was added to a column of %s", other, type);
      assertThat(builder.rowCount()).isZero();
    }
  }

  @Test
  void nullTextIsANull() {
    ColumnValues values =
        new ColumnBuilder(ColumnType.STRING).addString(null).addNull().addString("a").build();

    assertThat(values.isNull(0)).isTrue();
    assertThat(values.isNull(1)).isTrue();
    assertThat(values.get(2)).isEqualTo("a");
  }
}
