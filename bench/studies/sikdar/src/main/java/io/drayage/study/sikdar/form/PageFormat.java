package io.drayage.study.sikdar.form;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * The format of objects in pages. An experiment handles <em>entries</em>. An entry is the object on
 * the heap, or the bytes of the object if a format can use them directly. Not thread-safe.
 */
public interface PageFormat {
  /** Bytes of the study's pages. No object crosses pages; a larger object has its own page. */
  int PAGE_BYTES = 262_144;

  String name();

  /** Returns an entry of an object; the cost counts as writing. */
  default Object entryOf(ObjectKind kind, Object object) {
    return object;
  }

  /** Returns the key that orders entries; see {@link ObjectKind#key}. */
  default long key(ObjectKind kind, Object entry) {
    return kind.key(entry);
  }

  /** Returns the prices of an entry; see {@link ObjectKind#price}. */
  default double price(ObjectKind kind, Object entry) {
    return kind.price(entry);
  }

  /** Returns a writer of entries into pages. */
  PageWriter writer(ObjectKind kind, PageSink sink);

  /** Returns all entries of a page. They are valid until the page is overwritten. */
  List<Object> entries(ObjectKind kind, ByteBuffer page) throws IOException;

  /** Returns one entry of a page, without reading the others if the format allows it. */
  default Object entry(ObjectKind kind, ByteBuffer page, int slot) throws IOException {
    return entries(kind, page).get(slot);
  }

  /** Accepts pages. */
  interface PageSink {
    /**
     * Accepts a page.
     *
     * @param page a full page, from position to limit; valid until the method returns
     * @param entries number of its entries
     */
    void accept(ByteBuffer page, int entries) throws IOException;
  }

  /** Fills pages. Closing passes on the last one. */
  interface PageWriter extends AutoCloseable {
    void add(Object entry) throws IOException;

    @Override
    void close() throws IOException;
  }
}
