package io.drayage.study.sikdar;

import io.drayage.study.sikdar.form.PageFormat;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/** PageFile in a file, and their offsets. Not thread-safe. */
final class PageFile implements Closeable {
  private final FileChannel file;
  private final List<Long> ends = new ArrayList<>();
  private final List<Integer> entryEnds = new ArrayList<>();
  private ByteBuffer page = ByteBuffer.allocateDirect(PageFormat.PAGE_BYTES);

  private PageFile(FileChannel file) {
    this.file = file;
  }

  static PageFile create(Path path) throws IOException {
    return new PageFile(
        FileChannel.open(
            path,
            StandardOpenOption.CREATE_NEW,
            StandardOpenOption.READ,
            StandardOpenOption.WRITE));
  }

  /** Writes all objects of a workload in their order. */
  static void write(PageFormat format, SikdarWorkload load, PageFormat.PageSink sink)
      throws IOException {
    try (PageFormat.PageWriter writer = format.writer(load.kind(), sink)) {
      for (int i = 0; i < load.count(); i++) {
        writer.add(format.entryOf(load.kind(), load.object(i)));
      }
    }
  }

  /** Adds a page at the end. */
  void append(ByteBuffer bytes, int entries) throws IOException {
    int length = bytes.remaining();
    long start = bytes();
    long at = start;
    while (bytes.hasRemaining()) {
      at += file.write(bytes, at);
    }
    ends.add(start + length);
    entryEnds.add((entryEnds.isEmpty() ? 0 : entryEnds.get(entryEnds.size() - 1)) + entries);
  }

  long bytes() {
    return ends.isEmpty() ? 0 : ends.get(ends.size() - 1);
  }

  int count() {
    return ends.size();
  }

  /** Returns the number of the first entry of a page. */
  int firstEntry(int index) {
    return index == 0 ? 0 : entryEnds.get(index - 1);
  }

  /** Reads a page into memory outside the heap, which the next call overwrites. */
  ByteBuffer read(int index) throws IOException {
    long start = index == 0 ? 0 : ends.get(index - 1);
    int length = Math.toIntExact(ends.get(index) - start);
    if (page.capacity() < length) {
      page = ByteBuffer.allocateDirect(length);
    }
    page.clear().limit(length);
    while (page.hasRemaining()) {
      if (file.read(page, start + page.position()) < 0) {
        throw new IOException("the file ends within page " + index);
      }
    }
    return page.flip();
  }

  /** Forces everything to the disk. */
  void sync() throws IOException {
    file.force(true);
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
