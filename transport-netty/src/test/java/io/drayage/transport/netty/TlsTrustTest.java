package io.drayage.transport.netty;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.drayage.frame.Fault;
import io.drayage.frame.ShipmentException;
import io.drayage.transport.ResumeTicket;
import io.drayage.transport.Shipment;
import io.drayage.transport.TlsOptions;
import io.drayage.transport.TransportClient;
import io.drayage.transport.TransportOptions;
import io.drayage.transport.TransportServer;
import io.drayage.transport.netty.tls.TlsEngine;
import io.drayage.transport.netty.tls.TlsIdentity;
import io.netty.pkitesting.CertificateBuilder;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Trusted and refused peers; each learns the reason in one line, with either engine. */
final class TlsTrustTest extends TlsEnds {
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
                (header, replies) -> new Keeping(),
                OPTIONS.toBuilder().tls(ofServer).build());
        TransportClient owner =
            transport.client(
                server.address(), OPTIONS.toBuilder().tls(pki.mutualClient()).build());
        TransportClient other =
            transport.client(server.address(), OPTIONS.toBuilder().tls(ofOther).build());
        Shipment shipment = owner.open(header())) {
      ResumeTicket ticket = shipment.ticket().orElseThrow();

      assertThatThrownBy(() -> other.resume(ticket, header()))
          .isInstanceOfSatisfying(
              ShipmentException.class, e -> assertThat(e.fault()).isEqualTo(Fault.REFUSED))
          .hasMessageContaining("or of another worker");
      assertThat(shipment.committed()).isNotDone();

      owner.resume(ticket, header()).close();
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
      assertThatThrownBy(() -> client.open(header()))
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
}
