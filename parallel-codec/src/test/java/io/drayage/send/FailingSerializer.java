package io.drayage.send;

import io.drayage.cargo.PartContent;
import io.drayage.codec.Serializer;
import io.drayage.frame.ShipmentException;
import io.drayage.segment.Segment;
import io.drayage.segment.SegmentSerializer;
import io.drayage.testing.CargoBytes;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicInteger;

/** The raw serializer, which throws at one segment and works before and after it. */
final class FailingSerializer implements Serializer {
  private final AtomicInteger left;
  private final boolean error;

  /**
   * @param segments how many are serialized before it throws
   * @param error whether it throws an error, not an exception
   */
  FailingSerializer(int segments, boolean error) {
    this.left = new AtomicInteger(segments);
    this.error = error;
  }

  @Override
  public int id() {
    return CargoBytes.RAW.id();
  }

  @Override
  public String name() {
    return "failing";
  }

  @Override
  public SegmentSerializer newSegmentSerializer() {
    SegmentSerializer raw = CargoBytes.RAW.newSegmentSerializer();
    return new SegmentSerializer() {
      @Override
      public int maxSerializedBytes(Segment segment, PartContent content) {
        return raw.maxSerializedBytes(segment, content);
      }

      @Override
      public void serialize(Segment segment, PartContent content, ByteBuffer target) {
        if (left.getAndDecrement() == 0) {
          throw failure();
        }
        raw.serialize(segment, content, target);
      }

      @Override
      public void deserialize(Segment segment, ByteBuffer source, PartContent content)
          throws ShipmentException {
        raw.deserialize(segment, source, content);
      }
    };
  }

  private RuntimeException failure() {
    if (error) {
      throw new StackOverflowError("cannot serialize");
    }
    return new IllegalStateException("cannot serialize");
  }
}
