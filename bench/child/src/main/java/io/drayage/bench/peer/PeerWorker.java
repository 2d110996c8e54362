package io.drayage.bench.peer;

import io.drayage.bench.child.ChildLoop.Arguments;
import io.drayage.bench.child.ControlMessages.Burst;
import io.drayage.bench.child.ControlMessages.Command;
import io.drayage.bench.child.ControlMessages.Listening;
import io.drayage.bench.child.ControlMessages.Prepared;
import io.drayage.bench.child.ControlMessages.Shipped;
import io.drayage.bench.child.ControlMessages.Warmed;
import io.drayage.bench.child.ProcessMeter;
import io.drayage.bench.child.StoredCargo;
import io.drayage.cargo.CargoDigest;
import io.drayage.cargo.CargoSize;
import io.drayage.cargo.ChangeCargo;
import io.drayage.metrics.DrayageMetrics;
import io.drayage.metrics.Stage;
import io.drayage.send.SendReport;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A worker that ships through a {@link Peer}. */
final class PeerWorker {
  private final DrayageMetrics metrics = new DrayageMetrics();
  private final ProcessMeter meter = new ProcessMeter(metrics, Stage.SEND);
  private final Peer peer;
  private @Nullable PeerJob job;
  private @Nullable ChangeCargo cargo;
  private @Nullable Prepared prepared;
  private @Nullable PeerSender sender;

  PeerWorker(Peer peer) {
    this.peer = peer;
  }

  @Nullable Object handle(Command command, Arguments arguments) throws Exception {
    return switch (command) {
      case PREPARE -> prepare(arguments.as(PeerJob.class));
      case CONNECT -> connect(arguments.as(Listening.class));
      case RUN -> ship();
      case WARM -> warm(arguments.as(Burst.class));
      default -> throw new IllegalStateException("a peer's worker does not support " + command);
    };
  }

  private Prepared prepare(PeerJob given) throws IOException {
    job = given;
    ChangeCargo read = Objects.requireNonNull(given.cargo()).read();
    cargo = read;
    Prepared answer = new Prepared(CargoSize.rawBytes(read), CargoDigest.of(read));
    prepared = answer;
    return answer;
  }

  private @Nullable Object connect(Listening transactor) throws IOException {
    sender = peer.connect(Objects.requireNonNull(job).codec(), transactor.address(), metrics);
    return null;
  }

  private Warmed warm(Burst burst) throws IOException, InterruptedException {
    ChangeCargo part =
        StoredCargo.part(
            Objects.requireNonNull(cargo),
            burst.bytes(),
            Objects.requireNonNull(prepared).rawBytes());
    PeerSender through = Objects.requireNonNull(sender);
    List<Double> seconds = new ArrayList<>();
    meter.begin();
    for (int i = 0; i < burst.times(); i++) {
      long beganNs = System.nanoTime();
      through.send(part);
      seconds.add((System.nanoTime() - beganNs) / 1e9);
    }
    return new Warmed(seconds, meter.end());
  }

  /** Only the end of the peer's serialization is known, not its other phases. */
  private Shipped ship() throws IOException, InterruptedException {
    ChangeCargo toShip = Objects.requireNonNull(cargo);
    PeerSender through = Objects.requireNonNull(sender);
    meter.begin();
    long startNs = System.nanoTime();
    PeerReport sent = through.send(toShip);
    long endNs = System.nanoTime();
    SendReport report =
        new SendReport(
            sent.number(),
            sent.wireBytes(),
            sent.messages(),
            0,
            sent.serializedNs() - startNs,
            0,
            endNs - sent.serializedNs(),
            0,
            0,
            0);
    return new Shipped(report, null, meter.end());
  }
}
