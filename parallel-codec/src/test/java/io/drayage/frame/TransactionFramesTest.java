package io.drayage.frame;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.drayage.cargo.Names;
import io.drayage.frame.ShipmentHeader.Pipeline;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Requests of coordinators of transactions, and their answers. */
class TransactionFramesTest {
  private static final UUID ID = new UUID(1, 2);
  private static final Token TOKEN = new Token(3, 4);
  private static final TraceContext TRACE = new TraceContext(1, 2, 3, (byte) 1);

  private static final List<TransactionRequest> REQUESTS =
      List.of(
          new TransactionRequest.Begin(ID, null, -1, 0, Duration.ofSeconds(60), "driver"),
          new TransactionRequest.Begin(
              ID, new UUID(5, 6), 40, 0x80000007, Duration.ofMillis(1), "é"),
          new TransactionRequest.Renew(ID, TOKEN),
          new TransactionRequest.Abort(ID, TOKEN),
          commit(null, List.of()),
          commit(
              new AppVersion("load:a", 17, List.of("b", "a")),
              List.of(new UUID(7, 8), new UUID(9, 10))),
          commit(null, List.of(ID)).withTrace(TRACE),
          commit(
                  AppVersion.of(
                      "a".repeat(AppVersion.MAX_CHARS),
                      Long.MAX_VALUE,
                      "\u20ac".repeat(Names.MAX_LENGTH)),
                  Collections.nCopies(TransactionRequest.MAX_FRAGMENTS, ID))
              .withTrace(TRACE));

  private static TransactionRequest.Commit commit(AppVersion app, List<UUID> fragments) {
    return new TransactionRequest.Commit(
        ID, TOKEN, Acknowledgement.STORED, OnConflict.OVERWRITE, true, app, fragments);
  }

  @Test
  void framesHaveTheSpecifiedBytes() {
    assertThat(payload(REQUESTS.get(1).toFrame()))
        .isEqualTo(
            "01000000000000000200000000000000"
                + "05000000000000000600000000000000"
                + "2800000000000000"
                + "07000080"
                + "01000000"
                + "c3a9");
    assertThat(payload(REQUESTS.get(5).toFrame()))
        .isEqualTo(
            "01000000000000000200000000000000"
                + "03000000000000000400000000000000"
                + "02020106"
                + "1100000000000000"
                + "ffffffffffffff7f"
                + "00"
                + "0300"
                + "6c6f61643a61"
                + "610a62"
                + "07000000000000000800000000000000"
                + "09000000000000000a00000000000000");
    assertThat(payload(commit(AppVersion.of("a", 1, "t"), List.of(ID)).withTrace(TRACE).toFrame()))
        .endsWith(
            "0100000000000000"
                + "ffffffffffffff7f"
                + "19"
                + "0100"
                + "61"
                + "74"
                + "010000000000000002000000000000000300000000000000"
                + "01"
                + "01000000000000000200000000000000");
    assertThat(payload(new TransactionAnswer.Opened(ID, 40, 5, Duration.ofMillis(6)).toFrame()))
        .isEqualTo("01000000000000000200000000000000" + "28000000000000000500000006000000");
  }

  /**
   * The expected id is of {@code printf '\0\0\0\0\0\0\0\3\0\0\0\0\0\0\0\4' | sha256sum}: 0ee62be2
   * 2d9a4529 2445fbfd acb64f46.
   */
  @Test
  void aTransactionIsNamedAfterItsToken() {
    assertThat(TOKEN.transaction())
        .isEqualTo(UUID.fromString("0ee62be2-2d9a-8529-a445-fbfdacb64f46"));
    assertThat(new Token(4, 3).transaction()).isNotEqualTo(TOKEN.transaction());
  }

  @Test
  void aTransactionOfSeveralWorkersIsToldByItsId() {
    for (int i = 0; i < 1_000; i++) {
      UUID id = new Token(i, -i).transaction();
      assertThat(Token.isTransaction(id)).as("%s", id).isTrue();
    }
    assertThat(Token.isTransaction(UUID.randomUUID())).isFalse();
    assertThat(Token.isTransaction(UUID.nameUUIDFromBytes(new byte[0]))).isFalse();
    assertThat(Token.isTransaction(ID)).isFalse();
    assertThat(Token.isTransaction(UUID.fromString("0ee62be2-2d9a-8529-2445-fbfdacb64f46")))
        .as("another variant of UUIDs")
        .isFalse();
  }

  private static String payload(ByteBuffer frame) {
    byte[] bytes = new byte[frame.remaining() - FrameHeader.BYTES];
    frame.get(FrameHeader.BYTES, bytes);
    return HexFormat.of().formatHex(bytes);
  }

  @Test
  void areReadAsTheyWereWritten() throws Exception {
    for (TransactionRequest request : REQUESTS) {
      ByteBuffer frame = request.toFrame();
      FrameType type = FrameHeader.type(frame);
      assertThat(type.isRequest()).isTrue();
      assertThat(frame.remaining() - FrameHeader.BYTES).isLessThanOrEqualTo(type.maxPayloadBytes());
      assertThat(TransactionRequest.ofPayload(type, FrameHeader.verify(frame))).isEqualTo(request);
    }
    for (TransactionAnswer answer :
        List.of(
            new TransactionAnswer.Opened(ID, 40, 5, Duration.ofSeconds(6)),
            new TransactionAnswer.Renewed(Duration.ofSeconds(6), true),
            new TransactionAnswer.Committed(42, true),
            new TransactionAnswer.Committed(42, false),
            new TransactionAnswer.Aborted())) {
      ByteBuffer frame = answer.toFrame();
      assertThat(TransactionAnswer.ofPayload(FrameHeader.type(frame), FrameHeader.verify(frame)))
          .isEqualTo(answer);
    }
    ShipmentException full = new ShipmentException(Fault.FULL, "no room");
    assertThatExceptionOfType(ShipmentException.class)
        .isThrownBy(
            () ->
                TransactionAnswer.ofPayload(
                    FrameType.FAILED,
                    FrameHeader.verify(Failure.toFrame(FrameType.FAILED, 0, full))))
        .withMessage("no room");
  }

  @Test
  void aFragmentNamesItsTransaction() throws Exception {
    for (TraceContext each : new TraceContext[] {null, TRACE}) {
      ShipmentHeader header =
          new ShipmentHeader(
              new UUID(7, 8),
              40,
              Pipeline.SEGMENTS,
              2,
              4,
              CommitOptions.DEFAULT.on(new UUID(5, 6), 9).of(new FragmentOf(ID, TOKEN)),
              "w",
              each);

      ShipmentHeader read = ShipmentHeader.ofPayload(FrameHeader.verify(header.toFrame()));

      assertThat(read).isEqualTo(header);
      assertThat(read.wholeTransaction()).isEqualTo(ID);
    }
  }

  @Test
  void aRepeatedCommitIsTheSameWithinAnotherTrace() {
    TransactionRequest.Commit commit = commit(null, List.of(ID));
    assertThat(commit.isSameAs(commit.withTrace(TRACE))).isTrue();
    assertThat(commit.withTrace(TRACE).isSameAs(commit)).isTrue();
    assertThat(commit.isSameAs(commit(null, List.of()))).isFalse();
    assertThat(commit.isSameAs(new TransactionRequest.Abort(ID, TOKEN))).isFalse();
    assertThat(commit.isSameAs(null)).isFalse();
  }

  @Test
  void theTablesOfAVersionAreASet() {
    assertThat(new AppVersion("a", 1, List.of("y", "x", "y")))
        .isEqualTo(new AppVersion("a", 1, List.of("x", "y")))
        .isNotEqualTo(AppVersion.of("a", 1, "x"));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new AppVersion("a", 1, List.of()))
        .withMessageContaining("version 1 of application 'a' counts for 0 tables");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new AppVersion("a", 1, List.of("x", "\u20ac".repeat(1_000))))
        .withMessageContaining(
            "2 tables, whose names have 3,002 bytes: at least 1 table and at most 3,000");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> AppVersion.of("a", 1, "x\ny"))
        .withMessageContaining("table name 'x\\u000Ay' has a control character");
  }

  @Test
  void refusesWhatNobodyWrites() {
    assertThatIllegalArgumentException()
        .isThrownBy(
            () -> commit(null, Collections.nCopies(TransactionRequest.MAX_FRAGMENTS + 1, ID)))
        .withMessageContaining("32,769 fragments exceed the limit of 32,768");
    Random random = new Random(1);
    for (TransactionRequest request : REQUESTS.subList(0, 7)) {
      ByteBuffer frame = request.toFrame();
      FrameType type = FrameHeader.type(frame);
      byte[] payload = new byte[frame.remaining() - FrameHeader.BYTES];
      frame.get(FrameHeader.BYTES, payload);
      for (int i = 0; i < 2_000; i++) {
        byte[] changed = payload.clone();
        changed[random.nextInt(payload.length)] = (byte) random.nextInt();
        ByteBuffer cut =
            ByteBuffer.wrap(changed, 0, random.nextInt(payload.length + 1))
                .order(ByteOrder.LITTLE_ENDIAN);
        try {
          assertThat(TransactionRequest.ofPayload(type, cut)).isNotNull();
        } catch (ShipmentException e) {
          assertThat(e.fault()).isIn(Fault.BAD_FRAME, Fault.LIMIT);
        }
      }
    }
  }
}
