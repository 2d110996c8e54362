package io.drayage.transport.netty;

import io.drayage.baseline.PipelinesBattery;
import io.drayage.transport.ConfiguredTransport;
import io.drayage.transport.ResumeBattery;
import io.drayage.transport.TlsOptions;
import io.drayage.transport.Transport;
import io.drayage.transport.TransportBattery;
import io.drayage.transport.netty.tls.TlsEngine;
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

  /** A transport whose ends have TLS and know each other. */
  private static Transport secured(TlsEngine engine) {
    try {
      TlsOptions worker = pki.mutualClient();
      TlsOptions transactor = pki.mutualServer();
      return new ConfiguredTransport(
          NettyTransport.of(NativeIo.best(), engine),
          options -> options.toBuilder().tls(worker).build(),
          options -> options.toBuilder().tls(transactor).build());
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
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
}
