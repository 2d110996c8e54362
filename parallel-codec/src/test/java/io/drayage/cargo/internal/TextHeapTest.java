package io.drayage.cargo.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.cargo.ColumnType;
import io.drayage.cargo.ColumnValues;
import io.drayage.cargo.Latin1Texts;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class TextHeapTest {
  private final TextHeap heap = new TextHeap();

  @Test
  void textsComeBackFromTheirNumbers() {
    @Nullable String[] narrow = {"a", null, "bc", "", "a", "\u00e9"};
    @Nullable String[] wide = {"\ud834\udd1e", "a", null, "\ud800"};
    ColumnValues numbers = ColumnValues.allocate(ColumnType.LONG, 12, false);
    heap.add(narrow, 6, numbers, 1);
    heap.add(new Latin1Texts(new byte[] {'x', 'y', 'z'}, new int[] {0, 1, 3}, null), numbers, 7);
    ColumnValues texts = heap.texts(numbers);

    assertThat(texts.toArray())
        .isEqualTo(
            new @Nullable String[] {"", "a", null, "bc", "", "a", "\u00e9", "x", "yz", "", "", ""});
    Latin1Texts side = texts.texts(0);
    assertThat(side).isNotNull();
    assertThat(side.toStrings()).isEqualTo(texts.page(0));

    heap.add(wide, 4, numbers, 8);
    assertThat(texts.texts(0)).isNull();
    assertThat((String[]) texts.page(0)).endsWith("x", "\ud834\udd1e", "a", null, "\ud800");
  }

  @Test
  void rowsMayCrossPagesAndChunksMayBeMany() {
    long rows = ColumnValues.DEFAULT_ROWS_PER_PAGE + 40L;
    ColumnValues numbers = ColumnValues.allocate(ColumnType.LONG, rows, false);
    for (int i = 0; i < 40; i++) {
      heap.add(new String[] {"t" + i, "u" + i}, 2, numbers, rows - 80 + 2L * i);
    }
    ColumnValues texts = heap.texts(numbers);
    assertThat(texts.get(rows - 80)).isEqualTo("t0");
    assertThat(texts.get(rows - 1)).isEqualTo("u39");
  }
}
