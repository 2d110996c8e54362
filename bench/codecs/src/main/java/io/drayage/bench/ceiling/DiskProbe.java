package io.drayage.bench.ceiling;

import static io.drayage.internal.Texts.format;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Random;

/**
 * Writes a new file and forces it to the disk: content, size and all. Random bytes, so that no file
 * system makes less of them. Not thread-safe.
 */
final class DiskProbe implements AutoCloseable {
  private static final int PIECE_BYTES = 1 << 20;

  private final Path file;
  private final ByteBuffer piece = randomPiece();

  /**
   * @param folder on the disk in question; it exists, and has no probe in it
   */
  DiskProbe(Path folder) throws IOException {
    this.file = Files.createFile(folder.resolve("probe"));
  }

  /** A MiB of direct memory, its content always the same. */
  static ByteBuffer randomPiece() {
    byte[] random = new byte[PIECE_BYTES];
    new Random(1).nextBytes(random);
    return ByteBuffer.allocateDirect(PIECE_BYTES).put(random);
  }

  /** The file that is written. */
  Path file() {
    return file;
  }

  /**
   * Writes so many bytes.
   *
   * @throws IOException if they do not fit, naming what is free
   */
  void write(long bytes) throws IOException {
    long freeBytes = Files.getFileStore(file).getUsableSpace();
    if (freeBytes < bytes + PIECE_BYTES) {
      throw new IOException(
          format(
              "%,d bytes do not fit on the disk of %s: %,d are free",
              bytes, file.getParent(), freeBytes));
    }
    try (FileChannel out =
        FileChannel.open(file, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING)) {
      for (long done = 0; done < bytes; ) {
        piece.clear().limit((int) Math.min(PIECE_BYTES, bytes - done));
        done += out.write(piece);
      }
      out.force(true);
    }
  }

  @Override
  public void close() throws IOException {
    Files.deleteIfExists(file);
  }
}
