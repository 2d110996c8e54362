package io.drayage.frame;

import static io.drayage.testing.Refusals.assertFault;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.drayage.cargo.Names;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
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
  void theDatabaseSurvivesTheRoundTripAndNoneIsZero() throws ShipmentException {
    ShipmentHeader none = header(ShipmentHeader.Pipeline.SEGMENTS, "w");
    CommitOptions on = none.options().on(new UUID(0, 1), -9);
    ShipmentHeader of =
        new ShipmentHeader(
            new UUID(1, 2), 3, ShipmentHeader.Pipeline.SEGMENTS, 4, 5, on, "w", null);

    assertThat(ShipmentHeader.ofPayload(FrameHeader.verify(of.toFrame()))).isEqualTo(of);
    assertThat(none.options().database()).isNull();
    assertThat(ShipmentHeader.ofPayload(FrameHeader.verify(none.toFrame()))).isEqualTo(none);
    assertThatExceptionOfType(IllegalArgumentException.class)
        .isThrownBy(() -> CommitOptions.DEFAULT.on(new UUID(0, 0), 1))
        .withMessageContaining("no database has the id");
  }

  @Test
  void acceptedAndSealSurviveTheRoundTrip() throws ShipmentException {
    Accepted accepted =
        new Accepted(
            -2,
            Long.MAX_VALUE,
            new Token(-3, 4),
            30_000,
            16,
            new StoreShare(1L << 40, Long.MAX_VALUE, Integer.MAX_VALUE));
    Seal seal = new Seal(Long.MAX_VALUE, Long.MIN_VALUE);

    assertThat(Accepted.ofPayload(FrameHeader.verify(accepted.toFrame()))).isEqualTo(accepted);
    assertThat(Seal.ofPayload(FrameHeader.verify(seal.toFrame(FrameType.HELD, 1)))).isEqualTo(seal);
    assertThat(ControlFrame.number(FrameHeader.verify(ControlFrame.credit(1, -5)))).isEqualTo(-5);
    assertThat(ControlFrame.number(FrameHeader.verify(ControlFrame.committed(1, 5)))).isEqualTo(5);
    assertThat(FrameHeader.verify(ControlFrame.heartbeat(1)).hasRemaining()).isFalse();
  }

  @ParameterizedTest
  @EnumSource
  void joinSurvivesTheRoundTrip(Join.Purpose purpose) throws ShipmentException {
    Join join = new Join(new Token(Long.MIN_VALUE, 1), purpose);

    ByteBuffer frame = join.toFrame(9);

    assertThat(Join.ofPayload(FrameHeader.verify(frame))).isEqualTo(join);
    assertThat(FrameHeader.shipmentId(frame)).isEqualTo(9);
  }

  @Test
  void receivedSegmentsSurviveTheRoundTrip() throws ShipmentException {
    BitSet everySecond = new BitSet();
    for (int i = 1; i < Joined.MAX_SEGMENTS; i += 2) {
      everySecond.set(i);
    }
    List<BitSet> sets = new ArrayList<>(List.of(Joined.everySegment(), everySecond, new BitSet()));
    for (long seed = 0; seed < 200; seed++) {
      Random random = new Random(seed);
      BitSet received = new BitSet();
      received.set(0, random.nextInt(100));
      for (int i = random.nextInt(50); i > 0; i--) {
        received.set(random.nextInt(1 + random.nextInt(10_000)));
      }
      sets.add(received);
    }
    for (BitSet received : sets) {
      Joined joined = new Joined(1, received);
      assertThat(Joined.ofPayload(FrameHeader.verify(joined.toFrame(1)))).isEqualTo(joined);
    }
  }

  @Test
  void refusesSegmentsBeyondTheLimit() {
    ByteBuffer negative = ByteBuffer.allocate(12).putInt(8, -1);
    ByteBuffer beyond =
        ByteBuffer.allocate(13)
            .order(ByteOrder.LITTLE_ENDIAN)
            .putInt(8, Joined.MAX_SEGMENTS - 1)
            .put(12, (byte) 2);

    assertFault(Fault.LIMIT, () -> Joined.ofPayload(negative));
    assertFault(Fault.LIMIT, () -> Joined.ofPayload(beyond)).hasMessageContaining("4,194,303");
  }

  @Test
  void refusesAcceptanceThatMakesNoSense() {
    assertFault(
        Fault.LIMIT, () -> reread(new Accepted(1, 1, Token.NONE, -1, 1, StoreShare.UNKNOWN)));
    assertFault(
        Fault.LIMIT, () -> reread(new Accepted(1, 1, Token.NONE, 0, 0, StoreShare.UNKNOWN)));
  }

  @Test
  void refusesStoreOfNegativeRates() throws ShipmentException {
    for (int offset : new int[] {44, 52, 60}) {
      ByteBuffer payload =
          FrameHeader.verify(new Accepted(1, 1, Token.NONE, 1, 1, StoreShare.UNKNOWN).toFrame());
      ByteBuffer negative = ByteBuffer.allocate(payload.remaining());
      negative.put(payload).flip().order(ByteOrder.LITTLE_ENDIAN);
      negative.putInt(offset == 60 ? offset : offset + 4, -1);
      assertFault(Fault.LIMIT, () -> Accepted.ofPayload(negative))
          .hasMessageContaining("the transactor states a store that writes");
    }
    assertThatIllegalArgumentException().isThrownBy(() -> new StoreShare(-1, 0, 0));
    assertThatIllegalArgumentException().isThrownBy(() -> new StoreShare(0, -1, 0));
    assertThatIllegalArgumentException().isThrownBy(() -> new StoreShare(0, 0, -1));
  }

  private static Accepted reread(Accepted accepted) throws ShipmentException {
    return Accepted.ofPayload(FrameHeader.verify(accepted.toFrame()));
  }

  @Test
  void refusesUnknownPurpose() throws ShipmentException {
    ByteBuffer join = new Join(Token.NONE, Join.Purpose.STRIPE).toFrame(1);
    ByteBuffer payload = FrameHeader.verify(join).put(16, (byte) 3);

    assertFault(Fault.BAD_FRAME, () -> Join.ofPayload(payload)).hasMessageContaining("purpose 3");
  }

  /** Found by the fuzzer: writers checked the limit, readers did not. */
  @Test
  void refusesANameThatIsTooLong() throws ShipmentException {
    ByteBuffer payload = ByteBuffer.allocate(60 + 201).order(ByteOrder.LITTLE_ENDIAN);
    payload.put(FrameHeader.verify(header(ShipmentHeader.Pipeline.SEGMENTS, "").toFrame()));
    while (payload.hasRemaining()) {
      payload.put((byte) 'w');
    }

    assertFault(Fault.LIMIT, () -> ShipmentHeader.ofPayload(payload.flip()))
        .hasMessage("the worker name has 201 characters; the limit is 200");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"\u001B[2J", "\u009B2J", "a\nb", "\u007F", "\u202Etx", "\u2028", "\u2066x"})
  void refusesANameThatWouldSteerATerminal(String name) throws ShipmentException {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> header(ShipmentHeader.Pipeline.SEGMENTS, name))
        .withMessageContaining("the worker name '%s'".formatted(Names.printable(name)));

    byte[] utf8 = name.getBytes(StandardCharsets.UTF_8);
    ByteBuffer payload = ByteBuffer.allocate(60 + utf8.length).order(ByteOrder.LITTLE_ENDIAN);
    payload.put(FrameHeader.verify(header(ShipmentHeader.Pipeline.SEGMENTS, "").toFrame()));
    payload.put(utf8).flip();
    assertFault(Fault.BAD_FRAME, () -> ShipmentHeader.ofPayload(payload))
        .satisfies(e -> assertThat(Names.isPrintable(e.getMessage())).isTrue())
        .hasMessageContaining("\\u");
  }

  @Test
  void showsWhatAPeerSaysHarmlessly() throws ShipmentException {
    ShipmentException read =
        failureRoundTrip(new ShipmentException(Fault.CANCELLED, "a\u001B]0;x\u0007\nb\u202E"));
    assertThat(read).hasMessage("a\\u001B]0;x\\u0007\\u000Ab\\u202E");
  }

  @Test
  void refusesANameThatNoFrameCanHold() {
    String longest = "汉".repeat(ShipmentHeader.MAX_WORKER_CHARS);
    assertThat(header(ShipmentHeader.Pipeline.SEGMENTS, longest).worker()).isEqualTo(longest);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> header(ShipmentHeader.Pipeline.SEGMENTS, "x".repeat(100_000)))
        .withMessage("the worker name has 100,000 characters; the limit is 200");
  }

  @Test
  void aTraceTravels() throws ShipmentException {
    ShipmentHeader untraced = header(ShipmentHeader.Pipeline.SEGMENTS, "größer");
    ShipmentHeader traced = untraced.withTrace(new TraceContext(-1, 2, Long.MIN_VALUE, (byte) 1));
    OpenRequest wanted = new OpenRequest(3, 4_096, 60_000);
    ByteBuffer frame = traced.toFrame(wanted);

    assertThat(frame.get(4)).isEqualTo((byte) FrameHeader.VERSION);
    assertThat(OpenRequest.ofPayload(FrameHeader.verify(frame))).isEqualTo(wanted);
    assertThat(ShipmentHeader.ofPayload(FrameHeader.verify(frame))).isEqualTo(traced);
    assertThat(traced.withTrace(null)).isEqualTo(untraced);
    ByteBuffer cut = FrameHeader.verify(frame).limit(60 + 24);
    assertFault(Fault.BAD_FRAME, () -> ShipmentHeader.ofPayload(cut)).hasMessageContaining("25");
  }

  @ParameterizedTest
  @CsvSource({
    "24, 03, BAD_FRAME, pipeline 3",
    "27, 00, LIMIT, 0 connections",
    "28, 04, BAD_FRAME, level 4",
    "29, 00, BAD_FRAME, handling 0",
    "30, 01, BAD_FRAME, 0001",
    "31, 01, BAD_FRAME, 0100",
    "55, 80, LIMIT, '-2,147,483,648 byte'",
    "59, 80, LIMIT, '-2,147,483,648 ms'",
  })
  void refusesWrongByteOfARequestByName(int offset, String value, Fault fault, String message)
      throws ShipmentException {
    ByteBuffer open =
        FrameHeader.verify(header(ShipmentHeader.Pipeline.STREAM, "w").toFrame())
            .put(offset, (byte) HexFormat.fromHexDigits(value));

    assertFault(fault, () -> ShipmentHeader.ofPayload(open)).hasMessageContaining(message);
  }

  @Test
  void secretsStayOutOfMessages() {
    assertThat(new Accepted(1, 2, new Token(77, 88), 3, 4, StoreShare.UNKNOWN).toString())
        .doesNotContain("77", "88");
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
    ByteBuffer payload = ByteBuffer.allocate(8).putInt(0x7F00_0000).putInt(1).flip();

    assertThat(Failure.ofPayload(payload).fault()).isEqualTo(Fault.INTERNAL);
  }

  @ParameterizedTest
  @EnumSource
  void outcomeSurvivesTheRoundTripAsThePeers(ShipmentException.Outcome outcome)
      throws ShipmentException {
    ShipmentException cause = new ShipmentException(Fault.CANCELLED, "over").withOutcome(outcome);

    ShipmentException read = failureRoundTrip(cause);

    assertThat(cause.isStatedByPeer()).isFalse();
    assertThat(read.isStatedByPeer()).isTrue();
    assertThat(read.outcome()).isEqualTo(outcome);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 3, -1})
  void refusesUnknownOutcome(int id) {
    ByteBuffer payload = ByteBuffer.allocate(8).putInt(Fault.LIMIT.id()).putInt(id).flip();

    assertFault(Fault.BAD_FRAME, () -> Failure.ofPayload(payload))
        .hasMessageContaining("outcome %d", id);
  }

  @Test
  void refusesPayloadOfAnotherLength() {
    assertLength(Accepted::ofPayload, 64, true);
    assertLength(Seal::ofPayload, 16, true);
    assertLength(ControlFrame::number, 8, true);
    assertLength(ShipmentHeader::ofPayload, 60, false);
    assertLength(Join::ofPayload, 17, true);
    assertLength(Joined::ofPayload, 12, false);
    assertLength(Failure::ofPayload, 8, false);
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

  @ParameterizedTest
  @ValueSource(strings = {"x", "é", "汉", "😀", "x😀", "\uD800"})
  void longTextsAreCutToTheLimitOfAControlFrame(String piece) throws ShipmentException {
    String text = piece.repeat(20_000);

    ShipmentException read = failureRoundTrip(new ShipmentException(Fault.LIMIT, text));

    assertThat(read.getMessage()).hasSizeBetween(3_999, 4_000);
    if (!piece.equals("\uD800")) {
      assertThat(text).startsWith(read.getMessage());
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
    CommitOptions options = new CommitOptions(Acknowledgement.PUBLISHED, OnConflict.OVERWRITE);
    return new ShipmentHeader(new UUID(-1, 2), Long.MIN_VALUE, pipeline, 255, 1, options, worker);
  }
}
