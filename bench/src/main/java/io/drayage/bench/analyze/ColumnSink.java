package io.drayage.bench.analyze;

import io.drayage.cargo.PartContent;
import io.drayage.frame.ShipmentException;
import io.drayage.segment.CargoSink;
import io.drayage.segment.Manifest;
import io.drayage.segment.Part;
import io.drayage.segment.Segment;
import io.drayage.segment.SegmentScratch;
import io.drayage.segment.SegmentSerializer;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.UUID;

/** Receives the segments of one column. */
final class ColumnSink extends CargoSink {
  private final PartContent target;

  /**
   * A sink for one round of segments.
   *
   * @param segments by their number
   * @param target what they are decoded into
   */
  ColumnSink(Part part, List<Segment> segments, PartContent target) {
    super(new Manifest(new UUID(0, 0), 0, List.of(part.table()), List.of(part), segments));
    this.target = target;
  }

  @Override
  public void decode(
      Segment segment, ByteBuffer source, SegmentSerializer serializer, SegmentScratch scratch)
      throws ShipmentException {
    serializer.deserialize(segment, source, target);
  }
}
