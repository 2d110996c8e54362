package io.drayage.frame;

import static io.drayage.testing.Faults.assertFault;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

final class ControlFrameTest {
  private interface Reading {
    Object apply(ByteBuffer payload) throws ShipmentException;
  }

  @ParameterizedTest
  @EnumSource
  void headerSurvivesTheRoundTrip(ShipmentHeader.Pipeline pipeline) throws ShipmentException {
    ShipmentHeader header = header(pipeline, "wörker 汉 😀");
    ByteBuffer frame = header.toFrame();

    assertThat(ShipmentHeader.ofPayload(FrameHeader.verify(frame))).isEqualTo(header);
    assertThat(FrameHeader.type(frame)).isEqualTo(FrameType.OPEN);
  }

  @Test
  void acceptedAndSealSurviveTheRoundTrip() throws ShipmentException {
    Accepted accepted = new Accepted(-2, Long.MAX_VALUE);
    Seal seal = new Seal(Long.MAX_VALUE, Long.MIN_VALUE);

    assertThat(Accepted.ofPayload(FrameHeader.verify(accepted.toFrame()))).isEqualTo(accepted);
    assertThat(Seal.ofPayload(FrameHeader.verify(seal.toFrame(FrameType.HELD, 1)))).isEqualTo(seal);
    assertThat(ControlFrame.number(FrameHeader.verify(ControlFrame.credit(1, -5)))).isEqualTo(-5);
    assertThat(ControlFrame.number(FrameHeader.verify(ControlFrame.committed(1, 5)))).isEqualTo(5);
    assertThat(FrameHeader.verify(ControlFrame.heartbeat(1)).hasRemaining()).isFalse();
  }

  @ParameterizedTest
  @EnumSource
  void failureSurvivesTheRoundTrip(Fault fault) throws ShipmentException {
    ShipmentException cause = new ShipmentException(fault, "größer als 汉字");

    ShipmentException read = failureRoundTrip(cause);

    assertThat(read.fault()).isEqualTo(fault);
    assertThat(read).hasMessage("größer als 汉字");
  }

  @Test
  void unknownFaultIsInternal() throws ShipmentException {
    ByteBuffer payload = ByteBuffer.allocate(4).putInt(0x7F00_0000).flip();

    assertThat(Failure.ofPayload(payload).fault()).isEqualTo(Fault.INTERNAL);
  }

  @Test
  void refusesPayloadOfAnotherLength() {
    assertLength(Accepted::ofPayload, 16, true);
    assertLength(Seal::ofPayload, 16, true);
    assertLength(ControlFrame::number, 8, true);
    assertLength(ShipmentHeader::ofPayload, 27, false);
    assertLength(Failure::ofPayload, 4, false);
  }

  private static void assertLength(Reading reading, int bytes, boolean exact) {
    for (int length = 0; length <= bytes + 1; length++) {
      ByteBuffer payload = ByteBuffer.allocate(length);
      if (length < bytes || (exact && length > bytes)) {
        assertFault(Fault.BAD_FRAME, () -> reading.apply(payload))
            .hasMessageContaining("%d payload bytes, expected %d", length, bytes);
      }
    }
  }

  @Test
  void refusesUnknownPipeline() throws ShipmentException {
    ByteBuffer payload =
        FrameHeader.verify(header(ShipmentHeader.Pipeline.STREAM, "w").toFrame()).put(24, (byte) 3);

    assertFault(Fault.BAD_FRAME, () -> ShipmentHeader.ofPayload(payload))
        .hasMessageContaining("pipeline 3");
  }

  @ParameterizedTest
  @ValueSource(strings = {"x", "é", "汉", "😀", "x😀", "\uD800"})
  void longTextsAreCutToTheLimitOfAControlFrame(String piece) throws ShipmentException {
    String text = piece.repeat(20_000);

    ShipmentException read = failureRoundTrip(new ShipmentException(Fault.LIMIT, text));
    ByteBuffer open = header(ShipmentHeader.Pipeline.STREAM, text).toFrame();
    String worker = ShipmentHeader.ofPayload(FrameHeader.verify(open)).worker();

    assertThat(read.getMessage()).hasSizeBetween(3_999, 4_000);
    assertThat(worker).hasSizeBetween(199, 200);
    if (!piece.equals("\uD800")) {
      assertThat(text).startsWith(read.getMessage()).startsWith(worker);
    }
  }

  private static ShipmentException failureRoundTrip(ShipmentException cause)
      throws ShipmentException {
    ByteBuffer frame = Failure.toFrame(FrameType.FAILED, 1, cause);
    assertThat(frame.remaining())
        .isLessThanOrEqualTo(FrameHeader.BYTES + FrameHeader.MAX_CONTROL_PAYLOAD_BYTES);
    return Failure.ofPayload(FrameHeader.verify(frame));
  }

  private static ShipmentHeader header(ShipmentHeader.Pipeline pipeline, String worker) {
    return new ShipmentHeader(new UUID(-1, 2), Long.MIN_VALUE, pipeline, 255, 1, worker);
  }
}
