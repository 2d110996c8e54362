package io.drayage.cli.cluster;

import static io.drayage.internal.Texts.format;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.drayage.cli.CommandFixture;
import io.drayage.coordination.Coordination;
import io.drayage.coordination.CoordinationException;
import io.drayage.coordination.Membership;
import io.drayage.coordination.NodeInfo;
import io.drayage.coordination.zookeeper.ZooKeeperCoordination;
import io.drayage.coordination.zookeeper.ZooKeeperOptions;
import io.drayage.coordination.zookeeper.ZooKeeperTls;
import io.drayage.files.FileRights;
import io.netty.pkitesting.CertificateBuilder;
import io.netty.pkitesting.X509Bundle;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.apache.zookeeper.server.ZooKeeperServerMain;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests a ZooKeeper that requires TLS and a certificate of its clients. */
class ZooKeeperTlsTest extends CommandFixture {
  private static final String HOST = "127.0.0.1";

  private Path identity(String name, X509Bundle authority) throws Exception {
    X509Bundle issued =
        new CertificateBuilder()
            .ecp256()
            .subject("CN=" + name)
            .addSanIpAddress(HOST)
            .addSanDnsName("localhost")
            .buildIssuedBy(authority);
    Path file =
        Files.writeString(
            folder.resolve(name + ".pem"),
            issued.getPrivateKeyPEM() + issued.getCertificatePathPEM());
    FileRights.PRIVATE.applyTo(file);
    return file;
  }

  private ChildNode server(Path authority, Path identity, int port) throws Exception {
    Path configuration =
        Files.writeString(
            folder.resolve("zoo.cfg"),
            String.format(
                Locale.ROOT,
                """
            dataDir=%s
            secureClientPort=%d
            secureClientPortAddress=127.0.0.1
            admin.enableServer=false
            serverCnxnFactory=org.apache.zookeeper.server.NettyServerCnxnFactory
            ssl.keyStore.location=%s
            ssl.trustStore.location=%s
            ssl.clientAuth=need
            """,
                folder,
                port,
                identity,
                authority));
    return ChildNode.start(
        "zookeeper", folder, ZooKeeperServerMain.class, null, List.of(configuration.toString()));
  }

  @Test
  @Tag("nightly")
  @Timeout(180)
  void aNodeShowsItsCertificateAndExpectsTheServers() throws Exception {
    X509Bundle authority =
        new CertificateBuilder()
            .ecp256()
            .subject("CN=authority")
            .setIsCertificateAuthority(true)
            .buildSelfSigned();
    Path ca = Files.writeString(folder.resolve("authority.pem"), authority.getCertificatePEM());
    int port;
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = socket.getLocalPort();
    }
    String zookeeper = format("--zookeeper=%s:%d/secured", HOST, port);
    String[] maintenance = {"transactor", "maintenance", zookeeper, "--zookeeper-tls-ca=" + ca};
    Path identity = identity("node", authority);
    String mine = "--zookeeper-tls-identity=" + identity;
    ZooKeeperOptions known =
        ZooKeeperOptions.of(format("%s:%d/secured", HOST, port))
            .withTimeouts(Duration.ofSeconds(30), Duration.ofSeconds(90))
            .withTls(new ZooKeeperTls(ca, identity));
    try (ChildNode server = server(ca, identity("server", authority), port);
        Coordination node = ZooKeeperCoordination.connect(known)) {
      Membership unused = node.join(new NodeInfo("t1", HOST + ":1"));
      assertThat(run(with(maintenance, mine, "on", "--reason=a new certificate")))
          .as("%s%n%s", err, server.output())
          .isZero();
      exits(0, with(maintenance, mine));
      assertThat(out.toString().lines())
          .hasSize(2)
          .allMatch(line -> line.matches("in maintenance since .*Z: a new certificate"));
      ZooKeeperOptions nameless =
          known
              .withTimeouts(Duration.ofSeconds(2), Duration.ofSeconds(2))
              .withTls(new ZooKeeperTls(ca, null));
      assertThatThrownBy(() -> ZooKeeperCoordination.connect(nameless))
          .isInstanceOf(CoordinationException.class)
          .hasMessageContaining("does not answer");
    }
  }

  private static String[] with(String[] arguments, String... more) {
    String[] all = Arrays.copyOf(arguments, arguments.length + more.length);
    System.arraycopy(more, 0, all, arguments.length, more.length);
    return all;
  }
}
