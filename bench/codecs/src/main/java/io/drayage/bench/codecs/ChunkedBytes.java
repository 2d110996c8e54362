package io.drayage.bench.codecs;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.SequenceInputStream;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;

/**
 * Bytes in memory, more than an array can hold, or only the last of them: after a number of chunks,
 * the first chunk is overwritten. Not thread-safe.
 */
final class ChunkedBytes extends OutputStream {
  static final int CHUNK_BYTES = 1 << 20;

  private final int maxChunks;
  private final List<byte[]> chunks = new ArrayList<>();
  private byte[] chunk = new byte[0];
  private int used;
  private int next;
  private long bytes;

  ChunkedBytes(int maxChunks) {
    this.maxChunks = maxChunks;
  }

  /** Starts again at the first chunk. */
  void reset() {
    next = 0;
    bytes = 0;
    used = chunk.length;
  }

  /** Bytes written since the last reset. */
  long bytes() {
    return bytes;
  }

  @Override
  public void write(int value) {
    ensureRoom();
    chunk[used++] = (byte) value;
    bytes++;
  }

  @Override
  public void write(byte[] source, int offset, int length) {
    Objects.checkFromIndexSize(offset, length, source.length);
    for (int done = 0; done < length; ) {
      ensureRoom();
      int count = Math.min(length - done, CHUNK_BYTES - used);
      System.arraycopy(source, offset + done, chunk, used, count);
      used += count;
      done += count;
    }
    bytes += length;
  }

  private void ensureRoom() {
    if (used == chunk.length) {
      if (next == chunks.size()) {
        chunks.add(new byte[CHUNK_BYTES]);
      }
      chunk = chunks.get(next);
      used = 0;
      next = (next + 1) % maxChunks;
    }
  }

  /** Returns a stream over the written bytes, if none were overwritten. */
  InputStream newInputStream() {
    List<InputStream> written = new ArrayList<>();
    long left = bytes;
    for (byte[] one : chunks) {
      written.add(new ByteArrayInputStream(one, 0, (int) Math.min(CHUNK_BYTES, left)));
      left -= CHUNK_BYTES;
    }
    return new SequenceInputStream(Collections.enumeration(written));
  }
}
