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
 * Texts as strings, which the study's system had in memory, and its serializers wrote. Whoever
 * measures these has the strings made before the clock starts, by {@link #prepare}; else they are
 * made when they are asked for, and not kept. Thread-safe.
 */
public final class StudyTexts {
  /** Goes by identity, since pages have no equality of their own. */
  private static final Map<TextPage, String[]> MADE =
      Collections.synchronizedMap(new WeakHashMap<>());

  private StudyTexts() {}

  /**
   * Makes the strings of a cargo in memory if {@code serializer} writes strings; they stay until
   * this is called again. Forgets all other strings.
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

  /** Forgets all strings, which would else stay for some time after their pages. */
  public static void forget() {
    MADE.clear();
  }

  /** The strings of a page, which are not to be changed. */
  public static String[] of(TextPage page) {
    String[] made = MADE.get(page);
    return made == null ? page.toStrings() : made;
  }

  /** The strings of the segment's rows. */
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
