package io.drayage.transport.netty;

import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.baseline.stream.StreamSender;
import io.drayage.cargo.CargoDigest;
import io.drayage.cargo.CargoSize;
import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.RandomCargo;
import io.drayage.codec.Compressor;
import io.drayage.codec.Compressors;
import io.drayage.codec.Serializer;
import io.drayage.codec.Serializers;
import io.drayage.codec.pool.CodecPool;
import io.drayage.frame.Accepted;
import io.drayage.frame.Credit;
import io.drayage.frame.Fault;
import io.drayage.frame.OpenRequest;
import io.drayage.frame.ShipmentException;
import io.drayage.metrics.DrayageMetrics;
import io.drayage.receive.CargoReceiver;
import io.drayage.receive.MemoryCommitter;
import io.drayage.receive.ReceiverLimits;
import io.drayage.receive.ReceiverUse;
import io.drayage.send.CargoSender;
import io.drayage.send.SegmentsSender;
import io.drayage.testing.Waiting;
import io.drayage.testing.Waiting.Running;
import io.drayage.transport.TcpWire;
import io.drayage.transport.TransportOptions;
import io.drayage.transport.TransportServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Ships one cargo through the faults of a {@link FaultSchedule}, to a server whose memory is just
 * enough for this cargo and its neighbour. Checks the outcome, and that everything is released.
 */
final class FaultRun {
  private static final Duration DEADLINE = Duration.ofMinutes(2);

  /** Timeout for runs in which nothing may time out. */
  private static final Duration PATIENT = Duration.ofSeconds(60);

  private static final int MAX_SHIPMENTS = 2;

  /** Faults of a shipment whose bytes arrive as they were sent or not at all. */
  private static final Set<Fault> OF_A_CONNECTION =
      EnumSet.of(
          Fault.PEER_GONE,
          Fault.PEER_SILENT,
          Fault.EXPIRED,
          Fault.CANCELLED,
          Fault.SEGMENT_MISSING);

  private final FaultSchedule schedule;
  private final TransportOptions options;
  private final ChangeCargo cargo;
  private final Queue<Long> committed = new ConcurrentLinkedQueue<>();

  /**
   * The end of a shipment.
   *
   * @param failure null if the cargo was committed
   */
  record Ending(@Nullable ShipmentException failure, int resumes) {}

  FaultRun(FaultSchedule schedule) {
    this.schedule = schedule;
    this.cargo = RandomCargo.of(schedule.seed(), schedule.rows());
    long windowBytes = (long) schedule.connections() * Credit.MAX_CHARGE_BYTES;
    boolean harmless = schedule.isHarmless();
    this.options =
        TransportOptions.builder()
            .openTimeout(harmless ? PATIENT : Duration.ofSeconds(8))
            .idleTimeout(harmless ? PATIENT : Duration.ofSeconds(3))
            .stallTimeout(harmless ? PATIENT : Duration.ofSeconds(6))
            .drainTimeout(Duration.ZERO)
            .connections(schedule.connections())
            .resumeWindow(schedule.resumeWindow())
            .receiverBytes(windowBytes, MAX_SHIPMENTS * windowBytes)
            .build();
  }

  Ending run() throws Exception {
    long rawBytes = CargoSize.rawBytes(cargo);
    ReceiverLimits limits =
        new ReceiverLimits(4 * rawBytes, MAX_SHIPMENTS * 4 * rawBytes, MAX_SHIPMENTS);
    // Two workers send the same cargo.
    try (CargoReceiver receiver =
            CargoReceiver.builder((MemoryCommitter) this::commit, limits, 2)
                .withoutLedger()
                .build();
        TransportServer server =
            NettyTransport.best()
                .listen(
                    new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                    receiver,
                    options)) {
      Ending outcome = ship(server);
      check(outcome);
      awaitThat(() -> ReceiverUse.shipmentsUnderWay(receiver) == 0, "shipments are over");
      checkTruth(outcome);
      assertThat(ReceiverUse.receivingBytes(receiver)).as("raw bytes of cargoes").isZero();
      awaitThat(() -> windowsAreFree(server), "windows are free");
      return outcome;
    }
  }

  private long commit(ChangeCargo arrived) {
    committed.add(CargoDigest.of(arrived));
    return committed.size();
  }

  private Ending ship(TransportServer server) throws Exception {
    try (TcpWire proxy = FaultProxy.before(server.address(), schedule.faults())) {
      Running<Ending> victim =
          Waiting.start(() -> sendTo(proxy.address(), schedule.segments(), options));
      if (schedule.neighbour()) {
        TransportOptions patient =
            options.toBuilder().openTimeout(PATIENT).idleTimeout(PATIENT).build();
        Running<Ending> neighbour = Waiting.start(() -> sendTo(server.address(), true, patient));
        Ending undisturbed = withinDeadline(neighbour);
        assertThat(undisturbed.failure()).as("failure of the neighbour").isNull();
      }
      return withinDeadline(victim);
    }
  }

  private Ending sendTo(InetSocketAddress address, boolean segments, TransportOptions clientOptions)
      throws Exception {
    Serializer serializer = Serializers.ofName("raw");
    Compressor compressor = Compressors.ofName(schedule.compressor());
    CountedClient client = new CountedClient(NettyTransport.best().client(address, clientOptions));
    Ending outcome;
    try (CodecPool pool = new CodecPool(2, "encode");
        CargoSender sender =
            segments
                ? new SegmentsSender(
                    client,
                    pool,
                    serializer,
                    compressor,
                    "w",
                    SegmentsSender.MIN_SEGMENT_BYTES,
                    new DrayageMetrics())
                : new StreamSender(client, serializer, compressor, "w")) {
      outcome = new Ending(failureOf(() -> sender.send(cargo)), client.resumes());
    }
    assertThat(client.openLeases()).as("leases of the worker").isZero();
    return outcome;
  }

  private static @Nullable ShipmentException failureOf(Callable<?> call) throws Exception {
    try {
      call.call();
      return null;
    } catch (ShipmentException e) {
      return e;
    }
  }

  private static <T> T withinDeadline(Running<T> running) throws Exception {
    try {
      return running.result().get(DEADLINE.toNanos(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      AssertionError hang = new AssertionError("no end after " + DEADLINE);
      hang.setStackTrace(running.thread().getStackTrace());
      throw hang;
    } catch (ExecutionException e) {
      throw new AssertionError("the worker failed without a name: " + e.getCause(), e.getCause());
    }
  }

  private void check(Ending outcome) {
    ShipmentException failure = outcome.failure();
    int others = schedule.neighbour() ? 1 : 0;
    assertThat(committed).as("digests").isSubsetOf(CargoDigest.of(cargo));
    if (failure == null) {
      assertThat(committed).as("commits").hasSize(others + 1);
      return;
    }
    // The answer may have been lost on the way.
    assertThat(committed.size()).as("commits").isBetween(others, others + 1);
    assertThat(failure.fault()).as(failure.toString()).isNotEqualTo(Fault.INTERNAL);
    if (schedule.keepsBytesRight()) {
      assertThat(failure.fault()).as(failure.toString()).isIn(OF_A_CONNECTION);
    }
    if (schedule.isHarmless()) {
      assertThat(schedule.isResumable()).as("resumable, and failed with " + failure).isFalse();
    }
  }

  /** Checks the worker's outcome of its cargo, when nothing can happen to the cargo any more. */
  private void checkTruth(Ending outcome) {
    ShipmentException failure = outcome.failure();
    if (failure != null && failure.outcome() == ShipmentException.Outcome.NOT_APPLIED) {
      assertThat(committed).as("not applied: " + failure).hasSize(schedule.neighbour() ? 1 : 0);
    }
  }

  /** Checks whether the windows of as many shipments as fit are free, with all connections. */
  private boolean windowsAreFree(TransportServer server) {
    return areFree(server, MAX_SHIPMENTS);
  }

  private boolean areFree(TransportServer server, int count) {
    if (count == 0) {
      return true;
    }
    try (RawPeer peer = new RawPeer(server.address())) {
      OpenRequest wanted = new OpenRequest(schedule.connections(), 0, 0);
      Accepted answer = peer.open(cargo.transactionId(), wanted);
      int expected = schedule.resumeWindow().isZero() ? 1 : schedule.connections();
      boolean free = answer.maxConnections() == expected && areFree(server, count - 1);
      peer.cancel(answer.shipmentId());
      return peer.isClosedByPeer() && free;
    } catch (IOException refused) {
      return false;
    }
  }

  private static void awaitThat(BooleanSupplier condition, String what) {
    assertThat(DirectMemory.await(condition)).as(what).isTrue();
  }
}
