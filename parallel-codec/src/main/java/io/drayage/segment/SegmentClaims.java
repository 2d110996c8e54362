package io.drayage.segment;

import static io.drayage.internal.Texts.format;

import io.drayage.frame.Fault;
import io.drayage.frame.ShipmentException;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;

/** The segments of a cargo that have arrived; each is claimed once. Thread-safe, without a lock. */
final class SegmentClaims {
  private final List<Segment> segments;
  private final AtomicIntegerArray claimed;
  private final AtomicInteger claimedCount = new AtomicInteger();

  /** Creates claims without a claimed segment. */
  SegmentClaims(Manifest manifest) {
    this.segments = manifest.segments();
    this.claimed = new AtomicIntegerArray((segments.size() + 31) >>> 5);
  }

  /**
   * Claims segment {@code first} and the {@code further} ones that follow it.
   *
   * @throws ShipmentException {@code PROTOCOL_VIOLATION} if the cargo has no such segments, {@code
   *     SEGMENT_REPEATED} if one of them was claimed before; those before it stay claimed
   */
  List<Segment> claim(int first, long further) throws ShipmentException {
    if (first < 0 || first + further >= segments.size()) {
      throw new ShipmentException(
          Fault.PROTOCOL_VIOLATION,
          further == 0
              ? format(
                  "segment %,d is outside the %,d segments of the manifest", first, segments.size())
              : format(
                  "the run of segments %,d to %,d is outside the %,d segments of the manifest",
                  first, first + further, segments.size()));
    }
    int end = (int) (first + further) + 1;
    for (int index = first; index < end; index++) {
      claim(index);
    }
    return segments.subList(first, end);
  }

  private void claim(int index) throws ShipmentException {
    int bit = 1 << index;
    int before = claimed.getAndAccumulate(index >>> 5, bit, (word, set) -> word | set);
    if ((before & bit) != 0) {
      throw new ShipmentException(Fault.SEGMENT_REPEATED, segments.get(index) + " came twice");
    }
    claimedCount.incrementAndGet();
  }

  /** Whether every segment has been claimed. */
  boolean isComplete() {
    return claimedCount.get() == segments.size();
  }

  /** The segments that have been claimed. */
  BitSet toBitSet() {
    BitSet bits = new BitSet(segments.size());
    for (int index = 0; index < segments.size(); index++) {
      if ((claimed.get(index >>> 5) & 1 << index) != 0) {
        bits.set(index);
      }
    }
    return bits;
  }
}
