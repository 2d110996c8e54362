package io.drayage.baseline.grpc;

import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.frame.Fault;
import io.drayage.frame.FrameType;
import io.drayage.frame.Seal;
import io.drayage.frame.ShipmentException;
import io.drayage.frame.Token;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The choice of a call for each frame, and the waiting for calls. */
@Timeout(180)
final class OutboundCallsTest {
  private static final long ID = 7;

  private final FakeChannel leading = new FakeChannel();
  private final FakeChannel further = new FakeChannel();
  private final AtomicInteger runs = new AtomicInteger();
  private final OutboundCalls calls = calls();

  private OutboundCalls calls() {
    List<HaulCalls> channels =
        List.of(new HaulCalls(leading, new Published()), new HaulCalls(further, new Published()));
    OutboundCalls made =
        new OutboundCalls(ID, channels, answer -> {}, answer -> {}, OutboundCallsTest::fail);
    made.begin(Token.NONE);
    return made;
  }

  private static void fail(ShipmentException cause) {
    throw new AssertionError(cause);
  }

  private static ByteBuffer frame(FrameType type) {
    return new Seal(1, 2).toFrame(type, ID);
  }

  private void waitForRoom() {
    calls.whenReady(runs::incrementAndGet);
  }

  @Test
  void whatWaitsRunsOnceThoughACallIsStalledForLong() throws Exception {
    assertThat(calls.offer(frame(FrameType.MANIFEST))).isTrue();
    leading.setReady(false);
    for (int round = 1; round <= 100; round++) {
      further.setReady(false);
      assertThat(calls.offer(frame(FrameType.SEGMENT))).isFalse();
      waitForRoom();
      assertThat(runs).hasValue(round - 1);
      further.setReady(true);
      assertThat(runs).hasValue(round);
      assertThat(calls.offer(frame(FrameType.SEGMENT))).isTrue();
    }

    leading.setReady(true);

    assertThat(runs).hasValue(100);
  }

  @Test
  void firstFrameWaitsForTheLeadingCall() throws Exception {
    leading.setReady(false);
    assertThat(calls.offer(frame(FrameType.MANIFEST))).isFalse();
    waitForRoom();
    assertThat(runs).hasValue(0);

    leading.setReady(true);

    assertThat(runs).hasValue(1);
    assertThat(calls.offer(frame(FrameType.MANIFEST))).isTrue();
  }

  @Test
  void sealWaitsForTheLeadingCall() throws Exception {
    assertThat(calls.offer(frame(FrameType.MANIFEST))).isTrue();
    leading.setReady(false);
    assertThat(calls.offer(frame(FrameType.SEAL))).isFalse();
    waitForRoom();
    assertThat(runs).as("the other call has room, which is of no use").hasValue(0);

    leading.setReady(true);

    assertThat(runs).hasValue(1);
    assertThat(calls.offer(frame(FrameType.SEAL))).isTrue();
  }

  @Test
  void whatWaitsRunsAtTheEnd() throws Exception {
    assertThat(calls.offer(frame(FrameType.MANIFEST))).isTrue();
    leading.setReady(false);
    further.setReady(false);
    waitForRoom();

    assertThat(calls.end(new ShipmentException(Fault.CANCELLED, "over"))).isTrue();

    assertThat(runs).hasValue(1);
    waitForRoom();
    assertThat(runs).hasValue(2);
  }
}
