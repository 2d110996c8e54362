package io.drayage.transport.netty;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.drayage.frame.Fault;
import io.drayage.frame.ShipmentException;
import io.drayage.frame.ShipmentHeader;
import io.drayage.testing.LoggedRecords;
import io.drayage.testing.ShipmentHeaders;
import io.drayage.transport.RecordingHandler;
import io.drayage.transport.ResumeTicket;
import io.drayage.transport.Shipment;
import io.drayage.transport.TlsOptions;
import io.drayage.transport.TransportClient;
import io.drayage.transport.TransportOptions;
import io.drayage.transport.TransportServer;
import io.drayage.transport.netty.tls.TlsEngine;
import io.drayage.transport.netty.tls.TlsIdentity;
import io.drayage.transport.netty.tls.TlsWorkerName;
import io.netty.pkitesting.CertificateBuilder;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Trusted and refused peers, and renewed certificates; each end learns the reason in one line, with
 * either engine.
 */
final class TlsTrustTest extends NettyFixture {
  private static final InetSocketAddress LOOPBACK =
      new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

  @TempDir private Path folder;
  private TestPki pki;

  private final BlockingQueue<ShipmentHeader> accepted = new LinkedBlockingQueue<>();

  @BeforeEach
  void makeAuthority() throws Exception {
    pki = new TestPki(folder);
  }

  private TestPki otherAuthority() throws Exception {
    return new TestPki(Files.createDirectory(folder.resolve("other")));
  }

  /** Opens a shipment, and returns its failure; null if there was none. */
  private @Nullable ShipmentException open(
      TlsEngine engine, @Nullable TlsOptions ofServer, @Nullable TlsOptions ofClient)
      throws Exception {
    try (TransportServer server = listen(engine, OPTIONS.toBuilder().tls(ofServer).build());
        TransportClient client = client(engine, server, ofClient)) {
      return open(client);
    }
  }

  private static TransportClient client(
      TlsEngine engine, TransportServer server, @Nullable TlsOptions tls) {
    return NettyTransport.of(NativeIo.best(), engine)
        .client(server.address(), OPTIONS.toBuilder().tls(tls).build());
  }

  private static @Nullable ShipmentException open(TransportClient client) throws Exception {
    try (Shipment shipment = client.open(statedName())) {
      assertThat(shipment.committed()).isNotDone();
      return null;
    } catch (ShipmentException e) {
      return e;
    }
  }

  private TransportServer listen(TlsEngine engine, TransportOptions options) throws IOException {
    return listen(LOOPBACK, engine, options);
  }

  private TransportServer listen(
      InetSocketAddress address, TlsEngine engine, TransportOptions options) throws IOException {
    return NettyTransport.of(NativeIo.best(), engine)
        .listen(
            address,
            (header, replies) -> {
              accepted.add(header);
              return accepted(replies, RecordingHandler::resumable);
            },
            options);
  }

  private static ShipmentHeader statedName() {
    return ShipmentHeaders.of(
        UUID.randomUUID(), 1, ShipmentHeader.Pipeline.SEGMENTS, 2, 1, "stated name");
  }

  private void assertRefused(@Nullable ShipmentException failure, String reason) {
    assertThat(failure).isNotNull();
    assertThat(failure.getMessage()).doesNotContain("\n").containsPattern(reason);
    assertThat(failure.fault()).as(failure.getMessage()).isEqualTo(Fault.REFUSED);
    assertThat(accepted).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(names = {"NATIVE", "JDK"})
  void shipsWithoutCertificateWhereNoneIsAskedFor(TlsEngine engine) throws Exception {
    assertThat(open(engine, pki.server(), pki.client())).isNull();
    assertThat(accepted.take().worker()).isEqualTo("stated name");
  }

  @ParameterizedTest
  @EnumSource(names = {"NATIVE", "JDK"})
  void workerGoesByTheNameThatItsCertificateProves(TlsEngine engine) throws Exception {
    TlsOptions server = pki.server().requiringWorkers(pki.authority(), Set.of("Worker-1.TEST"));
    assertThat(open(engine, server, pki.mutualClient())).isNull();
    assertThat(accepted.take().worker()).isEqualToIgnoringCase(TestPki.WORKER);
  }

  @ParameterizedTest
  @EnumSource(names = {"NATIVE", "JDK"})
  void tokenOfOneWorkerIsWorthNothingToAnother(TlsEngine engine) throws Exception {
    NettyTransport transport = NettyTransport.of(NativeIo.best(), engine);
    Set<String> both = Set.of(TestPki.WORKER, "other.test");
    TlsOptions ofServer = pki.server().requiringWorkers(pki.authority(), both);
    TlsOptions ofOther = pki.client(pki.identity("other.test"));
    try (TransportServer server =
            transport.listen(
                LOOPBACK,
                (header, replies) -> accepted(replies, RecordingHandler::resumable),
                OPTIONS.toBuilder().tls(ofServer).build());
        TransportClient owner =
            transport.client(
                server.address(), OPTIONS.toBuilder().tls(pki.mutualClient()).build());
        TransportClient other =
            transport.client(server.address(), OPTIONS.toBuilder().tls(ofOther).build());
        Shipment shipment = owner.open(statedName())) {
      ResumeTicket ticket = shipment.ticket().orElseThrow();

      assertThatThrownBy(() -> other.resume(ticket, statedName()))
          .isInstanceOfSatisfying(
              ShipmentException.class, e -> assertThat(e.fault()).isEqualTo(Fault.REFUSED))
          .hasMessageContaining("or of another worker");
      assertThat(shipment.committed()).isNotDone();

      owner.resume(ticket, statedName()).close();
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"NATIVE", "JDK"})
  void trustsNoOtherAuthorityAndNoOtherNameUnlessToldSo(TlsEngine engine) throws Exception {
    assertRefused(
        open(engine, otherAuthority().server(), pki.client()),
        "\\('transactor.test'\\) is not trusted: none of the trusted authorities vouches");
    assertRefused(
        open(engine, pki.server(), pki.client().withPeerName("elsewhere.test")),
        "is not trusted: No subject alternative DNS name matching elsewhere.test found");
    TlsOptions byAddress = TlsOptions.ofClient(pki.authority());
    assertRefused(open(engine, pki.server(), byAddress), "is not trusted: No .* 127.0.0.1");
    assertThat(open(engine, pki.server(), byAddress.withoutPeerName())).isNull();
  }

  @ParameterizedTest
  @EnumSource(names = {"NATIVE", "JDK"})
  void anEndWithoutTlsIsToldToUseIt(TlsEngine engine) throws Exception {
    assertRefused(open(engine, pki.server(), null), "accepts TLS only: connect with TLS, --tls-ca");
    assertRefused(
        open(engine, null, pki.client()),
        "does not speak TLS: have it listen with --tls-cert and --tls-key, or connect without --tls-ca");
  }

  @Test
  void handshakeThatIsNeverDoneIsGivenUpAfterTheOpenTimeout() throws Exception {
    TransportOptions hasty = OPTIONS.toBuilder().openTimeout(Duration.ofMillis(400)).build();
    try (TransportServer server =
            listen(TlsEngine.BEST, hasty.toBuilder().tls(pki.server()).build());
        Socket socket = new Socket(server.address().getAddress(), server.address().getPort())) {
      socket.getOutputStream().write(new byte[] {22, 3, 1});
      while (socket.getInputStream().read() >= 0) {
        // At most an alert, then the end.
      }
    }
  }

  @Test
  void serverThatNeverAnswersTheHandshakeIsGivenUpAfterTheOpenTimeout() throws Exception {
    TransportOptions hasty = OPTIONS.toBuilder().openTimeout(Duration.ofMillis(400)).build();
    try (java.net.ServerSocket silent = new java.net.ServerSocket(0, 1, LOOPBACK.getAddress());
        TransportClient client =
            NettyTransport.best()
                .client(
                    new InetSocketAddress(LOOPBACK.getAddress(), silent.getLocalPort()),
                    hasty.toBuilder().tls(pki.client()).build())) {
      assertThatThrownBy(() -> client.open(statedName()))
          .isInstanceOfSatisfying(
              ShipmentException.class, e -> assertThat(e.fault()).isEqualTo(Fault.PEER_SILENT));
    }
  }

  @Test
  void namesTheFileThatCannotBeUsed() throws Exception {
    Path none = folder.resolve("none.pem");
    Path empty = Files.writeString(folder.resolve("empty.pem"), "nothing", StandardCharsets.UTF_8);
    for (Path file : new Path[] {none, empty}) {
      assertThatIllegalArgumentException()
          .isThrownBy(
              () ->
                  listen(
                      TlsEngine.BEST,
                      OPTIONS.toBuilder().tls(TlsOptions.ofServer(file, file)).build()))
          .withMessageContaining(file.toString());
      TransportOptions options = OPTIONS.toBuilder().tls(TlsOptions.ofClient(file)).build();
      assertThatIllegalArgumentException()
          .isThrownBy(() -> NettyTransport.best().client(LOOPBACK, options))
          .withMessageContaining(file.toString());
    }
  }

  @Test
  void refusesTheKeyOfAnotherCertificateAtTheStart() throws Exception {
    TlsOptions.Identity one = pki.identity(TestPki.WORKER);
    TlsOptions.Identity other = pki.identity("other.test");
    TlsOptions.Identity rsa = pki.identityOf(CertificateBuilder.Algorithm.rsa2048, "rsa.test");
    TlsOptions.Identity edwards = pki.identityOf(CertificateBuilder.Algorithm.ed25519, "ed.test");
    for (TlsOptions.Identity mixed :
        List.of(
            new TlsOptions.Identity(other.certificateChain(), one.privateKey()),
            new TlsOptions.Identity(one.certificateChain(), rsa.privateKey()),
            new TlsOptions.Identity(rsa.certificateChain(), edwards.privateKey()))) {
      String names =
          "%s is not the private key of the certificate in %s"
              .formatted(mixed.privateKey(), mixed.certificateChain());
      TransportOptions ofWorker = OPTIONS.toBuilder().tls(pki.client(mixed)).build();
      assertThatIllegalArgumentException()
          .isThrownBy(() -> NettyTransport.best().client(LOOPBACK, ofWorker))
          .withMessage(names);
      TransportOptions ofServer = OPTIONS.toBuilder().tls(TestPki.server(mixed)).build();
      assertThatIllegalArgumentException()
          .isThrownBy(() -> listen(TlsEngine.BEST, ofServer))
          .withMessage(names);
    }
    TlsIdentity.check(one);
    TlsIdentity.check(rsa);
    TlsIdentity.check(edwards);
  }

  @Test
  void listensBeyondLoopbackOnlyWithTlsOrIfToldSo() throws Exception {
    InetSocketAddress everywhere = new InetSocketAddress("0.0.0.0", 0);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> listen(everywhere, TlsEngine.BEST, OPTIONS))
        .withMessageContainingAll("0.0.0.0", "tls", "insecure(true)");
    listen(everywhere, TlsEngine.BEST, OPTIONS.toBuilder().insecure(true).build()).close();
    listen(everywhere, TlsEngine.BEST, OPTIONS.toBuilder().tls(pki.server()).build()).close();
  }

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

    try (LoggedRecords log = new LoggedRecords(TlsWorkerName.class.getName())) {
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
}
