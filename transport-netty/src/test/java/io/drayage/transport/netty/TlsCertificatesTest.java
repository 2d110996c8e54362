package io.drayage.transport.netty;

import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.transport.TlsOptions;
import io.drayage.transport.TransportClient;
import io.drayage.transport.TransportServer;
import io.drayage.transport.netty.tls.TlsEngine;
import io.drayage.transport.netty.tls.TlsWorkerName;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Renewed certificates, and the messages about wrong ones, with either engine. */
final class TlsCertificatesTest extends TlsEnds {
  @ParameterizedTest
  @EnumSource(names = {"NATIVE", "JDK"})
  void bothEndsSayWhichCertificateIsWrong(TlsEngine engine) throws Exception {
    String ofAuthority = " by CN=authority of " + folder.getFileName();
    String expired = "its certificate has expired \\(NotAfter.*CN=drayage test" + ofAuthority;
    TlsOptions.Identity old = pki.identity(TestPki.TRANSACTOR, Duration.ofHours(-1));
    assertRefused(open(engine, TestPki.server(old), pki.client()), expired + ", valid from 20");
    TlsOptions.Identity early = pki.identity(TestPki.TRANSACTOR, Duration.ofDays(3));
    assertRefused(
        open(engine, TestPki.server(early), pki.client()),
        "its certificate is not valid yet \\(NotBefore.*CN=drayage test" + ofAuthority);

    BlockingQueue<String> log = new LinkedBlockingQueue<>();
    Logger logger = Logger.getLogger(TlsWorkerName.class.getName());
    Handler handler = new Lines(log);
    logger.addHandler(handler);
    try {
      TlsOptions.Identity late = pki.identity(TestPki.WORKER, Duration.ofHours(-1));
      assertRefused(
          open(engine, pki.mutualServer(), pki.client(late)),
          "no TLS with .*: it does not accept the certificate in \\Q%s\\E \\(.*(?i)certificate"
              .formatted(late.certificateChain()));
      assertThat(log.take()).startsWith("no TLS with /127.0.0.1").containsPattern(expired);
      TlsOptions.Identity foreign = otherAuthority().identity(TestPki.WORKER);
      assertRefused(
          open(engine, pki.mutualServer(), pki.client(foreign)),
          "no TLS with .*: %s the certificate in \\Q%s\\E \\(.*(?i)certificate"
              .formatted(
                  engine == TlsEngine.JDK // Another JDK sends another alert.
                      ? "(it does not accept|none of its authorities vouches for)"
                      : "none of its authorities vouches for",
                  foreign.certificateChain()));
      assertThat(log.take()).endsWith("it has shown no certificate of a trusted authority");
      assertRefused(
          open(engine, pki.mutualServer(), pki.client()),
          "no TLS with .*: it requires a certificate: name one with --tls-cert and --tls-key "
              + "\\(.*(?i)certificate");
      assertThat(log.take()).endsWith("it has shown no certificate of a trusted authority");
      String stranger = "names [stranger.test], none of which may ship here";
      assertRefused(
          open(engine, pki.mutualServer(), pki.client(pki.identity("stranger.test"))),
          Pattern.quote(stranger));
      assertThat(log.take()).contains(stranger);
    } finally {
      logger.removeHandler(handler);
    }
  }

  @Tag("ci")
  @ParameterizedTest
  @EnumSource(names = {"NATIVE", "JDK"})
  void readsCertificatesAgainThatHaveChanged(TlsEngine engine) throws Exception {
    TlsOptions ofServer = TestPki.server(pki.identity(TestPki.TRANSACTOR, Duration.ofHours(-1)));
    TlsOptions ofClient = pki.client();
    try (TransportServer server = listen(engine, OPTIONS.toBuilder().tls(ofServer).build());
        TransportClient client = client(engine, server, ofClient)) {
      assertRefused(open(client), "its certificate has expired");

      pki.identity(TestPki.TRANSACTOR);
      assertThat(open(client)).isNull();

      // Each end keeps its certificate as long as the new files cannot be used.
      Path key = Objects.requireNonNull(ofServer.identity()).privateKey();
      Files.writeString(key, "half of a key");
      Files.delete(Objects.requireNonNull(ofClient.trusted()));
      assertThat(open(client)).isNull();
      Path others = pki.identity("other.test").privateKey();
      Files.copy(others, key, StandardCopyOption.REPLACE_EXISTING);
      assertThat(open(client)).isNull();
    }
  }

  @Tag("ci")
  @ParameterizedTest
  @EnumSource(names = {"NATIVE", "JDK"})
  void trustsNewAuthoritiesOnly(TlsEngine engine) throws Exception {
    TlsOptions ofClient = pki.client();
    try (TransportServer server = listen(engine, OPTIONS.toBuilder().tls(pki.server()).build());
        TransportClient client = client(engine, server, ofClient)) {
      assertThat(open(client)).isNull();
      accepted.clear();

      Path trusted = Objects.requireNonNull(ofClient.trusted());
      Files.copy(otherAuthority().authority(), trusted, StandardCopyOption.REPLACE_EXISTING);
      assertRefused(open(client), "none of the trusted authorities vouches");
    }
  }

  /** Keeps the lines of a log. */
  private static final class Lines extends Handler {
    private final Queue<String> lines;

    Lines(Queue<String> lines) {
      this.lines = lines;
    }

    @Override
    public void publish(LogRecord line) {
      lines.add(new SimpleFormatter().formatMessage(line));
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
  }
}
