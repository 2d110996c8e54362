package io.drayage.baseline.fory;

import static io.drayage.testing.Faults.assertFault;

import io.drayage.cargo.ColumnType;
import io.drayage.cargo.ColumnValues;
import io.drayage.cargo.PartContent;
import io.drayage.cargo.RandomCargo;
import io.drayage.codec.SegmentChecks;
import io.drayage.codec.SegmentSerializerBattery;
import io.drayage.frame.Fault;
import io.drayage.frame.ShipmentException;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

class ForySegmentSerializerTest extends SegmentSerializerBattery {
  ForySegmentSerializerTest() {
    super("fory");
  }

  @Test
  void refusesATextThatJavaWouldNotHaveSo() {
    String[] refused = {
      "text of 4 bytes, coder 1", "text of 3 bytes, coder 1", "text of 1 bytes, coder 2", "flag 0"
    };
    byte[][] texts = {
      {-1, 4 << 2 | 1, 'a', 0, 'b', 0},
      {-1, 3 << 2 | 1, 0, 1, 2},
      {-1, 1 << 2 | 2, 'a'},
      {0, 4, 'a'}
    };
    for (int i = 0; i < texts.length; i++) {
      ColumnValues target = ColumnValues.allocate(ColumnType.STRING, 1, false);
      ByteBuffer source = SegmentChecks.direct(texts[i].length).put(texts[i]).flip();

      assertFault(
              Fault.DECODE,
              () -> serializer.deserialize(SegmentChecks.segment(target, 0, 1), source, target))
          .hasMessageContaining(refused[i]);
    }
  }

  @Test
  void refusesABooleanThatIsNeitherTrueNorFalse() {
    ColumnValues target = ColumnValues.allocate(ColumnType.BOOLEAN, 2, false);
    ByteBuffer source = SegmentChecks.direct(3).put(new byte[] {2, 1, 2}).flip();

    assertFault(
            Fault.DECODE,
            () -> serializer.deserialize(SegmentChecks.segment(target, 0, 2), source, target))
        .hasMessageContaining("the boolean 0x02");
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
        .hasMessageContaining("256 bytes where 65 values of INT belong");
  }
}
