package io.drayage.baseline.msgpack;

import static io.drayage.testing.Faults.assertFault;

import io.drayage.cargo.ColumnType;
import io.drayage.cargo.ColumnValues;
import io.drayage.cargo.PartContent;
import io.drayage.cargo.RandomCargo;
import io.drayage.codec.SegmentChecks;
import io.drayage.codec.SegmentSerializerBattery;
import io.drayage.frame.Fault;
import io.drayage.frame.ShipmentException;
import io.drayage.segment.Segment;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

class MsgpackSegmentSerializerTest extends SegmentSerializerBattery {
  MsgpackSegmentSerializerTest() {
    super("msgpack");
  }

  @Test
  void refusesATextLongerThanTheSegment() {
    ColumnValues target = ColumnValues.allocate(ColumnType.STRING, 1, false);
    Segment segment = SegmentChecks.segment(target, 0, 1);
    ByteBuffer source =
        SegmentChecks.direct(6).put(new byte[] {(byte) 0x91, (byte) 0xDB, 0x0F, 0, 0, 0}).flip();

    assertFault(Fault.DECODE, () -> serializer.deserialize(segment, source, target))
        .hasMessageContaining("251,658,240 bytes or more; the limit is 6");
  }

  @Test
  void refusesAnotherNumberOfRows() throws ShipmentException {
    ColumnValues values = RandomCargo.column(1, ColumnType.INT, 64, false);
    ByteBuffer bytes =
        SegmentChecks.bytes(serializer, SegmentChecks.segment(values, 0, 64), values);
    PartContent target = ColumnValues.allocate(ColumnType.INT, 65, false);

    assertFault(
            Fault.DECODE,
            () -> serializer.deserialize(SegmentChecks.segment(target, 0, 65), bytes, target))
        .hasMessageContaining("an array of 64 where one of 65 belongs");
  }
}
