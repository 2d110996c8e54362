package io.drayage.cli.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.objectstore.S3Server;
import io.drayage.transactor.SideBySide;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Runs Debian's ZooKeeper, an S3 server, and transactors, each in a separate process. */
@Timeout(300)
@Tag("nightly")
class ThreeProcessesTest {
  private static final int WORKERS = 3;
  private static final int COMMITS = 8;

  /** The default of the command line. */
  private static final int SESSION_MS = 4_000;

  @TempDir private Path folder;

  @Test
  void goOnWhenThePrimaryIsKilled() throws Exception {
    S3Server.useCredentials();
    try (DebianZooKeeper zookeeper = DebianZooKeeper.start(folder.resolve("zookeeper"));
        ChildNode s3 =
            ChildNode.start(
                "s3",
                folder,
                S3Process.class,
                null,
                List.of(folder.resolve("s3").toString(), "127.0.0.1:0"))) {
      s3.awaitLine("S3 at ");
      String endpoint =
          s3.output().lines().filter(line -> line.startsWith("S3 at ")).findFirst().get();
      String store =
          "s3:%s/db?endpoint=%s".formatted(S3Server.BUCKET, endpoint.substring("S3 at ".length()));
      try (RealCluster cluster = new RealCluster(folder, zookeeper.servers(), store, SESSION_MS)) {
        killAPrimary(cluster);
      }
    }
  }

  private static void killAPrimary(RealCluster cluster) throws Exception {
    ChildNode first = cluster.transactor("t1", null);
    first.awaitLine("is primary from");
    ChildNode second = cluster.transactor("t2", null);
    second.awaitLine("listens at");
    SideBySide workers = SideBySide.start(WORKERS, number -> cluster.commit(number, COMMITS));
    cluster.history.awaitSize(WORKERS * COMMITS / 2);
    first.kill();
    workers.await();
    assertThat(cluster.history.size()).isEqualTo(WORKERS * COMMITS);
    cluster.history.check(cluster.objects);
    assertThat(second.terminate()).isEqualTo(143);
    assertThat(second.output()).contains("is closed at snapshot");
  }
}
