package io.drayage.codec;

import io.drayage.cargo.PartContent;
import io.drayage.segment.Segment;
import io.drayage.segment.SegmentSerializer;
import java.util.BitSet;
import java.util.List;

/**
 * Turns objects into bytes and back. Thread-safe: {@link #newSegmentSerializer} creates the objects
 * with state.
 */
public interface Serializer extends Codec {
  /** The number of {@code raw} on the wire. */
  int RAW_ID = 2;

  /**
   * The largest target for the raw bytes of a segment at which every segment fits into a frame.
   * Smaller for a serializer that makes values longer than they are in memory. A larger target is
   * reduced to this one.
   */
  default int maxSegmentBytes() {
    return Segment.MAX_RAW_BYTES;
  }

  /**
   * The serializer to use at this rate: this one, unless the serializer weighs bytes against time.
   * Equal rates give equal serializers, with the same number and name.
   *
   * @param bytesPerSecond a codec thread's share of the rate of the link or of the store
   */
  default Serializer forRate(long bytesPerSecond) {
    return this;
  }

  /**
   * Whether this serializer reads only numbers and texts, so that no bytes can make it build an
   * object of their choice. A transactor refuses any other serializer that is not allowed by name.
   */
  default boolean readsDataOnly() {
    return false;
  }

  /**
   * Whether a segment takes hardly longer than a copy of its bytes, some tenths of a millisecond.
   * Then an event loop encodes and decodes it, if there is no compressor: the bytes are in a cache
   * of its CPU, and a handover to another thread would cost more.
   */
  default boolean isCheap() {
    return false;
  }

  /**
   * The parts of a cargo for which {@code raw} is best at this rate. If no compressor follows,
   * their segments are written by {@code raw}, which {@linkplain #isCheap costs less}.
   *
   * @param contents the parts, by their index; some of their values are read
   * @return the indices of these parts; none if the serializer does not choose
   */
  default BitSet rawParts(List<PartContent> contents) {
    return new BitSet();
  }

  /** Whether event loops encode and decode segments with this compressor. */
  default boolean isCheapWith(Compressor compressor) {
    return isCheap() && compressor.id() == Compressor.STORED_ID;
  }

  /**
   * Variants of this serializer, with names of their own, which write the same format by other
   * rules. A variant has this serializer's number, and this serializer reads its bytes.
   */
  default List<Serializer> variants() {
    return List.of();
  }

  /** Creates a serializer of single segments, which is not thread-safe. */
  SegmentSerializer newSegmentSerializer();
}
