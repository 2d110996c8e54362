package io.drayage.study.sikdar.form;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * How objects lie in pages. What an experiment handles is an <em>entry</em>: the object on the
 * heap, or the bytes of an object where a format can use those as they are. Not thread-safe.
 */
public interface PageFormat {
  /** The study's pages. No object lies across two; one that is larger has a page of its own. */
  int PAGE_BYTES = 262_144;

  String name();

  /** An entry of an object; what it costs counts as writing. */
  default Object entryOf(ObjectKind kind, Object object) {
    return object;
  }

  /** The object that an entry stands for. */
  default Object objectOf(ObjectKind kind, Object entry) {
    return entry;
  }

  /** What orders entries; see {@link ObjectKind#key}. */
  default long key(ObjectKind kind, Object entry) {
    return kind.key(entry);
  }

  /** What a reader does with an entry; see {@link ObjectKind#price}. */
  default double price(ObjectKind kind, Object entry) {
    return kind.price(entry);
  }

  /** Entries on their way into pages. */
  PageWriter writer(ObjectKind kind, PageSink sink);

  /** All entries of a page. They are valid as long as the page is not overwritten. */
  List<Object> entries(ObjectKind kind, ByteBuffer page) throws IOException;

  /** One entry of a page, which is read by itself if the format can. */
  default Object entry(ObjectKind kind, ByteBuffer page, int slot) throws IOException {
    return entries(kind, page).get(slot);
  }

  /** Takes pages. */
  @FunctionalInterface
  interface PageSink {
    /**
     * Takes one.
     *
     * @param page a full page, from position to limit; valid until the method returns
     * @param entries how many entries it has
     */
    void accept(ByteBuffer page, int entries) throws IOException;
  }

  /** Fills pages. Closing hands over the last one. */
  interface PageWriter extends AutoCloseable {
    void add(Object entry) throws IOException;

    @Override
    void close() throws IOException;
  }
}
