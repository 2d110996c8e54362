package io.drayage.transport.netty;

import static io.drayage.testing.Refusals.assertFault;
import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.ColumnType;
import io.drayage.cargo.ColumnValues;
import io.drayage.codec.pool.CodecPool;
import io.drayage.frame.Fault;
import io.drayage.frame.ShipmentException;
import io.drayage.frame.ShipmentException.Outcome;
import io.drayage.receive.CargoReceiver;
import io.drayage.send.SegmentsSender;
import io.drayage.testing.CargoBytes;
import io.drayage.testing.Ends;
import io.drayage.transport.TransportOptions;
import io.netty.channel.ChannelFuture;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.internal.ThreadExecutorMap;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.logging.Filter;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * An error escapes into the event loop itself: a task of the loop fails, and Netty lacks the memory
 * to log this. The shipments of the loop end, and the loop goes on.
 */
@Timeout(180)
class LoopErrorsTest {
  private static final int ROWS = ColumnValues.DEFAULT_ROWS_PER_PAGE;
  private static final int PAGES = (12 << 20) / ROWS / Long.BYTES;

  private static final TransportOptions ONE_LOOP =
      TransportOptions.builder().connections(1).build();

  private final Logger nettysLog =
      Logger.getLogger("io.netty.util.concurrent.AbstractEventExecutor");
  private final AtomicReference<Filter> before = new AtomicReference<>();
  private final Ends ends = new Ends(NettyTransport.best(), ONE_LOOP);

  @BeforeEach
  void findNoMemoryToLog() {
    before.set(nettysLog.getFilter());
    nettysLog.setFilter(
        record -> {
          if (record.getThrown() instanceof TaskFailedException) {
            throw new OutOfMemoryError("planted");
          }
          return true;
        });
  }

  @AfterEach
  void logAgain() {
    nettysLog.setFilter(before.get());
    ends.close();
  }

  private static final class TaskFailedException extends RuntimeException {
    private static final long serialVersionUID = 1;
  }

  /** Raises the error in the loop of this thread, after its current task. */
  private static void hitThisLoop() {
    hit(ThreadExecutorMap.currentExecutor());
  }

  private static void hit(EventExecutor loop) {
    loop.execute(
        () -> {
          throw new TaskFailedException();
        });
  }

  /** Returns a cargo of 12 MB, more than the loop can send without new credit. */
  private static ChangeCargo cargo(Runnable atTheFirstPage) {
    AtomicReference<Runnable> once = new AtomicReference<>(atTheFirstPage);
    ColumnValues values =
        ColumnValues.onDemand(
            ColumnType.LONG,
            (long) PAGES * ROWS,
            ROWS,
            page -> {
              once.getAndSet(() -> {}).run();
              return new long[ROWS];
            });
    return CargoBytes.cargoOf(UUID.randomUUID(), values);
  }

  private void assertHit(SegmentsSender sender, ChangeCargo cargo, String loop, Outcome outcome) {
    assertFault(Fault.INTERNAL, () -> sender.send(cargo))
        .hasMessageContaining("event loop " + loop)
        .hasMessageContaining("java.lang.OutOfMemoryError: planted")
        .extracting(thrown -> ((ShipmentException) thrown).outcome())
        .isEqualTo(outcome);
  }

  @Test
  void aSendEndsAndTheNextOneCommits() throws Exception {
    ends.receive(cargo -> 1);
    SegmentsSender sender = ends.sender();
    assertHit(sender, cargo(LoopErrorsTest::hitThisLoop), "netty-send-", Outcome.NOT_APPLIED);
    for (int n = 0; n < 3; n++) { // So the budget was returned.
      assertThat(sender.send(cargo(() -> {})).snapshotTimestamp()).isEqualTo(1);
    }
  }

  @Test
  void allFramesOfASendAreReleased() {
    CompletableFuture<Void> hit = new CompletableFuture<>();
    ends.receive(cargo -> 1);
    NettyClient client = (NettyClient) ends.client();
    CountedClient counted = new CountedClient(client);
    Runnable hitTheLoop =
        () -> {
          ChannelFuture unused =
              client.connect(
                  channel -> {
                    hit(channel.eventLoop());
                    channel.eventLoop().execute(() -> hit.complete(null));
                  });
          hit.join();
        };
    try (SegmentsSender sender =
        CargoBytes.sender(counted, ends.opened(new CodecPool(2, "encode")))) {
      assertFault(Fault.INTERNAL, () -> sender.send(cargo(hitTheLoop)))
          .hasMessageContaining("event loop netty-send-");
    }
    assertThat(counted.openLeases()).isZero();
  }

  @Test
  void theOutcomeOfACargoThatHasBeenSentIsUnknown() {
    AtomicReference<EventExecutor> loop = new AtomicReference<>();
    CompletableFuture<Void> failed = new CompletableFuture<>();
    ends.receive(
        cargo -> {
          hit(loop.get());
          failed.join();
          return 1;
        });
    Runnable noteLoop = () -> loop.set(ThreadExecutorMap.currentExecutor());
    assertHit(ends.sender(), cargo(noteLoop), "netty-send-", Outcome.UNKNOWN);
    failed.complete(null);
  }

  @Test
  void aTransactorFailsWhatItReceivesAndCommitsTheNext() throws Exception {
    AtomicReference<Runnable> once = new AtomicReference<>(LoopErrorsTest::hitThisLoop);
    CargoReceiver receiver = ends.receive(cargo -> 1);
    ends.listen(
        (header, replies) -> {
          once.getAndSet(() -> {}).run();
          return receiver.accept(header, replies);
        });
    assertHit(ends.sender(), cargo(() -> {}), "netty-receive-", Outcome.NOT_APPLIED);
    for (int n = 0; n < NettyServer.MAX_EVENT_LOOPS; n++) { // Over the next loop.
      assertThat(ends.sender().send(cargo(() -> {})).snapshotTimestamp()).isEqualTo(1);
    }
  }
}
