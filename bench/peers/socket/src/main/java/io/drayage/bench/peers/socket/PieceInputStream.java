package io.drayage.bench.peers.socket;

import static io.drayage.internal.Texts.format;

import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;

/** Reads a stream of {@link PieceOutputStream} up to its end. Not thread-safe. */
final class PieceInputStream extends InputStream {
  private final DataInputStream in;
  private int left;
  private boolean ended;

  PieceInputStream(DataInputStream in) {
    this.in = in;
  }

  @Override
  public int read() throws IOException {
    if (!nextPiece()) {
      return -1;
    }
    left--;
    return in.readUnsignedByte();
  }

  @Override
  public int read(byte[] bytes, int offset, int length) throws IOException {
    if (length == 0) {
      return 0;
    }
    if (!nextPiece()) {
      return -1;
    }
    int count = in.read(bytes, offset, Math.min(length, left));
    if (count < 0) {
      throw new EOFException(format("the connection ended within a piece, %,d bytes early", left));
    }
    left -= count;
    return count;
  }

  private boolean nextPiece() throws IOException {
    if (left == 0 && !ended) {
      left = in.readInt();
      if (left < 0 || left > PieceOutputStream.MAX_PIECE_BYTES) {
        throw new IOException(
            format(
                "a piece of %,d bytes is outside 0 to %,d",
                left, PieceOutputStream.MAX_PIECE_BYTES));
      }
      ended = left == 0;
    }
    return !ended;
  }

  /** Leaves the connection open. */
  @Override
  public void close() {}
}
