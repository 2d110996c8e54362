package io.drayage.transport.netty;

import static io.drayage.internal.Texts.format;
import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.ColumnValues;
import io.drayage.codec.Compressors;
import io.drayage.codec.Serializers;
import io.drayage.codec.pool.CodecPool;
import io.drayage.frame.Fault;
import io.drayage.frame.ShipmentException;
import io.drayage.receive.CargoReceiver;
import io.drayage.receive.ReceiverLimits;
import io.drayage.send.SegmentsSender;
import io.drayage.send.SendOptions;
import io.drayage.testing.CargoBytes;
import io.drayage.transport.PeerLimits;
import io.drayage.transport.Threads;
import io.drayage.transport.TransportOptions;
import io.drayage.transport.TransportServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A program that embeds both ends, and sends on many threads. A seed decides the limits, threads,
 * codecs and sizes, which commits are slow or throw, which threads are interrupted, which calls
 * have a short deadline, and when which end is closed. In every case every call ends, its outcome
 * is true, no transaction is applied twice, and everything is released.
 *
 * <p>{@code -Ddrayage.embedding.schedules=N} sets the number of schedules, {@code
 * -Ddrayage.embedding.firstSeed=S} the first seed.
 */
class RandomEmbeddingTest {
  private static final int SCHEDULES = Integer.getInteger("drayage.embedding.schedules", 120);
  private static final int FEW_SCHEDULES = 5;
  private static final int FIRST_SEED = Integer.getInteger("drayage.embedding.firstSeed", 1);

  private static final long DEADLINE_S = 60;

  /** The longest time before the ends of a schedule are closed. */
  private static final int MAX_CLOSE_NS = 300_000_000;

  private static final int MAX_INTERRUPT_NS = 30_000_000;

  @Test
  @Tag("ci")
  @Timeout(600)
  void everythingEndsAndItsOutcomeIsTrue() throws Exception {
    run(FEW_SCHEDULES);
  }

  @Test
  @Tag("nightly")
  @Timeout(3_600)
  void andSoItDoesInManyPrograms() throws Exception {
    run(SCHEDULES);
  }

  private static void run(int schedules) throws Exception {
    for (int seed = FIRST_SEED; seed < FIRST_SEED + schedules; seed++) {
      Threads threads = Threads.remember();
      try {
        new Schedule(seed).run();
        threads.assertGone(Duration.ofSeconds(20));
        DirectMemory.assertAllReleased();
      } catch (Exception | AssertionError e) {
        throw new AssertionError(
            format(
                "seed %d (-Ddrayage.embedding.firstSeed=%d -Ddrayage.embedding.schedules=1): %s",
                seed, seed, e),
            e);
      }
    }
  }

  /** The result of a call, as its caller saw it. */
  private enum Seen {
    APPLIED,
    NOT_APPLIED,
    UNKNOWN
  }

  /** Both ends, their threads, and the events. */
  private static final class Schedule {
    private final Random random;
    private final Set<UUID> applied = ConcurrentHashMap.newKeySet();
    private final Set<UUID> appliedTwice = ConcurrentHashMap.newKeySet();
    private final Map<UUID, Seen> seen = new ConcurrentHashMap<>();
    private final Map<UUID, Throwable> nameless = new ConcurrentHashMap<>();
    private final AtomicInteger commits = new AtomicInteger();
    private final long commitNs;
    private final int throwsInThousand;

    Schedule(long seed) {
      random = new Random(seed);
      commitNs = random.nextInt(4) == 0 ? random.nextInt(20_000_000) : 0;
      throwsInThousand = random.nextInt(3) == 0 ? random.nextInt(500) : 0;
    }

    void run() throws Exception {
      TransportOptions options = options();
      int codecThreads = 1 + random.nextInt(3);
      CargoReceiver receiver =
          new CargoReceiver(
              this::apply,
              new ReceiverLimits(64 << 20, 128 << 20, 1 + random.nextInt(64)),
              codecThreads);
      NettyTransport transport = NettyTransport.best();
      TransportServer server =
          transport.listen(
              new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), receiver, options);
      CodecPool pool = new CodecPool(codecThreads, "encode");
      SegmentsSender sender =
          new SegmentsSender(
              transport.client(server.address(), options),
              pool,
              Serializers.ofName(random.nextBoolean() ? "columnar" : "raw"),
              Compressors.ofName(random.nextInt(4) == 0 ? "lz4" : "none"),
              "worker");
      List<AutoCloseable> ends = new ArrayList<>(List.of(sender, pool, server, receiver));
      List<Thread> callers = callers(sender);
      try {
        callers.forEach(Thread::start);
        for (int i = random.nextInt(4); i > 0; i--) {
          LockSupport.parkNanos(random.nextInt(MAX_INTERRUPT_NS));
          callers.get(random.nextInt(callers.size())).interrupt();
        }
        if (random.nextInt(3) > 0) { // Otherwise all of it is let through.
          LockSupport.parkNanos(random.nextInt(MAX_CLOSE_NS));
          Collections.shuffle(ends, random);
          for (AutoCloseable end : ends) {
            end.close();
          }
        }
        for (Thread caller : callers) {
          caller.join(DEADLINE_S * 1_000);
          assertThat(caller.isAlive()).as("%s still sends", caller.getName()).isFalse();
        }
      } finally {
        callers.forEach(Thread::interrupt);
        for (AutoCloseable end : List.of(sender, pool, server, receiver)) {
          end.close();
        }
      }
      requireTruth();
    }

    /** Returns the defaults, or limits so narrow that nearly all calls wait. */
    private TransportOptions options() {
      TransportOptions.Builder options =
          TransportOptions.builder().drainTimeout(Duration.ofMillis(random.nextInt(300)));
      if (random.nextBoolean()) {
        options
            .receiverBytes(5 << 20, (5 << 20) * (1L + random.nextInt(8)))
            .peerLimits(new PeerLimits(4_096, 512, 1 + random.nextInt(8), 20 << 20));
      }
      return options.build();
    }

    private List<Thread> callers(SegmentsSender sender) {
      int count = 1 << random.nextInt(8);
      int each = 1 + random.nextInt(Math.max(1, 200 / count));
      List<Thread> callers = new ArrayList<>();
      for (int t = 0; t < count; t++) {
        List<ChangeCargo> cargoes = new ArrayList<>();
        for (int i = 0; i < each; i++) {
          cargoes.add(cargo());
        }
        SendOptions options =
            random.nextInt(8) == 0
                ? SendOptions.DEFAULT.within(Duration.ofMillis(random.nextInt(200)))
                : SendOptions.DEFAULT.within(Duration.ofSeconds(DEADLINE_S / 2));
        callers.add(
            new Thread(
                () -> cargoes.forEach(cargo -> send(sender, cargo, options)), "caller-" + t));
      }
      return callers;
    }

    /** Returns a cargo: mostly a small one, sometimes with segments for several connections. */
    private ChangeCargo cargo() {
      int rows = random.nextInt(40) == 0 ? 300_000 + random.nextInt(500_000) : random.nextInt(100);
      int[] values = new Random(random.nextLong()).ints(rows + 1).toArray();
      UUID id = new UUID(random.nextLong(), random.nextLong());
      return CargoBytes.cargoOf(id, ColumnValues.of(new int[][] {values}));
    }

    private void send(SegmentsSender sender, ChangeCargo cargo, SendOptions options) {
      UUID id = cargo.transactionId();
      try {
        assertThat(sender.send(cargo, options).snapshotTimestamp()).isPositive();
        seen.put(id, Seen.APPLIED);
      } catch (ShipmentException e) {
        seen.put(
            id,
            e.outcome() == ShipmentException.Outcome.NOT_APPLIED ? Seen.NOT_APPLIED : Seen.UNKNOWN);
      } catch (InterruptedException e) {
        seen.put(id, Seen.NOT_APPLIED);
      } catch (RuntimeException | Error e) {
        nameless.put(id, e);
      }
    }

    private long apply(ChangeCargo cargo) throws ShipmentException {
      UUID id = cargo.transactionId();
      LockSupport.parkNanos(commitNs);
      int dice = (int) Math.floorMod(id.getLeastSignificantBits(), 1_000L);
      if (dice < throwsInThousand / 2) {
        throw new ShipmentException(Fault.REJECTED, "not this one");
      }
      if (!applied.add(id)) {
        appliedTwice.add(id);
      }
      if (dice < throwsInThousand) {
        throw new IllegalStateException("after it was applied");
      }
      return commits.incrementAndGet();
    }

    private void requireTruth() {
      assertThat(nameless).as("what is no ShipmentException").isEmpty();
      assertThat(appliedTwice).as("applied twice").isEmpty();
      seen.forEach(
          (id, outcome) -> {
            if (outcome != Seen.UNKNOWN) {
              assertThat(applied.contains(id))
                  .as("%s was applied, and its caller was told %s", id, outcome)
                  .isEqualTo(outcome == Seen.APPLIED);
            }
          });
    }
  }
}
