package io.drayage.changes;

import io.drayage.store.StoreSnapshot;
import io.drayage.worker.CommittedChange;
import java.io.Closeable;
import java.io.IOException;
import java.io.Writer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Where committed changes are written, each once. A file is its own position: what follows its last
 * whole commit is cut off. Not thread-safe.
 */
public interface ChangeTarget extends Closeable {
  /** Opens or creates a file for one, whose name is durable. */
  static FileChannel openFile(Path path) throws IOException {
    FileChannel file =
        FileChannel.open(
            path, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
    Path folder = path.toAbsolutePath().getParent();
    if (folder != null && Files.isDirectory(folder)) {
      try (FileChannel opened = FileChannel.open(folder)) {
        opened.force(true);
      } catch (IOException e) {
        file.close();
        throw e;
      }
    }
    return file;
  }

  /**
   * Opens one that writes commits as JSON lines: {@code start} once, with the snapshot before the
   * first and the database; then for each commit {@code begin}, a line for each changed row, {@code
   * commit}. Only ASCII; every value can be told from every other.
   *
   * @param table the only table to write; null for all
   * @param before whether the values before a change are written
   * @param file created if it is not there; null for {@code reader}
   * @throws IOException if the file cannot be used, or holds something else
   */
  static ChangeTarget lines(
      @Nullable String table, boolean before, @Nullable Path file, Writer reader)
      throws IOException {
    return LineTarget.open(new ChangeLines(table, before), file, reader);
  }

  /** The snapshot of the last commit that it holds; -1 if it holds none. */
  long position();

  /**
   * Begins, or goes on after {@link #position()}.
   *
   * @param database the id of the database
   * @param snapshot the database before the next change
   * @throws IOException if it holds something else, or changes of another database, or cannot be
   *     written
   */
  void begin(UUID database, StoreSnapshot snapshot) throws IOException;

  /** Writes a commit, which is durable then if this is a file. */
  void write(CommittedChange change) throws IOException;

  /** Flushes: no change will follow for now. */
  void end() throws IOException;
}
