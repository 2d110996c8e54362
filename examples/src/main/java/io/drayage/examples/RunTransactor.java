package io.drayage.examples;

import io.drayage.admin.AdminEndpoint;
import io.drayage.admin.NodeMeters;
import io.drayage.coordination.Coordination;
import io.drayage.coordination.zookeeper.EmbeddedZooKeeper;
import io.drayage.coordination.zookeeper.ZooKeeperCoordination;
import io.drayage.coordination.zookeeper.ZooKeeperOptions;
import io.drayage.metrics.DrayageMetrics;
import io.drayage.objectstore.ObjectStore;
import io.drayage.objectstore.ObjectStores;
import io.drayage.transactor.TransactorNode;
import io.drayage.transactor.TransactorOptions;
import io.drayage.transactor.micrometer.TransactorMeters;
import io.drayage.transport.netty.NettyTransport;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;

/** A transactor with its ZooKeeper and its store in a folder, and its monitoring. */
public final class RunTransactor {
  private static final InetSocketAddress ANY_PORT =
      new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
  private static final Duration SESSION = Duration.ofSeconds(6);

  private RunTransactor() {}

  /** Runs a transactor in the given folder, and reads its state. */
  public static void main(String... args) throws Exception {
    Path folder = Path.of(args[0]);
    NettyTransport transport = NettyTransport.best();
    TransactorOptions options = TransactorOptions.builder("transactor-1", ANY_PORT).build();
    try (EmbeddedZooKeeper zookeeper = EmbeddedZooKeeper.start(folder.resolve("zookeeper"), 0);
        ObjectStore objects = ObjectStores.open("fs:" + folder.resolve("store"));
        Coordination cluster =
            ZooKeeperCoordination.connect(ZooKeeperOptions.of(zookeeper.servers()))) {
      // watched begin
      DrayageMetrics metrics = new DrayageMetrics();
      try (NodeMeters meters = new NodeMeters(SESSION)) {
        meters.addShipments(metrics);
        TransactorMeters commits = meters.addCommits();
        try (TransactorNode node =
                TransactorNode.start(options, cluster, objects, transport, commits, metrics);
            AdminEndpoint endpoint =
                AdminEndpoint.start(ANY_PORT, objects, cluster, meters, node)) {
          commits.bind(node);
          look(endpoint.uri());
        }
      }
      // watched end
    }
  }

  private static void look(URI node) throws Exception {
    HttpClient client = HttpClient.newHttpClient();
    for (String page : new String[] {"/livez", "/metrics"}) {
      HttpResponse<String> answer =
          client.send(
              HttpRequest.newBuilder(node.resolve(page)).build(),
              HttpResponse.BodyHandlers.ofString());
      String first =
          answer
              .body()
              .lines()
              .filter(
                  line -> !page.equals("/metrics") || line.startsWith("drayage_commits_pending"))
              .findFirst()
              .orElse("");
      System.out.printf("%s: %d %s%n", page, answer.statusCode(), first);
    }
  }
}
