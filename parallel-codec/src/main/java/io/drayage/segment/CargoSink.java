package io.drayage.segment;

import io.drayage.frame.ShipmentException;
import java.nio.ByteBuffer;
import java.util.BitSet;
import java.util.List;

/**
 * What the segments of one cargo are decoded into, in any order, by any number of threads. Nothing
 * of it can be seen from outside before the cargo is complete and its seal was compared.
 */
public interface CargoSink {
  /**
   * Segment {@code first} and the {@code further} ones that follow it, for the one caller that may
   * {@link #decode} them.
   *
   * @throws ShipmentException {@code PROTOCOL_VIOLATION} if the cargo has no such segments, {@code
   *     SEGMENT_REPEATED} if one of them was claimed before
   */
  List<Segment> claim(int first, long further) throws ShipmentException;

  /**
   * Decodes one segment that was claimed.
   *
   * @param source exactly its serialized bytes
   * @param scratch belongs to the calling thread
   * @throws ShipmentException if the bytes are no such segment, or more than the manifest states
   */
  void decode(
      Segment segment, ByteBuffer source, SegmentSerializer serializer, SegmentScratch scratch)
      throws ShipmentException;

  /**
   * Called with each frame when all of its segments have been taken.
   *
   * @param frame the whole frame, from position to limit, only to be read; not to be kept
   * @throws ShipmentException if the sink can take no more, saying why
   */
  default void keep(ByteBuffer frame) throws ShipmentException {}

  /** Whether every segment has been claimed. */
  boolean isComplete();

  /** The numbers of the segments that have been claimed. */
  BitSet claimed();

  /** The first segment that has not been claimed; only if not {@link #isComplete}. */
  Segment firstMissing();

  /**
   * Drops what was taken: there will be no commit. May be called more than once, and while other
   * threads are still at work on this sink, which may fail then. May block on a disk.
   */
  default void abort() {}
}
