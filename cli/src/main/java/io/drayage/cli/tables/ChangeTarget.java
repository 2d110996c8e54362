package io.drayage.cli.tables;

import io.drayage.store.StoreSnapshot;
import io.drayage.worker.CommittedChange;
import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.UUID;

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

  /** No change will follow for now. */
  void end() throws IOException;
}
