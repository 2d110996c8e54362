package io.drayage.transport.netty;

import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.ColumnValues;
import io.drayage.frame.Fault;
import io.drayage.frame.FrameHeader;
import io.drayage.frame.FrameType;
import io.drayage.frame.Seal;
import io.drayage.frame.ShipmentException;
import io.drayage.receive.CargoReceiver;
import io.drayage.receive.ReceiverLimits;
import io.drayage.segment.ManifestCodec;
import io.drayage.segment.SegmentPlanner;
import io.drayage.transport.TransportOptions;
import io.drayage.transport.TransportServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Frames whose checksums are right and whose contents are not: named, and nothing is committed. */
@Timeout(60)
class HostileSegmentsTest {
  private static final UUID TRANSACTION = new UUID(7, 11);
  private static final int ROWS = 4;
  private static final int ROW_BYTES = Integer.BYTES;

  /** Two columns of {@link #ROWS} ints: segments 0 and 1. */
  private static final ChangeCargo CARGO =
      ChangeCargo.builder(TRANSACTION, 0)
          .table(
              "t",
              table ->
                  table
                      .insert("a", ColumnValues.of(new int[][] {new int[ROWS]}))
                      .insert("b", ColumnValues.of(new int[][] {new int[ROWS]})))
          .build();

  private final AtomicInteger commits = new AtomicInteger();
  private final CargoReceiver receiver =
      new CargoReceiver(
          cargo -> commits.incrementAndGet(), new ReceiverLimits(1 << 20, 1 << 20, 8), 2);
  private TransportServer server;
  private RawPeer peer;
  private long id;

  @BeforeEach
  void openAndSendManifest() throws IOException {
    server =
        NettyTransport.best()
            .listen(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                receiver,
                TransportOptions.DEFAULT);
    peer = new RawPeer(server.address());
    id = peer.open(TRANSACTION).shipmentId();
    peer.send(
        ManifestCodec.toFrame(
            new SegmentPlanner(SegmentPlanner.DEFAULT_SEGMENT_BYTES).plan(CARGO), id));
  }

  @AfterEach
  void nothingIsCommittedAndNothingLeft() throws Exception {
    peer.close();
    assertThat(DirectMemory.await(() -> receiver.shipmentsUnderWay() == 0)).isTrue();
    assertThat(receiver.receivingBytes()).isZero();
    server.close();
    receiver.close();
    assertThat(commits).hasValue(0);
    DirectMemory.assertAllReleased();
  }

  /** A segment frame with a right checksum around whatever this is. */
  private ByteBuffer segment(int number, int further, int statedBytes, byte[] content) {
    ByteBuffer frame =
        ByteBuffer.allocate(FrameHeader.BYTES + 16 + content.length)
            .order(ByteOrder.LITTLE_ENDIAN)
            .position(FrameHeader.BYTES)
            .putInt(number)
            .put((byte) 2) // raw
            .put((byte) 1) // none
            .putShort((short) 0)
            .putInt(statedBytes)
            .putInt(further)
            .put(content)
            .flip();
    FrameHeader.write(frame, FrameType.SEGMENT, id);
    return frame;
  }

  private ByteBuffer column(int number) {
    return segment(number, 0, ROWS * ROW_BYTES, new byte[ROWS * ROW_BYTES]);
  }

  /** Segments 0 and 1 in one frame, with these lengths in front of them. */
  private ByteBuffer run(int further, int firstLength, int secondLength) {
    int columnBytes = ROWS * ROW_BYTES;
    ByteBuffer content =
        ByteBuffer.allocate(2 * (Integer.BYTES + columnBytes))
            .order(ByteOrder.LITTLE_ENDIAN)
            .putInt(firstLength)
            .position(Integer.BYTES + columnBytes)
            .putInt(secondLength);
    return segment(0, further, content.capacity(), content.array());
  }

  private ShipmentException answerTo(ByteBuffer... frames) throws IOException {
    for (ByteBuffer frame : frames) {
      peer.send(frame);
    }
    return peer.receiveFailure();
  }

  private static void assertFault(ShipmentException answer, Fault... faults) {
    assertThat(answer.fault()).as(answer.getMessage()).isIn((Object[]) faults);
  }

  @Test
  void refusesSegmentThatComesTwice() throws IOException {
    ShipmentException answer = answerTo(column(0), column(0));
    assertFault(answer, Fault.SEGMENT_REPEATED);
    assertThat(answer).hasMessageContaining("came twice");
  }

  @Test
  void refusesSegmentThatARunBroughtAlready() throws IOException {
    int bytes = ROWS * ROW_BYTES;
    assertFault(answerTo(run(1, bytes, bytes), column(1)), Fault.SEGMENT_REPEATED);
  }

  @Test
  void refusesSegmentOutsideTheManifest() throws IOException {
    assertFault(answerTo(column(2)), Fault.PROTOCOL_VIOLATION);
  }

  @Test
  void refusesNegativeSegmentNumber() throws IOException {
    assertFault(answerTo(column(-1)), Fault.PROTOCOL_VIOLATION);
  }

  @Test
  void refusesRunBeyondTheManifest() throws IOException {
    int bytes = ROWS * ROW_BYTES;
    assertFault(answerTo(run(2, bytes, bytes)), Fault.PROTOCOL_VIOLATION, Fault.DECODE);
  }

  @Test
  void refusesRunOfFourBillion() throws IOException {
    int bytes = ROWS * ROW_BYTES;
    assertFault(
        answerTo(run(-1, bytes, bytes)), Fault.PROTOCOL_VIOLATION, Fault.DECODE, Fault.LIMIT);
  }

  @Test
  void refusesRunWhoseFirstLengthIsNegative() throws IOException {
    assertFault(answerTo(run(1, -1, ROWS * ROW_BYTES)), Fault.DECODE);
  }

  @Test
  void refusesRunWhoseLengthReachesBehindItsEnd() throws IOException {
    assertFault(answerTo(run(1, Integer.MAX_VALUE, ROWS * ROW_BYTES)), Fault.DECODE);
  }

  @Test
  void refusesRunWhoseLengthsDoNotFillIt() throws IOException {
    assertFault(answerTo(run(1, ROWS * ROW_BYTES, ROWS * ROW_BYTES - 1)), Fault.DECODE);
  }

  @Test
  void refusesSegmentThatStatesMoreThanItHas() throws IOException {
    byte[] content = new byte[ROWS * ROW_BYTES];
    assertFault(answerTo(segment(0, 0, 4 << 20, content)), Fault.LIMIT, Fault.DECODE);
  }

  @Test
  void refusesSealThatComesBeforeASegment() throws IOException {
    Seal.Digest digest = new Seal.Digest();
    ByteBuffer first = column(0);
    digest.add(0, FrameHeader.checksum(first));
    ShipmentException answer = answerTo(first, digest.seal().toFrame(FrameType.SEAL, id));
    assertFault(answer, Fault.SEGMENT_MISSING);
  }

  @Test
  void refusesSealWithTheDigestOfSomethingElse() throws IOException {
    ShipmentException answer =
        answerTo(column(0), column(1), new Seal(2, 12_345).toFrame(FrameType.SEAL, id));
    assertFault(answer, Fault.DIGEST);
  }

  @Test
  void refusesSegmentOfAnotherShipment() throws IOException {
    ByteBuffer frame = column(0);
    FrameHeader.write(frame, FrameType.SEGMENT, id + 1);
    assertFault(answerTo(frame), Fault.PROTOCOL_VIOLATION);
  }

  @Test
  void refusesManifestBeyondTheLimitOfACargo() throws IOException {
    ChangeCargo large =
        ChangeCargo.builder(TRANSACTION, 0)
            .table("t", t -> t.insert("c", ColumnValues.of(new long[][] {new long[131_073]})))
            .build();
    try (RawPeer greedy = new RawPeer(server.address())) {
      long other = greedy.open(TRANSACTION).shipmentId();
      greedy.send(
          ManifestCodec.toFrame(
              new SegmentPlanner(SegmentPlanner.DEFAULT_SEGMENT_BYTES).plan(large), other));
      assertFault(greedy.receiveFailure(), Fault.LIMIT);
    }
    assertFault(answerTo(column(0), column(0)), Fault.SEGMENT_REPEATED); // The other goes on.
  }
}
