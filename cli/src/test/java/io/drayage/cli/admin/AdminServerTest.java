package io.drayage.cli.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.drayage.bench.system.ThrowAwayCertificates;
import io.drayage.cli.admin.AdminServer.Answer;
import io.drayage.transport.TlsOptions;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(180)
final class AdminServerTest {
  private static final InetSocketAddress ANY_PORT =
      new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

  private static final Map<String, AdminServer.Page> PAGES =
      Map.of(
          "/fine",
          () -> Answer.text(200, "well\n"),
          "/wrong",
          () -> {
            throw new IOException("the disk is gone");
          });

  @TempDir private Path folder;

  private static HttpResponse<String> send(AdminServer server, String method, String path)
      throws IOException, InterruptedException {
    URI uri = URI.create("http://localhost:%d%s".formatted(server.address().getPort(), path));
    return HttpClient.newHttpClient()
        .send(
            HttpRequest.newBuilder(uri).method(method, HttpRequest.BodyPublishers.noBody()).build(),
            BodyHandlers.ofString());
  }

  @Test
  void answersWhatThereIsAndNothingElse() throws Exception {
    try (AdminServer server = new AdminServer(ANY_PORT, null, PAGES)) {
      assertThat(send(server, "GET", "/fine"))
          .returns(200, HttpResponse::statusCode)
          .returns("well\n", HttpResponse::body);
      assertThat(send(server, "HEAD", "/fine"))
          .returns(200, HttpResponse::statusCode)
          .returns("", HttpResponse::body);
      assertThat(send(server, "POST", "/fine").statusCode()).isEqualTo(405);
      assertThat(send(server, "GET", "/fine/more").statusCode()).isEqualTo(404);
      assertThat(send(server, "GET", "/").body()).contains("/fine", "/wrong");
      assertThat(send(server, "GET", "/wrong"))
          .returns(500, HttpResponse::statusCode)
          .returns("java.io.IOException: the disk is gone\n", HttpResponse::body);
    }
  }

  /** They take no thread, and no more than their connections. */
  @Test
  void clientsThatSayNothingDoNotHoldItUp() throws Exception {
    try (AdminServer server = new AdminServer(ANY_PORT, null, PAGES)) {
      List<Socket> silent = new ArrayList<>();
      try {
        for (int i = 0; i < 20; i++) {
          silent.add(new Socket(InetAddress.getLoopbackAddress(), server.address().getPort()));
        }
        Socket half = silent.get(0);
        half.getOutputStream().write("GET /fi".getBytes(StandardCharsets.US_ASCII));
        half.getOutputStream().flush();

        assertThat(send(server, "GET", "/fine").statusCode()).isEqualTo(200);
      } finally {
        for (Socket each : silent) {
          each.close();
        }
      }
    }
  }

  @Test
  void namesTheAddressThatIsTaken() throws Exception {
    try (AdminServer server = new AdminServer(ANY_PORT, null, PAGES)) {
      assertThatThrownBy(() -> new AdminServer(server.address(), null, PAGES))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("--admin ")
          .hasMessageContaining(":%d: ".formatted(server.address().getPort()));
    }
  }

  @Test
  void hasTlsWithTheNewestFiles() throws Exception {
    try (ThrowAwayCertificates first = ThrowAwayCertificates.make();
        ThrowAwayCertificates second = ThrowAwayCertificates.make()) {
      Path certificate = folder.resolve("tls.crt");
      Path key = folder.resolve("tls.key");
      replace(certificate, key, first);
      SSLContext context = PemIdentity.context(new TlsOptions.Identity(certificate, key));
      try (AdminServer server = new AdminServer(ANY_PORT, context, PAGES)) {
        X509Certificate before = handshake(server, first);
        replace(certificate, key, second);
        X509Certificate after = handshake(server, second);
        Files.writeString(key, "no key");

        assertThat(after).isNotEqualTo(before);
        assertThat(handshake(server, second)).isEqualTo(after);
      }
    }
  }

  @Test
  void namesTheFileThatIsNoKey() throws Exception {
    try (ThrowAwayCertificates made = ThrowAwayCertificates.make()) {
      Path certificate = made.folder().resolve("transactor.drayage.internal.pem");
      Path key = Files.writeString(folder.resolve("tls.key"), "no key");

      assertThatThrownBy(() -> PemIdentity.context(new TlsOptions.Identity(certificate, key)))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("tls.key holds no usable key");
      assertThatThrownBy(() -> PemIdentity.context(new TlsOptions.Identity(key, certificate)))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("tls.key");
    }
  }

  private static void replace(Path certificate, Path key, ThrowAwayCertificates with)
      throws IOException {
    Path from = with.folder().resolve("transactor.drayage.internal.pem");
    Files.write(certificate, Files.readAllBytes(from));
    Files.write(key, Files.readAllBytes(with.folder().resolve("transactor.drayage.internal.key")));
  }

  /** Fetches a page by TLS 1.3, and returns who answered. */
  private static X509Certificate handshake(AdminServer server, ThrowAwayCertificates trusted)
      throws Exception {
    KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
    store.load(null, null);
    try (InputStream in = Files.newInputStream(trusted.folder().resolve("authority.pem"))) {
      store.setCertificateEntry(
          "authority", CertificateFactory.getInstance("X.509").generateCertificate(in));
    }
    TrustManagerFactory trust =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(store);
    SSLContext context = SSLContext.getInstance("TLSv1.3");
    context.init(null, trust.getTrustManagers(), null);
    try (SSLSocket socket =
        (SSLSocket)
            context
                .getSocketFactory()
                .createSocket(InetAddress.getLoopbackAddress(), server.address().getPort())) {
      socket
          .getOutputStream()
          .write(
              "GET /fine HTTP/1.1\r\nHost: it\r\nConnection: close\r\n\r\n"
                  .getBytes(StandardCharsets.US_ASCII));
      String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
      assertThat(answer).startsWith("HTTP/1.1 200").endsWith("well\n");
      assertThat(socket.getSession().getProtocol()).isEqualTo("TLSv1.3");
      return peer(socket);
    }
  }

  private static X509Certificate peer(SSLSocket socket) throws SSLPeerUnverifiedException {
    return (X509Certificate) socket.getSession().getPeerCertificates()[0];
  }
}
