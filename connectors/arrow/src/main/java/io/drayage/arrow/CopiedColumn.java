package io.drayage.arrow;

import io.drayage.cargo.ColumnType;
import io.drayage.cargo.ColumnValues;
import io.drayage.cargo.RowBits;
import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.types.pojo.Field;
import org.jspecify.annotations.Nullable;

/** A column to which vectors are copied, one after another. Not thread-safe. */
final class CopiedColumn {
  private static final int PAGE_ROWS = ColumnValues.DEFAULT_ROWS_PER_PAGE;

  private final ColumnType type;
  private final List<VectorPage> pages = new ArrayList<>();
  private long rows;

  /**
   * @throws IllegalArgumentException if a cargo cannot hold its values, with the column's name
   */
  CopiedColumn(Field field) {
    this.type = ArrowColumns.type(field);
  }

  void append(FieldVector vector) {
    for (int done = 0; done < vector.getValueCount(); ) {
      int offset = (int) (rows % PAGE_ROWS);
      int count = Math.min(vector.getValueCount() - done, PAGE_ROWS - offset);
      if (offset == 0) {
        int textBytes = pages.isEmpty() ? 0 : pages.get(pages.size() - 1).textBytes();
        pages.add(new VectorPage(type, rows, PAGE_ROWS, count, textBytes));
      }
      pages.get(pages.size() - 1).append(vector, done, count);
      done += count;
      rows += count;
    }
  }

  /** Returns the values so far. */
  ColumnValues values() {
    Object[] made = (Object[]) Array.newInstance(type.pageClass(), pages.size());
    Arrays.setAll(made, page -> pages.get(page).page());
    return ColumnValues.of(made, validity());
  }

  private @Nullable RowBits validity() {
    RowBits validity = RowBits.allSet(rows);
    boolean hasNulls = false;
    for (int p = 0; p < pages.size(); p++) {
      RowBits bits = pages.get(p).validity();
      if (bits.cardinality() < bits.size()) {
        hasNulls = true;
        long first = (long) p * (PAGE_ROWS / Long.SIZE);
        for (long word = 0; word < (pages.get(p).rows() + 63) / Long.SIZE; word++) {
          validity.setWord(first + word, bits.word(word));
        }
      }
    }
    return hasNulls ? validity : null;
  }
}
