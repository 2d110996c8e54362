package io.drayage.study.sikdar.form;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * How objects lie in pages. What an experiment handles is an <em>entry</em>: an object on the heap,
 * or the bytes of an object where those can be used as they are. Not thread-safe.
 */
public interface PageFormat {
  /** The study's pages. No object lies across two; one that is larger has a page of its own. */
  int PAGE_BYTES = 262_144;

  String name();

  /** An entry of an object; what it costs counts as writing. */
  Object entryOf(ObjectKind kind, Object object);

  /** The object that an entry stands for. */
  Object objectOf(ObjectKind kind, Object entry);

  /** What orders entries; see {@link ObjectKind#key}. */
  long key(ObjectKind kind, Object entry);

  /** What a reader does with an entry; see {@link ObjectKind#price}. */
  double price(ObjectKind kind, Object entry);

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
