package io.drayage.bench.peer;

import io.drayage.bench.child.ChildLoop.Arguments;
import io.drayage.bench.child.ControlMessages.Command;
import io.drayage.bench.child.ControlMessages.Listening;
import io.drayage.bench.child.ControlMessages.Verified;
import io.drayage.bench.child.ProcessMeter;
import io.drayage.metrics.DrayageMetrics;
import io.drayage.metrics.Stage;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A transactor that receives through a {@link Peer}, and keeps the received cargoes. */
final class PeerTransactor {
  private final DrayageMetrics metrics = new DrayageMetrics();
  private final ProcessMeter meter = new ProcessMeter(metrics, Stage.RECEIVE);
  private final ReceivedCargoes received = new ReceivedCargoes(meter::markShipmentReceived);
  private final Peer peer;

  PeerTransactor(Peer peer) {
    this.peer = peer;
  }

  @Nullable Object handle(Command command, Arguments arguments) throws Exception {
    return switch (command) {
      case PREPARE -> prepare(arguments.as(PeerJob.class));
      case RESET -> done(received::reset);
      case BEGIN -> done(meter::begin);
      case END -> meter.end();
      case VERIFY -> new Verified(received.applied());
      default -> throw new IllegalStateException("a peer's transactor does not support " + command);
    };
  }

  private static @Nullable Object done(Runnable action) {
    action.run();
    return null;
  }

  private Listening prepare(PeerJob job) throws IOException {
    InetSocketAddress address = new InetSocketAddress(Objects.requireNonNull(job.host()), 0);
    PeerReceiver receiver = peer.listen(job.codec(), address, received, metrics);
    return Listening.at(receiver.address());
  }
}
