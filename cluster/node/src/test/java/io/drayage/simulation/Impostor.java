package io.drayage.simulation;

import io.drayage.cargo.ChangeCargo;
import io.drayage.codec.pool.CodecPool;
import io.drayage.coordination.PrimaryInfo;
import io.drayage.coordination.PublishedSnapshot;
import io.drayage.frame.ShipmentException;
import io.drayage.send.CargoSender;
import io.drayage.send.SendOptions;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.UUID;

/** Sends cargoes of one worker with the ids of open transactions of several: none is committed. */
final class Impostor {
  private static final String HOST = "i.1";
  private static final String OPEN = "open/";
  private static final int LONGEST_PAUSE_MS = 200;

  private final SimulatedCluster world;
  private final SplittableRandom random;

  Impostor(SimulatedCluster world, SplittableRandom random) {
    this.world = world;
    this.random = random;
  }

  /** Starts; goes on until the faults are over. */
  void start() {
    world.start(HOST, this::run);
  }

  private void run() throws InterruptedException {
    try (CodecPool pool = new CodecPool(1, "encode")) {
      while (!world.isCalm) {
        Thread.sleep(random.nextInt(LONGEST_PAUSE_MS));
        while (world.isNight) {
          world.waitAWhile();
        }
        List<UUID> open =
            world.store.keys().stream()
                .filter(key -> key.startsWith(OPEN))
                .map(key -> UUID.fromString(key.substring(OPEN.length())))
                .toList();
        PrimaryInfo primary = world.zooKeeper.primary().orElse(null);
        if (primary != null && !open.isEmpty()) {
          send(primary, open.get(random.nextInt(open.size())), pool);
        }
      }
    }
  }

  private static InetSocketAddress address(PrimaryInfo primary) {
    String[] parts = primary.node().address().split(":", 2);
    return InetSocketAddress.createUnresolved(parts[0], Integer.parseInt(parts[1]));
  }

  private void send(PrimaryInfo primary, UUID transaction, CodecPool pool)
      throws InterruptedException {
    long base = world.zooKeeper.published().map(PublishedSnapshot::timestamp).orElse(0L);
    ChangeCargo nothing = ChangeCargo.builder(transaction, base).build();
    try (CargoSender sender = world.sender(HOST, address(primary), pool)) {
      var unused = sender.send(nothing, SendOptions.DEFAULT.withPatience(Duration.ofSeconds(1)));
      throw new AssertionError(
          "a cargo of one worker was committed as transaction %s of several"
              .formatted(transaction));
    } catch (ShipmentException e) {
      world.scheduler.count("impostor refused");
    }
  }
}
