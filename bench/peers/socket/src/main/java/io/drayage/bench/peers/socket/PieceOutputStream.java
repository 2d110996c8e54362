package io.drayage.bench.peers.socket;

import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;

/**
 * Writes a stream in pieces, so that another stream can follow on the same connection. A piece has
 * its length, as four bytes, and its bytes; length 0 ends the stream. Closing it ends the stream
 * and leaves the connection open. Not thread-safe.
 */
final class PieceOutputStream extends OutputStream {
  /** The largest piece in bytes: the kernel gets one piece a call. */
  static final int MAX_PIECE_BYTES = 256 << 10;

  private final OutputStream out;
  private final byte[] piece = new byte[Integer.BYTES + MAX_PIECE_BYTES];
  private int end = Integer.BYTES;
  private long wireBytes;
  private long pieces;
  private boolean ended;

  PieceOutputStream(OutputStream out) {
    this.out = out;
  }

  @Override
  public void write(int b) throws IOException {
    if (end == piece.length) {
      writePiece();
    }
    piece[end++] = (byte) b;
  }

  @Override
  public void write(byte[] bytes, int offset, int length) throws IOException {
    int done = 0;
    while (done < length) {
      if (end == piece.length) {
        writePiece();
      }
      int count = Math.min(length - done, piece.length - end);
      System.arraycopy(bytes, offset + done, piece, end, count);
      end += count;
      done += count;
    }
  }

  private void writePiece() throws IOException {
    int length = end - Integer.BYTES;
    ByteBuffer.wrap(piece).putInt(length);
    out.write(piece, 0, end);
    wireBytes += end;
    pieces++;
    end = Integer.BYTES;
  }

  /** Returns the bytes written to the connection so far, lengths included. */
  long wireBytes() {
    return wireBytes;
  }

  /** Returns the number of pieces written so far. */
  long pieces() {
    return pieces;
  }

  @Override
  public void close() throws IOException {
    if (ended) {
      return;
    }
    ended = true;
    if (end > Integer.BYTES) {
      writePiece();
    }
    DataOutputStream last = new DataOutputStream(out);
    last.writeInt(0);
    last.flush();
    wireBytes += Integer.BYTES;
  }
}
