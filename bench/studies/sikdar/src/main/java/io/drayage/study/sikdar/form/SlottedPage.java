package io.drayage.study.sikdar.form;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * A page of records of any length.
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
final class SlottedPage {
  private SlottedPage() {}

  static int count(ByteBuffer page) {
    return page.getInt(page.position());
  }

  /** A record, without copying it. */
  static ByteBuffer record(ByteBuffer page, int slot) {
    int directory = page.position() + Integer.BYTES;
    int records = directory + Integer.BYTES * count(page);
    int start = slot == 0 ? 0 : page.getInt(directory + Integer.BYTES * (slot - 1));
    int end = page.getInt(directory + Integer.BYTES * slot);
    return page.slice(records + start, end - start);
  }

  /** Collects records into pages, which lie outside the heap. */
  static final class Writer {
    private final PageFormat.PageSink sink;
    private final List<Integer> ends = new ArrayList<>();
    private ByteBuffer records = ByteBuffer.allocateDirect(PageFormat.PAGE_BYTES);
    private ByteBuffer page = ByteBuffer.allocateDirect(PageFormat.PAGE_BYTES);

    Writer(PageFormat.PageSink sink) {
      this.sink = sink;
    }

    void add(ByteBuffer record) throws IOException {
      if (pageBytes(ends.size() + 1, records.position() + record.remaining())
          > PageFormat.PAGE_BYTES) {
        flush();
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

    void flush() throws IOException {
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
