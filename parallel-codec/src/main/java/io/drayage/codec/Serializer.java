package io.drayage.codec;

import io.drayage.cargo.PartContent;
import io.drayage.segment.Segment;
import io.drayage.segment.SegmentSerializer;
import java.util.BitSet;
import java.util.List;

/**
 * Turns objects into bytes and back. Thread-safe: what has state is created by {@link
 * #newSegmentSerializer}.
 */
public interface Serializer extends Codec {
  /** The number of {@code raw} on the wire. */
  int RAW_ID = 2;

  /**
   * The largest target for the raw bytes of a segment at which every segment fits into a frame;
   * smaller for a serializer that makes values longer than they are in memory. A larger target is
   * reduced to it.
   */
  default int maxSegmentBytes() {
    return Segment.MAX_RAW_BYTES;
  }

  /**
   * The serializer to use where bytes go at this rate: this one, unless it weighs bytes against
   * time. Equal rates give equal serializers, with the same number and name.
   *
   * @param bytesPerSecond a codec thread's share of what the bytes pass: the link, the store
   */
  default Serializer forRate(long bytesPerSecond) {
    return this;
  }

  /**
   * Whether it reads nothing but numbers and texts, so that no bytes can make it build an object of
   * their choice. A transactor refuses the others unless they are allowed by name.
   */
  default boolean readsDataOnly() {
    return false;
  }

  /**
   * Whether a segment takes hardly longer than a copy of its bytes, some tenths of a millisecond:
   * then, without a compressor, an event loop encodes and decodes it where its bytes are in a
   * cache, which costs less than handing it to another thread.
   */
  default boolean isCheap() {
    return false;
  }

  /**
   * The parts of a cargo for which {@code raw} is the best at this rate. Their segments go as those
   * of {@code raw}, which {@linkplain #isCheap costs less}, if no compressor follows.
   *
   * @param contents the parts, by their index; a look is taken at some of their values
   * @return the indices of those parts; none for a serializer that does not choose
   */
  default BitSet rawParts(List<PartContent> contents) {
    return new BitSet();
  }

  /** Whether event loops encode and decode segments with this compressor. */
  default boolean isCheapWith(Compressor compressor) {
    return isCheap() && compressor.id() == Compressor.STORED_ID;
  }

  /**
   * This format, written by other rules: known by name, with the number of this one, which reads
   * what they write.
   */
  default List<Serializer> variants() {
    return List.of();
  }

  /** Creates a serializer of single segments, which is not thread-safe. */
  SegmentSerializer newSegmentSerializer();
}
