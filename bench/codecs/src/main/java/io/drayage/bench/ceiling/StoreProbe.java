package io.drayage.bench.ceiling;

import static io.drayage.internal.Texts.format;

import io.drayage.internal.TemporaryFolder;
import io.drayage.objectstore.FolderStore;
import io.drayage.objectstore.ObjectUpload;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;

/**
 * Stores an object in a folder and deletes it, repeatedly, as a transactor stores cargoes. The
 * bytes are random, so that no file system compresses them. Not thread-safe.
 */
final class StoreProbe implements AutoCloseable {
  private static final int PIECE_BYTES = 1 << 20;

  private final Path folder;
  private final FolderStore store;
  private final ByteBuffer piece = randomPiece();
  private int objects;

  /**
   * @param parent on the disk to measure; it exists, and has no store in it
   */
  StoreProbe(Path parent) throws IOException {
    this.folder = parent.resolve("store");
    this.store = FolderStore.open(folder);
  }

  /** Makes a MiB of direct memory, always with the same content. */
  private static ByteBuffer randomPiece() {
    byte[] random = new byte[PIECE_BYTES];
    new Random(1).nextBytes(random);
    return ByteBuffer.allocateDirect(PIECE_BYTES).put(random);
  }

  /**
   * Stores bytes, and deletes them.
   *
   * @return their key
   * @throws IOException if they do not fit, naming the free bytes
   */
  Object write(long bytes) throws IOException {
    requireRoom(bytes, folder.getParent());
    String key = "data/" + objects++;
    try (ObjectUpload upload = store.begin(key)) {
      for (long left = bytes; left > 0; left -= PIECE_BYTES) {
        upload.write(piece.clear().limit((int) Math.min(PIECE_BYTES, left)));
      }
      upload.complete();
    }
    store.delete(key);
    return key;
  }

  /**
   * Requires room for {@code bytes} on the disk of a folder.
   *
   * @throws IOException if they do not fit, naming the free bytes
   */
  static void requireRoom(long bytes, Path folder) throws IOException {
    long freeBytes = Files.getFileStore(folder).getUsableSpace();
    if (freeBytes < bytes + PIECE_BYTES) {
      throw new IOException(
          format("%,d bytes do not fit on the disk of %s: %,d are free", bytes, folder, freeBytes));
    }
  }

  @Override
  public void close() throws IOException {
    store.close();
    TemporaryFolder.deleteAll(folder);
  }
}
