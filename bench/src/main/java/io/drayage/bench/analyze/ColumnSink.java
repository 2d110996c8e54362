package io.drayage.bench.analyze;

import io.drayage.cargo.PartContent;
import io.drayage.frame.Fault;
import io.drayage.frame.ShipmentException;
import io.drayage.segment.CargoSink;
import io.drayage.segment.Segment;
import io.drayage.segment.SegmentScratch;
import io.drayage.segment.SegmentSerializer;
import java.nio.ByteBuffer;
import java.util.BitSet;
import java.util.List;

/**
 * Receives the segments of one column again and again. Not thread-safe.
 *
 * @param segments by their number
 * @param target what they are decoded into
 */
record ColumnSink(List<Segment> segments, PartContent target, BitSet claimed) implements CargoSink {
  ColumnSink(List<Segment> segments, PartContent target) {
    this(segments, target, new BitSet());
  }

  @Override
  public List<Segment> claim(int first, long further) throws ShipmentException {
    if (first < 0 || further != 0 || first >= segments.size()) {
      throw new ShipmentException(
          Fault.PROTOCOL_VIOLATION,
          "segment %,d and %,d further are not of these %,d"
              .formatted(first, further, segments.size()));
    }
    claimed.set(first);
    return List.of(segments.get(first));
  }

  @Override
  public void decode(
      Segment segment, ByteBuffer source, SegmentSerializer serializer, SegmentScratch scratch)
      throws ShipmentException {
    serializer.deserialize(segment, source, target);
  }

  @Override
  public boolean isComplete() {
    return claimed.cardinality() == segments.size();
  }

  @Override
  public Segment firstMissing() {
    return segments.get(claimed.nextClearBit(0));
  }
}
