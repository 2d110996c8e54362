package io.drayage.duckdb.file;

import com.github.luben.zstd.ZstdIOException;
import com.github.luben.zstd.ZstdInputStream;
import io.drayage.tables.TableException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;

/** The frames of a file in Zstandard format (RFC 8878). */
public final class ZstdFrames {
  private static final int FRAME = 0xFD2FB528;

  /** The first of sixteen magic numbers of a frame without contents. */
  private static final int SKIPPABLE = 0x184D2A50;

  private static final int BUFFER_BYTES = 64 << 10;

  private ZstdFrames() {}

  /**
   * Reads a file to its end, if it begins like Zstandard.
   *
   * @throws TableException if it is cut off or damaged
   */
  public static void requireWhole(Path file) throws IOException {
    byte[] start = new byte[Integer.BYTES];
    try (InputStream in = Files.newInputStream(file)) {
      if (in.readNBytes(start, 0, start.length) < start.length) {
        return;
      }
    }
    int first = ByteBuffer.wrap(start).order(ByteOrder.LITTLE_ENDIAN).getInt();
    if (first != FRAME && (first & ~0xF) != SKIPPABLE) {
      return;
    }
    byte[] buffer = new byte[BUFFER_BYTES];
    try (InputStream text = new ZstdInputStream(Files.newInputStream(file))) {
      while (text.read(buffer, 0, buffer.length) >= 0) {}
    } catch (ZstdIOException e) {
      throw new TableException(
          "%s: its Zstandard frames are cut off or damaged: %s".formatted(file, e.getMessage()), e);
    }
  }
}
