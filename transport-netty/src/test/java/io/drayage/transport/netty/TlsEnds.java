package io.drayage.transport.netty;

import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.frame.Fault;
import io.drayage.frame.ShipmentException;
import io.drayage.frame.ShipmentHeader;
import io.drayage.memory.Lease;
import io.drayage.testing.ShipmentHeaders;
import io.drayage.transport.Shipment;
import io.drayage.transport.ShipmentHandler;
import io.drayage.transport.Threads;
import io.drayage.transport.TlsOptions;
import io.drayage.transport.TransportClient;
import io.drayage.transport.TransportOptions;
import io.drayage.transport.TransportServer;
import io.drayage.transport.netty.tls.TlsEngine;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.BitSet;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** Two ends with TLS, and what each learns about the other. */
abstract class TlsEnds {
  static final TransportOptions OPTIONS =
      TransportOptions.builder()
          .openTimeout(Duration.ofSeconds(20))
          .drainTimeout(Duration.ZERO)
          .build();

  static final InetSocketAddress LOOPBACK =
      new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

  @TempDir Path folder;
  TestPki pki;

  private final Threads threads = Threads.remember();
  final BlockingQueue<ShipmentHeader> accepted = new LinkedBlockingQueue<>();

  @BeforeEach
  void makeAuthority() throws Exception {
    pki = new TestPki(folder);
  }

  @AfterEach
  void nothingIsLeftBehind() throws Exception {
    threads.assertGone(Duration.ofSeconds(20));
    DirectMemory.assertAllReleased();
  }

  TestPki otherAuthority() throws Exception {
    return new TestPki(Files.createDirectory(folder.resolve("other")));
  }

  /** Opens a shipment, and returns its failure; null if there was none. */
  @Nullable ShipmentException open(
      TlsEngine engine, @Nullable TlsOptions ofServer, @Nullable TlsOptions ofClient)
      throws Exception {
    try (TransportServer server = listen(engine, OPTIONS.toBuilder().tls(ofServer).build());
        TransportClient client = client(engine, server, ofClient)) {
      return open(client);
    }
  }

  static TransportClient client(
      TlsEngine engine, TransportServer server, @Nullable TlsOptions tls) {
    return NettyTransport.of(NativeIo.best(), engine)
        .client(server.address(), OPTIONS.toBuilder().tls(tls).build());
  }

  static @Nullable ShipmentException open(TransportClient client) throws Exception {
    try (Shipment shipment = client.open(header())) {
      assertThat(shipment.committed()).isNotDone();
      return null;
    } catch (ShipmentException e) {
      return e;
    }
  }

  TransportServer listen(TlsEngine engine, TransportOptions options) throws IOException {
    return listen(LOOPBACK, engine, options);
  }

  TransportServer listen(InetSocketAddress address, TlsEngine engine, TransportOptions options)
      throws IOException {
    return NettyTransport.of(NativeIo.best(), engine)
        .listen(
            address,
            (header, replies) -> {
              accepted.add(header);
              return new Keeping();
            },
            options);
  }

  static ShipmentHeader header() {
    return ShipmentHeaders.of(
        UUID.randomUUID(), 1, ShipmentHeader.Pipeline.SEGMENTS, 2, 1, "stated name");
  }

  void assertRefused(@Nullable ShipmentException failure, String reason) {
    assertThat(failure).isNotNull();
    assertThat(failure.getMessage()).doesNotContain("\n").containsPattern(reason);
    assertThat(failure.fault()).as(failure.getMessage()).isEqualTo(Fault.REFUSED);
    assertThat(accepted).isEmpty();
  }

  /** A resumable handler that has no segment. */
  static final class Keeping implements ShipmentHandler {
    @Override
    public void onFrame(Lease frame) {
      frame.close();
    }

    @Override
    public boolean onAborted(ShipmentException cause) {
      return true;
    }

    @Override
    public boolean isResumable() {
      return true;
    }

    @Override
    public CompletableFuture<BitSet> settled() {
      return CompletableFuture.completedFuture(new BitSet());
    }
  }
}
