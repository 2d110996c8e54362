package io.drayage.segment;

import static io.drayage.testing.Refusals.assertFault;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.drayage.cargo.ChangeCargo;
import io.drayage.codec.CargoFrames;
import io.drayage.frame.Fault;
import io.drayage.frame.FrameHeader;
import io.drayage.frame.ShipmentException;
import io.drayage.testing.CargoBytes;
import io.drayage.testing.WireFrames;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.List;
import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A frame with a run of five segments of four bytes each, and changes of a hostile peer. */
final class SegmentRunTest {
  private static final ChangeCargo CARGO = FramePlanTest.tinyColumns(5);
  private static final int SERIALIZED_AT = FrameHeader.BYTES + 8;
  private static final int FURTHER_AT = FrameHeader.BYTES + 12;
  private static final int RUN_AT = FrameHeader.BYTES + SegmentHeader.BYTES;

  private List<ByteBuffer> frames = List.of();
  private ByteBuffer run = ByteBuffer.allocate(0);

  @BeforeEach
  void makeFrames() throws IOException {
    frames = CargoBytes.gatheredFramesOf(CARGO);
    run = frames.get(1);
  }

  @Test
  void hasTheseBytes() {
    byte[] payload = new byte[run.remaining() - FrameHeader.BYTES];
    run.get(FrameHeader.BYTES, payload);
    assertThat(HexFormat.of().formatHex(payload))
        .isEqualTo(
            "00000000"
                + "0201"
                + "0000"
                + "28000000"
                + "04000000"
                + "0400000000000000"
                + "0400000001000000"
                + "0400000002000000"
                + "0400000003000000"
                + "0400000004000000");
  }

  @Test
  void refusesRunBeyondTheManifest() {
    run.putInt(FURTHER_AT, 5);
    assertRefused(Fault.PROTOCOL_VIOLATION, "segments 0 to 5 is outside the 5 segments");
    run.putInt(FrameHeader.BYTES, 1).putInt(FURTHER_AT, 4);
    assertRefused(Fault.PROTOCOL_VIOLATION, "segments 1 to 5 is outside the 5 segments");
    run.putInt(FrameHeader.BYTES, -1);
    assertRefused(Fault.PROTOCOL_VIOLATION, "segments -1 to 3 is outside the 5 segments");
  }

  @Test
  void refusesCountThatTheBytesCannotHold() {
    run.putInt(FURTHER_AT, -1);
    assertRefused(Fault.DECODE, "4,294,967,295 further ones do not fit into 40 serialized bytes");
    run.putInt(FURTHER_AT, 10);
    assertRefused(Fault.DECODE, "10 further ones do not fit into 40 serialized bytes");
  }

  @Test
  void refusesLengthsThatDoNotAddUp() {
    run.putInt(RUN_AT + 8, 33);
    assertRefused(Fault.DECODE, "rows 0 to 0) in a run states 33 bytes, there are 28");
    run.putInt(RUN_AT + 8, -4);
    assertRefused(Fault.DECODE, "in a run states -4 bytes, there are 28");
    run.putInt(RUN_AT + 8, 5);
    assertRefused(Fault.DECODE, "has 5 bytes, its values take 4");
  }

  @Test
  void refusesBytesBehindTheLastSegment() {
    run.putInt(FURTHER_AT, 3);
    assertRefused(Fault.DECODE, "8 bytes follow segment 3 (");
  }

  @Test
  void refusesRunThatEndsInTheMiddle() {
    run.limit(run.limit() - 6).putInt(SERIALIZED_AT, 34);
    assertRefused(Fault.DECODE, "segment 4 (inserted values of table_0.column_4, rows 0 to 0)");
  }

  @Test
  void refusesSegmentsThatCameBefore() throws Exception {
    CargoAssembler assembler = newAssembler();
    assembler.claim(3, 0);
    assertFault(Fault.SEGMENT_REPEATED, () -> decode(assembler))
        .hasMessageContaining("segment 3 (")
        .hasMessageContaining("came twice");
  }

  @Test
  void refusesFileWhoseRunsOverlapOrOverrun() throws Exception {
    run.putInt(FURTHER_AT, 3);
    assertThat(inspectTwice()).hasMessageContaining("segment 0 (").hasMessageContaining("twice");
    run.putInt(FURTHER_AT, 6);
    assertThat(inspectTwice()).hasMessageContaining("segments 0 to 6 is outside");
  }

  private ShipmentException inspectTwice() throws ShipmentException {
    WireFrames.mended(run);
    ByteBuffer file = ByteBuffer.allocate(2 * run.limit() + frames.get(0).limit());
    file.put(frames.get(0).duplicate()).put(run.duplicate()).put(run.duplicate());
    return catchThrowableOfType(
        ShipmentException.class, () -> CargoFrames.inspect(new ByteArrayInputStream(file.array())));
  }

  private void assertRefused(Fault fault, String why) {
    AbstractThrowableAssert<?, ?> failure = assertFault(fault, () -> decode(newAssembler()));
    failure.hasMessageContaining(why);
  }

  private CargoAssembler newAssembler() throws ShipmentException {
    return new CargoAssembler(ManifestCodec.ofPayload(FrameHeader.verify(frames.get(0)), 1 << 20));
  }

  private void decode(CargoAssembler assembler) throws ShipmentException {
    CargoBytes.decode(WireFrames.mended(run), assembler);
  }
}
