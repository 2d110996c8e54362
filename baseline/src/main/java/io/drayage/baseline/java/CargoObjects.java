package io.drayage.baseline.java;

import io.drayage.baseline.stream.MemoryAccount;
import io.drayage.baseline.stream.StudyTexts;
import io.drayage.cargo.CargoSize;
import io.drayage.cargo.IllegalTextException;
import io.drayage.cargo.TextPage;
import java.io.IOException;
import java.io.InputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.OutputStream;
import org.jspecify.annotations.Nullable;

/**
 * Object streams of cargoes in which the pages of a column of texts are a {@code String[][]}, as in
 * the study. In memory, the pages are a {@code TextPage[]}.
 */
final class CargoObjects {
  private CargoObjects() {}

  /**
   * The least bytes that strings need as a page of texts. In a stream they may need far fewer,
   * because a repeated string is written once.
   */
  static long leastBytes(@Nullable String[] strings) {
    long bytes = (long) strings.length * CargoSize.TEXT_LENGTH_BYTES;
    for (String string : strings) {
      bytes += string == null ? 0 : string.length();
    }
    return bytes;
  }

  /** Writes strings in place of pages of texts. */
  static final class Writer extends ObjectOutputStream {
    Writer(OutputStream out) throws IOException {
      super(out);
      enableReplaceObject(true);
    }

    @Override
    protected Object replaceObject(Object object) {
      if (!(object instanceof TextPage[] pages)) {
        return object;
      }
      String[][] strings = new String[pages.length][];
      for (int p = 0; p < pages.length; p++) {
        strings[p] = StudyTexts.of(pages[p]);
      }
      return strings;
    }
  }

  /** Reads a stream of {@link Writer}, with only the classes that a filter accepts. */
  static final class Reader extends ObjectInputStream {
    private final MemoryAccount memory;

    /**
     * @param memory is charged with all arrays of the stream, and with the pages of texts
     */
    Reader(InputStream in, CargoFilter filter, MemoryAccount memory) throws IOException {
      super(in);
      this.memory = memory;
      setObjectInputFilter(filter);
      enableResolveObject(true);
    }

    @Override
    protected Object resolveObject(Object object) throws IOException {
      if (!(object instanceof @Nullable String[] @Nullable [] strings)) {
        return object;
      }
      TextPage[] pages = new TextPage[strings.length];
      long rows = 0;
      for (int p = 0; p < pages.length; p++) {
        @Nullable String[] page = strings[p];
        if (page != null) { // ColumnValues names a missing page.
          pages[p] = page(page, rows);
          rows += page.length;
        }
      }
      return pages;
    }

    private TextPage page(String[] strings, long firstRow) throws IOException {
      try {
        long least = leastBytes(strings);
        memory.charge(least);
        TextPage page = TextPage.of(strings);
        long rows = page.rows();
        memory.charge(page.byteCount(0, page.rows()) + rows * CargoSize.TEXT_LENGTH_BYTES - least);
        return page;
      } catch (IllegalTextException e) {
        throw new IOException(e.in("a column", firstRow).getMessage(), e);
      }
    }
  }
}
