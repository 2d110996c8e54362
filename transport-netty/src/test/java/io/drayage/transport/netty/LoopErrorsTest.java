package io.drayage.transport.netty;

import static io.drayage.testing.Faults.assertFault;
import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.ColumnType;
import io.drayage.cargo.ColumnValues;
import io.drayage.codec.pool.CodecPool;
import io.drayage.frame.Fault;
import io.drayage.frame.ShipmentException;
import io.drayage.receive.CargoReceiver;
import io.drayage.receive.MemoryCommitter;
import io.drayage.receive.ReceiverLimits;
import io.drayage.send.SegmentsSender;
import io.drayage.testing.CargoBytes;
import io.drayage.transport.ShipmentAcceptor;
import io.drayage.transport.TransportClient;
import io.drayage.transport.TransportOptions;
import io.drayage.transport.TransportServer;
import io.netty.channel.ChannelFuture;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.internal.ThreadExecutorMap;
import java.net.InetAddress;
import java.net.InetSocketAddress;
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
 * An error escapes into the event loop itself: a task of it fails, and Netty, which would log that,
 * finds no memory. The shipments that the loop served end, and the loop goes on.
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
  private final CodecPool pool = new CodecPool(2, "encode");

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
    pool.close();
  }

  private static final class TaskFailedException extends RuntimeException {
    private static final long serialVersionUID = 1;
  }

  /** The loop whose thread this is gets the error when it has done what it does now. */
  private static void hitThisLoop() {
    hit(ThreadExecutorMap.currentExecutor());
  }

  private static void hit(EventExecutor loop) {
    loop.execute(
        () -> {
          throw new TaskFailedException();
        });
  }

  /** Of 12 MB, more than the loop can send without reading of new credit. */
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
    return ChangeCargo.builder(UUID.randomUUID(), 0)
        .table("t", table -> table.insert("c", values))
        .build();
  }

  private static NettyClient client(TransportServer server) {
    return (NettyClient) NettyTransport.best().client(server.address(), ONE_LOOP);
  }

  private SegmentsSender sender(TransportServer server) {
    return sender(client(server));
  }

  private SegmentsSender sender(TransportClient client) {
    return CargoBytes.sender(client, pool);
  }

  private static CargoReceiver receiver(MemoryCommitter committer) {
    return new CargoReceiver(committer, new ReceiverLimits(512 << 20, 512 << 20, 8), 2);
  }

  private static TransportServer listen(ShipmentAcceptor acceptor) throws Exception {
    return NettyTransport.best()
        .listen(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
            acceptor,
            TransportOptions.DEFAULT);
  }

  @Test
  void aSendEndsAndTheNextOneCommits() throws Exception {
    try (CargoReceiver receiver = receiver(cargo -> 1);
        TransportServer server = listen(receiver);
        SegmentsSender sender = sender(server)) {
      assertFault(Fault.INTERNAL, () -> sender.send(cargo(LoopErrorsTest::hitThisLoop)))
          .hasMessageContaining("event loop netty-send-")
          .hasMessageContaining("java.lang.OutOfMemoryError: planted")
          .extracting(thrown -> ((ShipmentException) thrown).outcome())
          .isEqualTo(ShipmentException.Outcome.NOT_APPLIED);

      for (int n = 0; n < 3; n++) { // So the budget was given back.
        assertThat(sender.send(cargo(() -> {})).snapshotTimestamp()).isEqualTo(1);
      }
    }
  }

  @Test
  void allFramesOfASendAreReleased() throws Exception {
    CompletableFuture<Void> hit = new CompletableFuture<>();
    try (CargoReceiver receiver = receiver(cargo -> 1);
        TransportServer server = listen(receiver);
        NettyClient client = client(server)) {
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
      try (SegmentsSender sender = sender(counted)) {
        assertFault(Fault.INTERNAL, () -> sender.send(cargo(hitTheLoop)))
            .hasMessageContaining("event loop netty-send-");
      }
      assertThat(counted.openLeases()).isZero();
    }
  }

  @Test
  void theOutcomeOfACargoThatHasBeenSentIsUnknown() throws Exception {
    AtomicReference<EventExecutor> loop = new AtomicReference<>();
    CompletableFuture<Void> failed = new CompletableFuture<>();
    MemoryCommitter committer =
        cargo -> {
          hit(loop.get());
          failed.join();
          return 1;
        };
    try (CargoReceiver receiver = receiver(committer);
        TransportServer server = listen(receiver);
        SegmentsSender sender = sender(server)) {
      Runnable noteLoop = () -> loop.set(ThreadExecutorMap.currentExecutor());
      assertFault(Fault.INTERNAL, () -> sender.send(cargo(noteLoop)))
          .hasMessageContaining("event loop netty-send-")
          .extracting(thrown -> ((ShipmentException) thrown).outcome())
          .isEqualTo(ShipmentException.Outcome.UNKNOWN);
      failed.complete(null);
    }
  }

  @Test
  void aTransactorFailsWhatItReceivesAndCommitsTheNext() throws Exception {
    AtomicReference<Runnable> once = new AtomicReference<>(LoopErrorsTest::hitThisLoop);
    try (CargoReceiver receiver = receiver(cargo -> 1);
        TransportServer server =
            listen(
                (header, replies) -> {
                  once.getAndSet(() -> {}).run();
                  return receiver.accept(header, replies);
                });
        SegmentsSender sender = sender(server)) {
      assertFault(Fault.INTERNAL, () -> sender.send(cargo(() -> {})))
          .hasMessageContaining("event loop netty-receive-")
          .hasMessageContaining("java.lang.OutOfMemoryError: planted")
          .extracting(thrown -> ((ShipmentException) thrown).outcome())
          .isEqualTo(ShipmentException.Outcome.NOT_APPLIED);

      for (int n = 0; n < NettyServer.MAX_EVENT_LOOPS; n++) {
        try (SegmentsSender next = sender(server)) { // Over the next loop.
          assertThat(next.send(cargo(() -> {})).snapshotTimestamp()).isEqualTo(1);
        }
      }
    }
  }
}
