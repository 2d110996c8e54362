package io.drayage.codec;

import io.drayage.cargo.ColumnValues;
import io.drayage.cargo.RowBits;
import io.drayage.cargo.TextPage;
import java.lang.reflect.Array;
import java.util.Arrays;

/** Fills allocated parts with something by which a stray write shows. */
final class RowPattern {
  private static final byte NUMBER = 0x5A;
  private static final long WORD = 0x5A5A_5A5A_5A5A_5A5AL;

  private RowPattern() {}

  static void fill(ColumnValues values) {
    for (int p = 0; p < values.pageCount(); p++) {
      Object page = values.pageForWrite(p);
      if (page instanceof boolean[] booleans) {
        Arrays.fill(booleans, true);
      } else if (!(page instanceof TextPage)) { // Nothing can be put into a row of texts twice.
        for (int i = 0; i < Array.getLength(page); i++) {
          Array.setByte(page, i, NUMBER); // widened to the type of the page
        }
      }
    }
    if (values.validity() != null) {
      fill(values.validity());
    }
  }

  static void fill(RowBits bits) {
    for (long w = 0; w < bits.wordCount(); w++) {
      bits.setWord(w, WORD);
    }
  }

  static boolean isKept(ColumnValues values, long row) {
    RowBits validity = values.validity();
    Object page = values.page(values.pageOf(row));
    boolean kept;
    if (page instanceof TextPage texts) {
      kept = texts.length(values.offsetOf(row)) == 0;
    } else {
      Object value = Array.get(page, values.offsetOf(row));
      kept = value instanceof Number number ? number.doubleValue() == NUMBER : value.equals(true);
    }
    return kept && (validity == null || isKept(validity, row));
  }

  static boolean isKept(RowBits bits, long row) {
    return bits.get(row) == ((WORD >>> row & 1) != 0);
  }
}
