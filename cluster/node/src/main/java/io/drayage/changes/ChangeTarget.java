package io.drayage.changes;

import io.drayage.internal.Begun;
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
 * A destination of committed changes, where each is written once. A file stores its own position:
 * everything after its last whole commit is cut off. Not thread-safe.
 */
public interface ChangeTarget extends Closeable {
  /** Opens or creates a file for changes, and makes its name durable. */
  static FileChannel openFile(Path path) throws IOException {
    FileChannel file =
        FileChannel.open(
            path, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
    Path folder = path.toAbsolutePath().getParent();
    if (folder != null && Files.isDirectory(folder)) {
      try (Begun begun = new Begun(file);
          FileChannel opened = FileChannel.open(folder)) {
        opened.force(true);
        return begun.keep(file);
      }
    }
    return file;
  }

  /**
   * Opens a target that writes commits as JSON lines. {@code start} comes once, with the database
   * and the snapshot before the first commit. Each commit is {@code begin}, a line for each dropped
   * table, then for each changed row, {@code commit}. The lines are ASCII. Different values have
   * different texts.
   *
   * @param table the only table to write; null for all
   * @param before whether the values before a change are written
   * @param file created if it does not exist; null for {@code reader}
   * @throws IOException if the file cannot be used, or holds something else
   */
  static ChangeTarget lines(
      @Nullable String table, boolean before, @Nullable Path file, Writer reader)
      throws IOException {
    return LineTarget.open(new ChangeLines(table, before), file, reader);
  }

  /** The snapshot of the last commit in the target; -1 if there is no commit. */
  long position();

  /**
   * Begins, or goes on after {@link #position()}.
   *
   * @param database the id of the database
   * @param snapshot the database before the next change
   * @throws IOException if the target has other data or changes of another database, or cannot be
   *     written
   */
  void begin(UUID database, StoreSnapshot snapshot) throws IOException;

  /** Writes a commit. In a file, the commit is durable when this method returns. */
  void write(CommittedChange change) throws IOException;

  /** Flushes, because no change follows for now. */
  void end() throws IOException;
}
