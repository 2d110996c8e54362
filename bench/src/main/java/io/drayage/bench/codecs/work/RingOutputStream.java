package io.drayage.bench.codecs.work;

import java.io.OutputStream;
import java.util.Objects;

/**
 * Copies everything into memory that is used over and over: more than a cache holds, so that a
 * written byte costs what it costs in a real buffer, and far less than a whole cargo. Not
 * thread-safe.
 */
final class RingOutputStream extends OutputStream {
  private static final int PIECE_BYTES = 1 << 20;
  private static final int PIECES = 64;

  private final byte[][] ring = new byte[PIECES][PIECE_BYTES];
  private byte[] piece = ring[0];
  private int offset;
  private int next;
  private long bytes;

  /** Starts again at the beginning. */
  void reset() {
    next = 0;
    bytes = 0;
    nextPiece();
  }

  /** Bytes written since the last reset. */
  long bytes() {
    return bytes;
  }

  @Override
  public void write(int value) {
    if (offset == PIECE_BYTES) {
      nextPiece();
    }
    piece[offset++] = (byte) value;
    bytes++;
  }

  @Override
  public void write(byte[] source, int from, int length) {
    Objects.checkFromIndexSize(from, length, source.length);
    for (int done = 0; done < length; ) {
      if (offset == PIECE_BYTES) {
        nextPiece();
      }
      int count = Math.min(length - done, PIECE_BYTES - offset);
      System.arraycopy(source, from + done, piece, offset, count);
      offset += count;
      done += count;
    }
    bytes += length;
  }

  private void nextPiece() {
    piece = ring[next];
    next = (next + 1) % PIECES;
    offset = 0;
  }
}
