package io.drayage.transport.netty;

import io.drayage.baseline.PipelinesBattery;
import io.drayage.transport.ResumeBattery;
import io.drayage.transport.Transport;
import io.drayage.transport.TransportBattery;
import io.drayage.transport.netty.tls.TlsEngine;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;

/**
 * The batteries of all transports over mutual TLS, with either engine; {@link TlsTrustTest} ships a
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
  class WithTheNativeEngine extends TransportBattery {
    private final Transport transport = secured(TlsEngine.NATIVE);

    @Override
    protected Transport transport() {
      return transport;
    }
  }

  @Nested
  class WithTheEngineOfTheJdk extends TransportBattery {
    private final Transport transport = secured(TlsEngine.JDK);

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

  @Nested
  class ResumingWithTheNativeEngine extends ResumeBattery {
    private final Transport transport = secured(TlsEngine.NATIVE);

    @Override
    protected Transport transport() {
      return transport;
    }
  }

  @Nested
  class ResumingWithTheEngineOfTheJdk extends ResumeBattery {
    private final Transport transport = secured(TlsEngine.JDK);

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
