package io.drayage.codec;

import io.drayage.segment.CargoSink;
import io.drayage.segment.Manifest;
import io.drayage.segment.Segment;
import io.drayage.segment.SegmentScratch;
import io.drayage.segment.SegmentSerializer;
import java.nio.ByteBuffer;

/** Records which segments of a cargo have come, and decodes none. */
final class UndecodedSegments extends CargoSink {
  UndecodedSegments(Manifest manifest) {
    super(manifest);
  }

  @Override
  public boolean wants(Segment segment) {
    return false;
  }

  @Override
  public void decode(
      Segment segment, ByteBuffer source, SegmentSerializer serializer, SegmentScratch scratch) {}
}
