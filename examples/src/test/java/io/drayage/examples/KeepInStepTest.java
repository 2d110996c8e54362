package io.drayage.examples;

import static io.drayage.internal.Texts.format;
import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.cargo.ColumnSchema;
import io.drayage.cargo.ColumnType;
import io.drayage.cargo.TableSchema;
import io.drayage.codec.Compressors;
import io.drayage.codec.Serializers;
import io.drayage.codec.pool.CodecPool;
import io.drayage.coordination.Coordination;
import io.drayage.coordination.zookeeper.EmbeddedZooKeeper;
import io.drayage.coordination.zookeeper.ZooKeeperCoordination;
import io.drayage.coordination.zookeeper.ZooKeeperOptions;
import io.drayage.database.InitialTable;
import io.drayage.metrics.DrayageMetrics;
import io.drayage.objectstore.ObjectStore;
import io.drayage.objectstore.ObjectStores;
import io.drayage.send.SegmentsSender;
import io.drayage.store.StoreSnapshot;
import io.drayage.store.Transaction;
import io.drayage.store.column.StoredTable;
import io.drayage.transactor.TransactorNode;
import io.drayage.transactor.TransactorOptions;
import io.drayage.transport.TransportOptions;
import io.drayage.transport.netty.NettyTransport;
import io.drayage.worker.Worker;
import io.drayage.worker.WorkerOptions;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Compares the second database with the first, while its process is killed between commits. */
@Tag("ci")
@Timeout(300)
final class KeepInStepTest {
  private static final InetSocketAddress ANY_PORT =
      new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
  private static final long PATIENCE_S = 60;
  private static final int COMMITS_PER_LOG = 20;

  @TempDir private Path folder;

  @Test
  void equalsTheSourceAfterTwoKills() throws Exception {
    equalsTheSourceAfter(2);
  }

  @Test
  @Tag("nightly")
  void equalsTheSourceAfterTenKills() throws Exception {
    equalsTheSourceAfter(10);
  }

  private void equalsTheSourceAfter(int kills) throws Exception {
    String store = "fs:" + Files.createDirectory(folder.resolve("store"));
    try (EmbeddedZooKeeper zooKeeper = EmbeddedZooKeeper.start(folder.resolve("zk"), ANY_PORT);
        ObjectStore objects = ObjectStores.open(store);
        Coordination ofTransactor = connect(zooKeeper);
        Coordination ofWorker = connect(zooKeeper);
        CodecPool pool = new CodecPool(1, "encode")) {
      NettyTransport transport = NettyTransport.best();
      try (TransactorNode transactor =
              TransactorNode.start(
                  options(), ofTransactor, objects, transport, commit -> {}, new DrayageMetrics());
          Worker worker =
              Worker.open(
                  new WorkerOptions("w1"),
                  ofWorker,
                  objects,
                  address ->
                      new SegmentsSender(
                          transport.client(address, TransportOptions.DEFAULT),
                          pool,
                          Serializers.ofName("raw"),
                          Compressors.ofName("none"),
                          "w1"))) {
        assertThat(transactor.node().name()).isEqualTo("t1");
        commitWhileItIsKilled(worker, kills, List.of(address(zooKeeper), store, "" + database()));
        assertThat(copied(worker.snapshot())).isEqualTo(contents(worker.snapshot()));
      }
    }
  }

  private void commitWhileItIsKilled(Worker worker, int kills, List<String> arguments)
      throws Exception {
    AtomicBoolean killed = new AtomicBoolean();
    Thread committing =
        new Thread(
            () -> {
              Random random = new Random(17);
              for (int i = 0; !killed.get(); i++) {
                commit(worker, i, random);
              }
            });
    committing.start();
    try {
      for (int kill = 0; kill < kills; kill++) {
        Process follower = start(arguments, kill);
        // It waits for the third commit, because the first may belong to an earlier run.
        awaitCommits(follower, kill, 3);
        follower.destroyForcibly().waitFor();
      }
    } finally {
      killed.set(true);
      committing.join();
    }
    Process last = start(arguments, kills);
    try {
      await(last, kills, format("snapshot %d%n", worker.snapshot().timestamp()));
    } finally {
      last.destroyForcibly().waitFor();
    }
  }

  private static void commit(Worker worker, int number, Random random) {
    Transaction transaction = Transaction.on(worker.snapshot());
    StoredTable sales = worker.snapshot().table("sales");
    for (int i = 0; i < 20; i++) {
      transaction.insert(
          "sales", Map.of("product", number, "price", random.nextDouble(), "note", "n" + i));
    }
    for (int i = 0; i < 10 && sales.rowCount() > 0; i++) {
      long row = random.nextLong(sales.rowCount());
      if (!transaction.isDeleted("sales", row)) {
        if (i < 8) {
          transaction.update("sales", "price", row, random.nextDouble());
          transaction.update("sales", "note", row, i % 2 == 0 ? null : "u" + number);
        } else {
          transaction.delete("sales", row);
        }
      }
    }
    transaction.update("counter", "commits", 0, (long) number);
    String log = "log " + number / COMMITS_PER_LOG;
    transaction.createTable(TableSchema.of(log, ColumnSchema.of("commit", ColumnType.LONG)));
    transaction.insert(log, Map.of("commit", (long) number));
    try {
      worker.commit(transaction);
    } catch (IOException | InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private Process start(List<String> arguments, int run) throws IOException {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx128m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                KeepInStep.class.getName()));
    command.addAll(arguments);
    return new ProcessBuilder(command)
        .redirectErrorStream(true)
        .redirectOutput(log(run).toFile())
        .start();
  }

  private void awaitCommits(Process follower, int run, int commits) throws Exception {
    await(follower, run, "snapshot [0-9]+\\R".repeat(commits));
  }

  /** Waits until its output contains a text. */
  private void await(Process follower, int run, String pattern) throws Exception {
    long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_S);
    Pattern expected = Pattern.compile(pattern);
    while (!expected.matcher(Files.readString(log(run))).find()) {
      assertThat(follower.isAlive()).as(Files.readString(log(run))).isTrue();
      assertThat(System.nanoTime()).as(Files.readString(log(run))).isLessThan(deadlineNs);
      TimeUnit.MILLISECONDS.sleep(5);
    }
  }

  private Path log(int run) {
    return folder.resolve(format("follower-%d.log", run));
  }

  private Path database() {
    return folder.resolve("copy.db");
  }

  private static List<String> contents(StoreSnapshot snapshot) {
    List<String> rows = new ArrayList<>();
    for (StoredTable table : snapshot.tables()) {
      for (long row = 0; row < table.rowCount(); row++) {
        if (!table.isDeleted(row)) {
          List<@Nullable Object> values = new ArrayList<>(List.of(table.schema().name(), row));
          for (ColumnSchema column : table.schema().columns()) {
            values.add(table.get(column.name(), row));
          }
          rows.add(values.toString());
        }
      }
    }
    return rows;
  }

  private List<String> copied(StoreSnapshot like) throws Exception {
    List<String> rows = new ArrayList<>();
    try (Connection database = DriverManager.getConnection("jdbc:sqlite:" + database());
        Statement statement = database.createStatement()) {
      for (StoredTable table : like.tables()) {
        String name = table.schema().name();
        try (ResultSet found =
            statement.executeQuery("SELECT * FROM \"%s\" ORDER BY drayage_row".formatted(name))) {
          while (found.next()) {
            List<@Nullable Object> values = new ArrayList<>(List.of(name));
            for (int i = 1; i <= table.schema().columns().size() + 1; i++) {
              values.add(found.getObject(i));
            }
            rows.add(values.toString());
          }
        }
      }
    }
    return rows;
  }

  private static Coordination connect(EmbeddedZooKeeper zooKeeper) throws IOException {
    return ZooKeeperCoordination.connect(ZooKeeperOptions.of(address(zooKeeper)));
  }

  private static String address(EmbeddedZooKeeper zooKeeper) {
    return "127.0.0.1:" + zooKeeper.port();
  }

  private static TransactorOptions options() {
    return TransactorOptions.builder("t1", ANY_PORT)
        .tables(
            List.of(
                new InitialTable(
                    TableSchema.of(
                        "sales",
                        ColumnSchema.of("product", ColumnType.INT),
                        ColumnSchema.of("price", ColumnType.DOUBLE),
                        ColumnSchema.nullable("note", ColumnType.STRING)),
                    0),
                new InitialTable(
                    TableSchema.of("counter", ColumnSchema.of("commits", ColumnType.LONG)), 1)))
        .codecThreads(1)
        .build();
  }
}
