package io.drayage.study.sikdar.form;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Pages of records of any length, one for each entry.
 *
 * <pre>
 *   0        4          4 + 4n
 *   +--------+----------+---------------------
 *   | n (i4) | n x end  | records, end to end
 *   +--------+----------+---------------------
 * </pre>
 *
 * <p>Ends count from the first record.
 */
abstract class SlottedPages implements PageFormat {
  /** Returns the record of an entry. */
  abstract ByteBuffer record(ObjectKind kind, Object entry) throws IOException;

  /** Returns the entry of a record in its page. */
  abstract Object entry(ObjectKind kind, ByteBuffer record) throws IOException;

  @Override
  public final List<Object> entries(ObjectKind kind, ByteBuffer page) throws IOException {
    int count = page.getInt(page.position());
    List<Object> entries = new ArrayList<>(count);
    for (int slot = 0; slot < count; slot++) {
      entries.add(entry(kind, page, slot));
    }
    return entries;
  }

  @Override
  public final Object entry(ObjectKind kind, ByteBuffer page, int slot) throws IOException {
    int directory = page.position() + Integer.BYTES;
    int records = directory + Integer.BYTES * page.getInt(page.position());
    int start = slot == 0 ? 0 : page.getInt(directory + Integer.BYTES * (slot - 1));
    int end = page.getInt(directory + Integer.BYTES * slot);
    return entry(kind, page.slice(records + start, end - start));
  }

  @Override
  public final PageWriter writer(ObjectKind kind, PageSink sink) {
    return new Writer(kind, sink);
  }

  /** Collects records into pages outside the heap. */
  private final class Writer implements PageWriter {
    private final ObjectKind kind;
    private final PageSink sink;
    private final List<Integer> ends = new ArrayList<>();
    private ByteBuffer records = ByteBuffer.allocateDirect(PAGE_BYTES);
    private ByteBuffer page = ByteBuffer.allocateDirect(PAGE_BYTES);

    Writer(ObjectKind kind, PageSink sink) {
      this.kind = kind;
      this.sink = sink;
    }

    @Override
    public void add(Object entry) throws IOException {
      ByteBuffer record = record(kind, entry);
      if (pageBytes(ends.size() + 1, records.position() + record.remaining()) > PAGE_BYTES) {
        close();
      }
      if (records.remaining() < record.remaining()) {
        records = ByteBuffer.allocateDirect(record.remaining());
      }
      records.put(record);
      ends.add(records.position());
    }

    private static int pageBytes(int count, int recordBytes) {
      return Integer.BYTES * (1 + count) + recordBytes;
    }

    @Override
    public void close() throws IOException {
      if (ends.isEmpty()) {
        return;
      }
      int bytes = pageBytes(ends.size(), records.position());
      if (page.capacity() < bytes) {
        page = ByteBuffer.allocateDirect(bytes);
      }
      page.clear().putInt(ends.size());
      ends.forEach(page::putInt);
      page.put(records.flip()).flip();
      sink.accept(page, ends.size());
      records.clear();
      ends.clear();
    }
  }
}
