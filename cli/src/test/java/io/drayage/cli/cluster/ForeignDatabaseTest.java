package io.drayage.cli.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.cli.CommandFixture;
import io.drayage.snapshot.SnapshotCatalog;
import io.drayage.worker.Worker;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Starts nodes in separate processes with the store, or the root, of another database. */
@Timeout(300)
@Tag("nightly")
class ForeignDatabaseTest extends CommandFixture {
  @Test
  void nobodyTakesTheDatabaseOfAnotherClusterForItsOwn() throws Exception {
    Path ours = Files.createDirectories(folder.resolve("ours"));
    Path theirs = Files.createDirectories(folder.resolve("theirs"));
    String[] places = new String[4];
    try (RealCluster other = new RealCluster(theirs)) {
      places[0] = other.store();
      places[1] = new SnapshotCatalog(other.objects).database().orElseThrow().toString();
    }
    try (RealCluster cluster = new RealCluster(ours)) {
      places[2] = "ZooKeeper at " + cluster.servers();
      places[3] = new SnapshotCatalog(cluster.objects).database().orElseThrow().toString();
      ChildNode first = cluster.transactor("t1", null);
      first.awaitLine("is primary from");
      cluster.commit(1, 2);

      ChildNode wrong = transactor(cluster, "t2", places[0]);
      assertThat(wrong.awaitEnd()).isOne();
      assertThat(wrong.output().lines()).last().asString().contains(places);
      ChildNode empty = transactor(cluster, "t3", "fs:" + folder.resolve("empty"));
      assertThat(empty.awaitEnd()).isOne();
      assertThat(empty.output()).contains("holds no database", places[2], places[3]);
      String zookeeper = "--zookeeper=" + cluster.servers();
      for (String command : List.of("worker commit ", "worker follow ")) {
        assertThat(said(1, command + zookeeper + " --store=" + places[0])).contains(places);
        assertThat(said(1, command + zookeeper + "/wrong --store=" + cluster.store()))
            .contains(cluster.servers() + "/wrong has no Drayage cluster");
      }

      first.kill();
      ChildNode right = cluster.transactor("t4", null);
      right.awaitLine("is primary from");
      Worker worker = cluster.worker("w2");
      cluster.commit(worker, 2);
      cluster.history.check(cluster.objects);
    }
  }

  private ChildNode transactor(RealCluster cluster, String name, String store) throws Exception {
    String line = "transactor --name=%1$s --listen=127.0.0.1:0 --data=~/%1$s --store=%2$s";
    return ChildNode.drayage(
        name, folder, line.formatted(name, store) + " --zookeeper=" + cluster.servers());
  }
}
