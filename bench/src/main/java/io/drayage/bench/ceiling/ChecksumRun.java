package io.drayage.bench.ceiling;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;

/** CRC-32C of direct memory, frame after frame of 1 MiB, as codec threads compute it. */
final class ChecksumRun implements Measured {
  private static final int PIECE_BYTES = 1 << 20;

  private final List<ByteBuffer> pieces = new ArrayList<>();

  ChecksumRun(long bytes) {
    for (long done = 0; done < bytes; done += PIECE_BYTES) {
      pieces.add(ByteBuffer.allocateDirect((int) Math.min(PIECE_BYTES, bytes - done)));
    }
  }

  @Override
  public long bytes() {
    return pieces.stream().mapToLong(ByteBuffer::capacity).sum();
  }

  @Override
  public Long run() {
    long sum = 0;
    for (ByteBuffer piece : pieces) {
      CRC32C checksum = new CRC32C();
      checksum.update(piece.clear());
      sum += checksum.getValue();
    }
    return sum;
  }

  @Override
  public void close() {}
}
