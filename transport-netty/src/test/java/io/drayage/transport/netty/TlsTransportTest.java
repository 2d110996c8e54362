package io.drayage.transport.netty;

import io.drayage.baseline.PipelinesBattery;
import io.drayage.metrics.DrayageMetrics;
import io.drayage.transport.ResumeBattery;
import io.drayage.transport.ShipmentAcceptor;
import io.drayage.transport.TlsOptions;
import io.drayage.transport.Transport;
import io.drayage.transport.TransportBattery;
import io.drayage.transport.TransportClient;
import io.drayage.transport.TransportOptions;
import io.drayage.transport.TransportServer;
import io.drayage.transport.netty.tls.TlsEngine;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The batteries of all transports over mutual TLS, with either engine. {@link TlsTrustTest} ships a
 * little.
 */
@Tag("nightly")
class TlsTransportTest {
  @TempDir static Path folder;

  private static TestPki pki;

  @BeforeAll
  static void makeCertificates() throws Exception {
    pki = new TestPki(folder);
  }

  private static Transport secured(TlsEngine engine) {
    return SecuredTransport.mutual(NettyTransport.of(NativeIo.best(), engine), pki);
  }

  @Nested
  @ParameterizedClass
  @EnumSource(names = {"NATIVE", "JDK"})
  class WithEachEngine extends TransportBattery {
    private final Transport transport;

    WithEachEngine(TlsEngine engine) {
      transport = secured(engine);
    }

    @Override
    protected Transport transport() {
      return transport;
    }
  }

  @Nested
  @ParameterizedClass
  @EnumSource(names = {"NATIVE", "JDK"})
  class ResumingWithEachEngine extends ResumeBattery {
    private final Transport transport;

    ResumingWithEachEngine(TlsEngine engine) {
      transport = secured(engine);
    }

    @Override
    protected Transport transport() {
      return transport;
    }
  }

  @Nested
  class Pipelines extends PipelinesBattery {
    private final Transport transport = secured(TlsEngine.BEST);

    @Override
    protected Transport transport() {
      return transport;
    }
  }

  @AfterEach
  void everyBufferIsReleased() {
    DirectMemory.assertAllReleased();
  }

  /** A transport that secures all connections, so that the tests of any transport run over TLS. */
  private record SecuredTransport(Transport transport, TlsOptions server, TlsOptions client)
      implements Transport {
    /** Secures a transport, with a transactor and a worker that know each other. */
    static SecuredTransport mutual(Transport transport, TestPki pki) {
      try {
        return new SecuredTransport(transport, pki.mutualServer(), pki.mutualClient());
      } catch (Exception e) {
        throw new IllegalStateException(e);
      }
    }

    @Override
    public String name() {
      return transport.name() + "+tls";
    }

    @Override
    public TransportClient client(
        InetSocketAddress address, TransportOptions options, DrayageMetrics metrics) {
      return transport.client(address, options.toBuilder().tls(client).build(), metrics);
    }

    @Override
    public TransportServer listen(
        InetSocketAddress address,
        ShipmentAcceptor acceptor,
        TransportOptions options,
        DrayageMetrics metrics)
        throws BindException {
      return transport.listen(address, acceptor, options.toBuilder().tls(server).build(), metrics);
    }
  }
}
