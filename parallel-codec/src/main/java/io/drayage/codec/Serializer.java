package io.drayage.codec;

import io.drayage.cargo.ChangeCargo;
import io.drayage.segment.Segment;
import io.drayage.segment.SegmentSerializer;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.List;

/**
 * Turns objects into bytes and back, in both pipelines. Thread-safe: what has state is made per
 * call, or per thread by {@link #newSegmentSerializer}.
 */
public interface Serializer extends Codec {
  /**
   * Writes a whole cargo to a stream, for the stream pipeline. Does not close the stream, but has
   * written everything into it when it returns.
   */
  void writeCargo(ChangeCargo cargo, OutputStream out) throws IOException;

  /**
   * Reads a whole cargo from a stream. Reads nothing beyond it that matters.
   *
   * @param maxCargoBytes how much memory the cargo may take; enforced where the format allows it
   * @throws IOException if the bytes are no cargo or exceed a limit, saying what is wrong
   */
  ChangeCargo readCargo(InputStream in, long maxCargoBytes) throws IOException;

  /**
   * The largest target for the raw bytes of a segment at which every segment fits into a frame;
   * smaller for a serializer that makes values longer than they are in memory. A target beyond it
   * is taken for it.
   */
  default int maxSegmentBytes() {
    return Segment.MAX_RAW_BYTES;
  }

  /**
   * The serializer to use over a link: this one, unless it weighs bytes against time. Equal rates
   * give equal serializers, with the same number and name.
   *
   * @param bytesPerSecond a codec thread's share of the link
   */
  default Serializer forLink(long bytesPerSecond) {
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
   * The same format, written by other rules: known by name, with the number of this one, which
   * reads what they write.
   */
  default List<Serializer> variants() {
    return List.of();
  }

  /** A serializer of single segments for one thread, for the segments pipeline. */
  SegmentSerializer newSegmentSerializer();
}
