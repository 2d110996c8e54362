package io.drayage.bench.codecs.work;

import java.io.InputStream;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** Bytes in memory, more than one array could hold. Not thread-safe. */
final class ChunkedBytes extends OutputStream {
  private static final int CHUNK_BYTES = 1 << 20;

  private final List<byte[]> chunks = new ArrayList<>();

  /** Bytes used of the last chunk; full at first, when there is none. */
  private int used = CHUNK_BYTES;

  /** Bytes written. */
  long bytes() {
    return (long) chunks.size() * CHUNK_BYTES - (CHUNK_BYTES - used);
  }

  @Override
  public void write(int value) {
    lastChunk()[used++] = (byte) value;
  }

  @Override
  public void write(byte[] source, int offset, int length) {
    Objects.checkFromIndexSize(offset, length, source.length);
    for (int done = 0; done < length; ) {
      byte[] chunk = lastChunk();
      int count = Math.min(length - done, CHUNK_BYTES - used);
      System.arraycopy(source, offset + done, chunk, used, count);
      used += count;
      done += count;
    }
  }

  private byte[] lastChunk() {
    if (used == CHUNK_BYTES) {
      chunks.add(new byte[CHUNK_BYTES]);
      used = 0;
    }
    return chunks.get(chunks.size() - 1);
  }

  /** A stream over what was written so far. */
  InputStream newInputStream() {
    return new Reader();
  }

  private final class Reader extends InputStream {
    private final long end = bytes();
    private long at;

    @Override
    public int read() {
      if (at == end) {
        return -1;
      }
      int value = chunks.get((int) (at / CHUNK_BYTES))[(int) (at % CHUNK_BYTES)];
      at++;
      return value & 0xFF;
    }

    @Override
    public int read(byte[] target, int offset, int length) {
      Objects.checkFromIndexSize(offset, length, target.length);
      if (length == 0) {
        return 0;
      }
      if (at == end) {
        return -1;
      }
      int from = (int) (at % CHUNK_BYTES);
      int count = (int) Math.min(Math.min(length, CHUNK_BYTES - from), end - at);
      System.arraycopy(chunks.get((int) (at / CHUNK_BYTES)), from, target, offset, count);
      at += count;
      return count;
    }

    @Override
    public int available() {
      return (int) Math.min(CHUNK_BYTES - at % CHUNK_BYTES, end - at);
    }
  }
}
