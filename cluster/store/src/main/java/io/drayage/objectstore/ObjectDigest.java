package io.drayage.objectstore;

import static io.drayage.internal.Texts.format;

import io.drayage.internal.JoinedChecksum;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.zip.CRC32C;

/**
 * The length of an object and the CRC32C of each of its blocks, so that any block can be verified
 * alone. Guards against errors, not against an adversary. Immutable.
 */
public final class ObjectDigest {
  /** The length of every block but the last. */
  public static final int BLOCK_BYTES = 8 << 20;

  private final long bytes;
  private final int[] checksums;

  /**
   * @param bytes the length of the object
   * @param checksums one for each block
   * @throws IllegalArgumentException if the number of checksums does not match the length
   */
  public ObjectDigest(long bytes, int... checksums) {
    if (bytes < 0 || checksums.length != blocksOf(bytes)) {
      throw new IllegalArgumentException(
          format("%,d bytes cannot have %,d checksums", bytes, checksums.length));
    }
    this.bytes = bytes;
    this.checksums = checksums.clone();
  }

  private static long blocksOf(long bytes) {
    return bytes / BLOCK_BYTES + (bytes % BLOCK_BYTES == 0 ? 0 : 1);
  }

  /** The length of the object. */
  public long bytes() {
    return bytes;
  }

  /** The number of blocks. */
  public int blockCount() {
    return checksums.length;
  }

  /** The CRC32C of a block. */
  public int checksum(int block) {
    return checksums[block];
  }

  /** The offset of a block. */
  public long offset(int block) {
    return (long) block * BLOCK_BYTES;
  }

  /** The length of a block. */
  public int blockBytes(int block) {
    return (int) Math.min(BLOCK_BYTES, bytes - offset(block));
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof ObjectDigest that
        && bytes == that.bytes
        && Arrays.equals(checksums, that.checksums);
  }

  @Override
  public int hashCode() {
    return 31 * Long.hashCode(bytes) + Arrays.hashCode(checksums);
  }

  @Override
  public String toString() {
    return format("ObjectDigest[%,d bytes in %,d blocks]", bytes, checksums.length);
  }

  /** The CRC32C of the bytes from position to limit. The buffer is not changed. */
  public static int checksum(ByteBuffer content) {
    CRC32C crc = new CRC32C();
    crc.update(content.duplicate());
    return (int) crc.getValue();
  }

  /** Computes a digest incrementally. Not thread-safe. */
  public static final class Builder {
    private int[] checksums = new int[16];
    private long bytes;

    /** The checksum of the current block so far. */
    private int checksum;

    /** Adds the bytes from position to limit. The buffer is not changed. */
    public void add(ByteBuffer content) {
      ByteBuffer rest = content.duplicate();
      int limit = rest.limit();
      while (rest.hasRemaining()) {
        rest.limit(rest.position() + Math.min(freeBytes(), rest.remaining()));
        join(ObjectDigest.checksum(rest), rest.remaining());
        rest.position(rest.limit()).limit(limit);
      }
    }

    /**
     * Adds bytes whose checksum is known. The bytes are read only if they go beyond a block, and
     * then only up to its end.
     *
     * @param content from position to limit; the buffer is not changed
     * @param contentChecksum the CRC32C of {@code content}
     */
    public void add(ByteBuffer content, int contentChecksum) {
      int head = freeBytes();
      int tail = content.remaining() - head;
      if (tail <= 0) {
        join(contentChecksum, content.remaining());
      } else if (tail <= BLOCK_BYTES) {
        int first = ObjectDigest.checksum(content.slice(content.position(), head));
        join(first, head);
        join(JoinedChecksum.ofSecond(first, contentChecksum, tail), tail);
      } else {
        add(content);
      }
    }

    private int freeBytes() {
      return BLOCK_BYTES - (int) (bytes % BLOCK_BYTES);
    }

    private void join(int next, int nextBytes) {
      checksum = JoinedChecksum.of(checksum, next, nextBytes);
      bytes += nextBytes;
      if (nextBytes > 0 && bytes % BLOCK_BYTES == 0) {
        endBlock();
      }
    }

    private void endBlock() {
      int block = (int) ((bytes - 1) / BLOCK_BYTES);
      if (block == checksums.length) {
        checksums = Arrays.copyOf(checksums, 2 * block);
      }
      checksums[block] = checksum;
      checksum = 0;
    }

    /** The digest of all added bytes. Must be called once, at the end. */
    public ObjectDigest build() {
      if (bytes % BLOCK_BYTES != 0) {
        endBlock();
      }
      return new ObjectDigest(bytes, Arrays.copyOf(checksums, (int) blocksOf(bytes)));
    }
  }
}
