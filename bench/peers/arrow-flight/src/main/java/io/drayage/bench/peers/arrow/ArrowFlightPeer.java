package io.drayage.bench.peers.arrow;

import io.drayage.bench.peer.Peer;
import io.drayage.bench.peer.PeerCodec;
import io.drayage.bench.peer.PeerProcess;
import io.drayage.bench.peer.PeerReceiver;
import io.drayage.bench.peer.PeerSender;
import io.drayage.bench.peer.ReceivedCargoes;
import io.drayage.metrics.DrayageMetrics;
import java.io.IOException;
import java.net.InetSocketAddress;
import org.apache.arrow.compression.ZstdCompressionCodec;
import org.apache.arrow.vector.compression.CompressionCodec;
import org.jspecify.annotations.Nullable;

/** Main class of the peer's processes. */
public final class ArrowFlightPeer implements Peer {
  private static final String ZSTD = "zstd";

  private final ArrowSettings settings;

  ArrowFlightPeer(ArrowSettings settings) {
    this.settings = settings;
  }

  public static void main(String[] arguments) throws IOException, InterruptedException {
    PeerProcess.run(new ArrowFlightPeer(ArrowSettings.ofSystem()), arguments);
  }

  /** The batches name their codec for the reader. */
  @Override
  public PeerReceiver listen(
      PeerCodec codec, InetSocketAddress address, ReceivedCargoes received, DrayageMetrics metrics)
      throws IOException {
    return new ArrowReceiver(settings, address, received, metrics);
  }

  @Override
  public PeerSender connect(PeerCodec codec, InetSocketAddress transactor, DrayageMetrics metrics) {
    return new ArrowSender(settings, compression(codec), transactor, metrics);
  }

  private static @Nullable CompressionCodec compression(PeerCodec codec) {
    if (!codec.compressor().equals(ZSTD)) {
      return null;
    }
    return codec.level() == null
        ? new ZstdCompressionCodec()
        : new ZstdCompressionCodec(codec.level());
  }
}
