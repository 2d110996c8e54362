package io.drayage.bench.peer;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.drayage.bench.child.ChildLoop.Arguments;
import io.drayage.bench.child.ControlMessages.Command;
import io.drayage.bench.child.StoredCargo;
import io.drayage.metrics.DrayageMetrics;
import java.io.IOException;
import java.net.InetSocketAddress;
import org.junit.jupiter.api.Test;

final class PeerWorkerTest {
  /** A peer that is never called. */
  private static final class NoPeer implements Peer {
    @Override
    public PeerReceiver listen(
        PeerCodec codec,
        InetSocketAddress address,
        ReceivedCargoes received,
        DrayageMetrics metrics) {
      throw new AssertionError("it listens");
    }

    @Override
    public PeerSender connect(
        PeerCodec codec, InetSocketAddress transactor, DrayageMetrics metrics) {
      throw new AssertionError("it connects");
    }
  }

  @Test
  void failsWithTheReasonForWhichItHasNoCargo() {
    PeerJob job =
        new PeerJob(
            new PeerCodec("raw", "none", null),
            new StoredCargo(null, "the disk is full", 1_000, 1_000, false),
            null);
    Arguments arguments = new Arguments(new ObjectMapper().valueToTree(job));
    assertThatThrownBy(() -> new PeerWorker(new NoPeer()).handle(Command.PREPARE, arguments))
        .isInstanceOf(IOException.class)
        .hasMessage("the disk is full");
  }
}
