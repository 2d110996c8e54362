package io.drayage.bench.ceiling;

import io.drayage.internal.TemporaryFolder;
import io.drayage.objectstore.FolderStore;
import io.drayage.objectstore.ObjectUpload;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;

/**
 * Stores an object in a folder and deletes it, again and again, as a transactor stores cargoes.
 * Random bytes, as in {@link DiskProbe}. Not thread-safe.
 */
final class StoreProbe implements AutoCloseable {
  private final Path folder;
  private final FolderStore store;
  private final ByteBuffer piece = DiskProbe.randomPiece();
  private int objects;

  /**
   * @param parent on the disk in question; it exists, and has no store in it
   */
  StoreProbe(Path parent) throws IOException {
    this.folder = parent.resolve("store");
    this.store = FolderStore.open(folder);
  }

  /** Stores so many bytes. Returns what was stored before, which is gone. */
  Object write(long bytes) throws IOException {
    String key = "data/" + objects++;
    try (ObjectUpload upload = store.begin(key)) {
      for (long left = bytes; left > 0; left -= piece.capacity()) {
        upload.write(piece.clear().limit((int) Math.min(piece.capacity(), left)));
      }
      upload.complete();
    }
    store.delete(key);
    return key;
  }

  @Override
  public void close() throws IOException {
    store.close();
    TemporaryFolder.deleteAll(folder);
  }
}
