package io.drayage.frame;

import static io.drayage.internal.Texts.format;

import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The end of a cargo: the number of its frames, and a digest over all of them. The payload of a
 * {@link FrameType#SEAL} and of a {@link FrameType#HELD} frame:
 *
 * <pre>
 *   0             8           16
 *   +-------------+-----------+
 *   | frame count | digest    |
 *   | i64         | i64       |
 *   +-------------+-----------+
 * </pre>
 *
 * @param frameCount number of segment frames, or chunks, of the cargo
 * @param digest see {@link Digest}
 */
public record Seal(long frameCount, long digest) {
  static final int BYTES = 16;

  /** The complete frame that carries this seal. */
  public ByteBuffer toFrame(FrameType type, long shipmentId) {
    return ControlFrame.of(
        type, shipmentId, BYTES, payload -> payload.putLong(frameCount).putLong(digest));
  }

  /** The seal in a verified payload. */
  public static Seal ofPayload(ByteBuffer payload) throws ShipmentException {
    ControlFrame.requirePayload(payload, BYTES);
    return new Seal(payload.getLong(), payload.getLong());
  }

  /**
   * Compares this seal of a peer with the frames that arrived.
   *
   * @throws ShipmentException {@link Fault#SEGMENT_MISSING} or {@link Fault#DIGEST}
   */
  public void requireSameAs(Seal arrived) throws ShipmentException {
    if (frameCount != arrived.frameCount) {
      throw new ShipmentException(
          Fault.SEGMENT_MISSING,
          format("the seal states %,d frames, %,d arrived", frameCount, arrived.frameCount));
    }
    if (digest != arrived.digest) {
      throw new ShipmentException(
          Fault.DIGEST,
          format("the seal states digest %016x, the frames have %016x", digest, arrived.digest));
    }
  }

  /**
   * The digest over the frames of a cargo: the wrapping sum of {@code mix(number << 32 |
   * checksum)}. Frames may be added from any thread in any order. The number is the segment's, or
   * the chunk's place in the stream: so a lost, repeated or misplaced frame changes the digest.
   */
  public static final class Digest {
    private final AtomicLong sum = new AtomicLong();
    private final AtomicLong count = new AtomicLong();

    /** Adds the frame with this number and {@link FrameHeader#checksum checksum}. */
    public void add(int frameNumber, int checksum) {
      sum.addAndGet(mix((long) frameNumber << 32 | (checksum & 0xFFFFFFFFL)));
      count.incrementAndGet();
    }

    /** The seal of all frames added so far. */
    public Seal seal() {
      return new Seal(count.get(), sum.get());
    }

    private static long mix(long value) {
      long z = value + 0x9E3779B97F4A7C15L;
      z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
      z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
      return z ^ (z >>> 31);
    }
  }
}
