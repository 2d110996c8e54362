package io.drayage.bench.ceiling;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Random;

/**
 * Writes a new file and forces it to the disk: content, size and all. Random bytes, so that no file
 * system makes less of them.
 */
final class DiskRun implements Measured {
  private static final int PIECE_BYTES = 1 << 20;

  private final long bytes;
  private final Path file;
  private final ByteBuffer piece = ByteBuffer.allocateDirect(PIECE_BYTES);

  DiskRun(Path folder, long bytes) throws IOException {
    long freeBytes = Files.getFileStore(folder).getUsableSpace();
    if (freeBytes < bytes + PIECE_BYTES) {
      throw new IOException(
          "%,d bytes do not fit: %,d are free (--disk, --size)".formatted(bytes, freeBytes));
    }
    this.bytes = bytes;
    this.file = Files.createTempFile(folder, "drayage-ceiling-", ".tmp");
    byte[] random = new byte[PIECE_BYTES];
    new Random(1).nextBytes(random);
    piece.put(random);
  }

  @Override
  public long bytes() {
    return bytes;
  }

  @Override
  public Path run() throws IOException {
    try (FileChannel out =
        FileChannel.open(file, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING)) {
      for (long done = 0; done < bytes; ) {
        piece.clear().limit((int) Math.min(PIECE_BYTES, bytes - done));
        done += out.write(piece);
      }
      out.force(true);
    }
    return file;
  }

  @Override
  public void close() {
    try {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
