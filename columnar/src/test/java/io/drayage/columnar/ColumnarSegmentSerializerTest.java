package io.drayage.columnar;

import io.drayage.codec.SegmentSerializerBattery;
import org.junit.jupiter.api.Timeout;

@Timeout(180)
final class ColumnarSegmentSerializerTest extends SegmentSerializerBattery {
  ColumnarSegmentSerializerTest() {
    super("columnar");
  }
}
