package io.drayage.baseline.stream;

import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.ColumnType;
import io.drayage.cargo.ColumnValues;
import io.drayage.cargo.TextPage;
import io.drayage.codec.SegmentRows;
import io.drayage.codec.Serializer;
import io.drayage.segment.CargoAssembler;
import io.drayage.segment.Segment;
import java.util.Collections;
import java.util.Map;
import java.util.WeakHashMap;

/**
 * Texts as strings: the study's system had strings in memory, and its serializers wrote them. A
 * measurement has the strings made before the clock starts, by {@link #prepare}. Other strings are
 * made at each call, and not kept. Thread-safe.
 */
public final class StudyTexts {
  /** Compares pages by identity, since pages define no equality. */
  private static final Map<TextPage, String[]> MADE =
      Collections.synchronizedMap(new WeakHashMap<>());

  private StudyTexts() {}

  /**
   * Makes the strings of a cargo in memory if {@code serializer} writes strings. The strings stay
   * until the next call. Forgets all other strings.
   */
  public static void prepare(Serializer serializer, ChangeCargo cargo) {
    Map<TextPage, String[]> wanted = new WeakHashMap<>();
    if (serializer instanceof StreamSerializer own && own.carriesStrings()) {
      CargoAssembler.contentsOf(cargo).stream()
          .filter(ColumnValues.class::isInstance)
          .map(ColumnValues.class::cast)
          .filter(values -> values.type() == ColumnType.STRING && !values.isOnDemand())
          .forEach(
              values -> {
                for (int p = 0; p < values.pageCount(); p++) {
                  wanted.computeIfAbsent(values.texts(p), StudyTexts::of);
                }
              });
    }
    synchronized (MADE) {
      MADE.clear();
      MADE.putAll(wanted);
    }
  }

  /** Forgets all strings, which would otherwise exist for some time longer than their pages. */
  public static void forget() {
    MADE.clear();
  }

  /** Returns the strings of a page, which must not be changed. */
  public static String[] of(TextPage page) {
    String[] made = MADE.get(page);
    return made == null ? page.toStrings() : made;
  }

  /** Returns the strings of the segment's rows. */
  static String[] of(ColumnValues texts, Segment segment) {
    String[] strings = new String[segment.rowCount()];
    for (int done = 0; done < strings.length; ) {
      long row = segment.firstRow() + done;
      int offset = texts.offsetOf(row);
      int count = Math.min(strings.length - done, texts.rowsPerPage() - offset);
      String[] made = MADE.get(texts.texts(texts.pageOf(row)));
      if (made == null) {
        return SegmentRows.texts(texts, segment).toStrings();
      }
      System.arraycopy(made, offset, strings, done, count);
      done += count;
    }
    return strings;
  }
}
