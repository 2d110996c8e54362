package io.drayage.changes;

import io.drayage.database.ForeignDatabaseException;
import io.drayage.internal.Begun;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.Writer;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A file of {@link ChangeLines} that stores its own position. Opening the file cuts off everything
 * after its last whole commit. Not thread-safe.
 */
final class ChangeFile implements AutoCloseable {
  private static final int BLOCK_BYTES = 1 << 16;

  /** Number of first bytes that identify a line. The first line is no longer. */
  private static final int MAX_LINE_START = 128;

  private final Path path;
  private final FileChannel file;
  private final Writer writer;
  private final long position;
  private final @Nullable String database;

  private ChangeFile(Path path, FileChannel file, long position, @Nullable String database) {
    this.path = path;
    this.file = file;
    this.position = position;
    this.database = database;
    this.writer =
        new BufferedWriter(Channels.newWriter(file, StandardCharsets.US_ASCII), BLOCK_BYTES);
  }

  /** Opens or creates a file. */
  static ChangeFile open(Path path) throws IOException {
    FileChannel file = ChangeTarget.openFile(path);
    try (Begun begun = new Begun(file)) {
      return begun.keep(cut(file, path));
    }
  }

  /** Searches backwards from the end of the file for the last line of a whole commit. */
  private static ChangeFile cut(FileChannel file, Path path) throws IOException {
    long end = file.size();
    long lineEnd = -1;
    ByteBuffer block = ByteBuffer.allocate(BLOCK_BYTES);
    for (long first = end; first > 0; ) {
      int bytes = (int) Math.min(BLOCK_BYTES, first);
      first -= bytes;
      read(file, first, block.clear().limit(bytes));
      for (int i = bytes - 1; i >= 0; i--) {
        if (block.get(i) == '\n') {
          long start = first + i + 1;
          long snapshot = lineEnd < 0 ? -1 : ChangeLines.position(text(file, start, lineEnd));
          if (snapshot >= 0) {
            return cutAt(path, file, lineEnd + 1, snapshot);
          }
          lineEnd = first + i;
        }
      }
    }
    long snapshot = lineEnd < 0 ? -1 : ChangeLines.position(text(file, 0, lineEnd));
    if (snapshot >= 0) {
      return cutAt(path, file, lineEnd + 1, snapshot);
    }
    // Refuses any other file, instead of cutting it off.
    if (!ChangeLines.isBeginning(text(file, 0, end))) {
      throw new IOException("%s holds something else than changes".formatted(path));
    }
    return cutAt(path, file, 0, -1);
  }

  private static ChangeFile cutAt(Path path, FileChannel file, long bytes, long snapshot)
      throws IOException {
    file.truncate(bytes).position(bytes);
    String first = text(file, 0, bytes).lines().findFirst().orElse("");
    return new ChangeFile(path, file, snapshot, ChangeLines.database(first));
  }

  /** Fails if the file has changes of another database. */
  void requireOf(UUID wanted) throws IOException {
    if (position >= 0 && !wanted.toString().equals(database)) {
      throw new ForeignDatabaseException(
          "%s holds changes of database %s, and this is database %s: name another file"
              .formatted(path, database == null ? "unknown" : database, wanted));
    }
  }

  /** Reads the beginning of a line. */
  private static String text(FileChannel file, long start, long end) throws IOException {
    ByteBuffer line = ByteBuffer.allocate((int) Math.min(MAX_LINE_START, end - start));
    read(file, start, line);
    return StandardCharsets.US_ASCII.decode(line.flip()).toString();
  }

  private static void read(FileChannel file, long start, ByteBuffer target) throws IOException {
    while (target.hasRemaining()) {
      if (file.read(target, start + target.position()) < 0) {
        throw new IOException("the file became shorter while it was read");
      }
    }
  }

  /** The snapshot of the last commit in the file; -1 if the file has no commit. */
  long position() {
    return position;
  }

  Writer writer() {
    return writer;
  }

  /** Makes the written bytes durable. */
  void sync() throws IOException {
    writer.flush();
    file.force(false);
  }

  /** Closes the file. Bytes that were not synced are lost. */
  @Override
  public void close() throws IOException {
    file.close();
  }
}
