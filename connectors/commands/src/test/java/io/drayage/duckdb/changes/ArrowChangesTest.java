package io.drayage.duckdb.changes;

import static io.drayage.internal.Texts.format;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.drayage.cargo.ColumnBuilder;
import io.drayage.cargo.ColumnSchema;
import io.drayage.cargo.ColumnType;
import io.drayage.cargo.ColumnValues;
import io.drayage.cargo.TableSchema;
import io.drayage.changes.ChangeTarget;
import io.drayage.cli.Drayage;
import io.drayage.codec.Compressors;
import io.drayage.codec.Serializers;
import io.drayage.codec.pool.CodecPool;
import io.drayage.coordination.Coordination;
import io.drayage.coordination.zookeeper.EmbeddedZooKeeper;
import io.drayage.coordination.zookeeper.ZooKeeperCoordination;
import io.drayage.coordination.zookeeper.ZooKeeperOptions;
import io.drayage.database.InitialTable;
import io.drayage.duckdb.DuckDbEngine;
import io.drayage.metrics.DrayageMetrics;
import io.drayage.objectstore.ObjectStore;
import io.drayage.objectstore.ObjectStores;
import io.drayage.send.SegmentsSender;
import io.drayage.store.StoreSnapshot;
import io.drayage.store.Transaction;
import io.drayage.transactor.TransactorNode;
import io.drayage.transactor.TransactorOptions;
import io.drayage.transport.TransportOptions;
import io.drayage.transport.netty.NettyTransport;
import io.drayage.worker.ChangeFeed;
import io.drayage.worker.ChangeKind;
import io.drayage.worker.ChangedTable;
import io.drayage.worker.CommittedChange;
import io.drayage.worker.Worker;
import io.drayage.worker.WorkerOptions;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import java.util.UUID;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ipc.ArrowStreamReader;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Writes changes of a real cluster as an Arrow stream. */
@Timeout(300)
final class ArrowChangesTest {
  private static final UUID DATABASE = new UUID(5, 6);
  private static final InetSocketAddress ANY_PORT =
      new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
  private static final String TABLE = "sales";

  /** One row more than a batch. */
  private static final int MANY_ROWS = ChangeBatch.MAX_ROWS + 1;

  @TempDir private Path folder;

  private final List<CommittedChange> changes = new ArrayList<>();
  private final StringWriter err = new StringWriter();
  private @Nullable StoreSnapshot base;

  /** Runs a cluster, commits, and passes the changes on. */
  private void withCommits(String text, Check check) throws Exception {
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
        base = worker.snapshot();
        commit(worker, text);
        try (ChangeFeed feed =
            ChangeFeed.openAfter(
                new WorkerOptions("f"), ofWorker, objects, worker.snapshot().timestamp() - 4)) {
          for (int i = 0; i < 4; i++) {
            CommittedChange change = feed.next(Duration.ofSeconds(60));
            assertThat(change).isNotNull();
            changes.add(change);
          }
        }
        check.with("--zookeeper=127.0.0.1:" + zooKeeper.port(), "--store=" + store);
      }
    }
  }

  private StoreSnapshot base() {
    return Objects.requireNonNull(base);
  }

  @FunctionalInterface
  private interface Check {
    void with(String zooKeeper, String store) throws Exception;
  }

  private static Coordination connect(EmbeddedZooKeeper zooKeeper) throws IOException {
    return ZooKeeperCoordination.connect(ZooKeeperOptions.of("127.0.0.1:" + zooKeeper.port()));
  }

  private static TransactorOptions options() {
    List<ColumnSchema> columns = new ArrayList<>();
    for (ColumnType type : ColumnType.values()) {
      columns.add(ColumnSchema.nullable("c_" + type, type));
    }
    return TransactorOptions.builder("t1", ANY_PORT)
        .tables(
            List.of(
                new InitialTable(new TableSchema(TABLE, columns), 0, Map.of("c_INT", "DATE")),
                new InitialTable(
                    TableSchema.of("other", ColumnSchema.of("row", ColumnType.LONG)), 1)))
        .codecThreads(1)
        .build();
  }

  private static Map<String, @Nullable Object> row(int i, @Nullable String text) {
    Map<String, @Nullable Object> row = new LinkedHashMap<>();
    row.put("c_BOOLEAN", i % 2 == 0);
    row.put("c_BYTE", (byte) i);
    row.put("c_SHORT", i == 1 ? null : (short) -i);
    row.put("c_INT", i * 1_000_003);
    row.put("c_LONG", Long.MAX_VALUE - i);
    row.put("c_FLOAT", i == 2 ? Float.NaN : i / 3f);
    row.put("c_DOUBLE", i == 3 ? Double.NEGATIVE_INFINITY : null);
    row.put("c_STRING", text);
    return row;
  }

  /** Commits inserts; updates and deletes; nothing for the table; many rows. */
  private static void commit(Worker worker, String text) throws Exception {
    Transaction inserts = Transaction.on(worker.snapshot());
    for (int i = 0; i < 5; i++) {
      inserts.insert(TABLE, row(i, i == 4 ? null : text + i));
    }
    worker.commit(inserts);
    Transaction changes = Transaction.on(worker.snapshot());
    changes.update(TABLE, "c_INT", 0, 7);
    changes.update(TABLE, "c_STRING", 0, null);
    changes.update(TABLE, "c_STRING", 2, "new");
    changes.delete(TABLE, 1);
    worker.commit(changes);
    Transaction others = Transaction.on(worker.snapshot());
    others.update("other", "row", 0, 5L);
    worker.commit(others);
    Transaction many = Transaction.on(worker.snapshot());
    ColumnBuilder ints = new ColumnBuilder(ColumnType.INT);
    Map<String, ColumnValues> columns = new TreeMap<>();
    for (ColumnType type : ColumnType.values()) {
      ColumnBuilder nulls = new ColumnBuilder(type);
      for (int i = 0; i < MANY_ROWS; i++) {
        if (type == ColumnType.INT) {
          ints.addInt(i);
        } else {
          nulls.addNull();
        }
      }
      columns.put("c_" + type, type == ColumnType.INT ? ints.build() : nulls.build());
    }
    many.insertRows(TABLE, columns);
    worker.commit(many);
  }

  /** Returns the expected stream of all changes, a line for each row. */
  private List<String> expected(long start) {
    List<String> lines = new ArrayList<>();
    lines.add("start " + start);
    for (CommittedChange change : changes) {
      String of = format(" %d %s ", change.snapshot(), change.transactionId());
      for (ChangedTable table : change.tables()) {
        if (table.schema().name().equals(TABLE)) {
          table.forEachRow(
              row ->
                  lines.add(
                      row.kind().name().toLowerCase(Locale.ROOT)
                          + of
                          + row.row()
                          + (row.kind() == ChangeKind.UPDATE ? " " + row.values().keySet() : "")
                          + shown(row.values())
                          + shown(row.before())));
        }
      }
      lines.add("commit" + of.stripTrailing());
    }
    return lines;
  }

  /** Shows values without nulls, which also mean that a column was not updated. */
  private static String shown(Map<?, ?> values) {
    Map<String, String> shown = new TreeMap<>();
    values.forEach(
        (name, value) -> {
          if (value != null) {
            shown.put(name.toString(), value.toString());
          }
        });
    return values.isEmpty() ? "" : " " + shown;
  }

  /** Returns the stream, as any reader of Arrow streams reads it. */
  private static List<String> read(Path file) throws IOException {
    List<String> lines = new ArrayList<>();
    try (BufferAllocator memory = new RootAllocator();
        ArrowStreamReader reader = new ArrowStreamReader(Files.newInputStream(file), memory)) {
      VectorSchemaRoot root = reader.getVectorSchemaRoot();
      assertThat(root.getSchema().findField("values").getChildren())
          .extracting(field -> field.getName() + " " + field.getType())
          .contains("c_INT Date(DAY)", "c_LONG Int(64, true)");
      while (reader.loadNextBatch()) {
        for (int i = 0; i < root.getRowCount(); i++) {
          int row = i;
          StringBuilder line = new StringBuilder();
          for (String column :
              List.of("kind", "snapshot", "transaction", "row", "updated", "values", "before")) {
            Object value =
                root.getVector(column) == null ? null : root.getVector(column).getObject(row);
            if (value instanceof List<?> names) {
              line.append(' ').append(new ArrayList<>(names));
            } else if (value instanceof Map<?, ?> values) {
              line.append(shown(values).isEmpty() ? " {}" : shown(values));
            } else if (value != null) {
              line.append(line.isEmpty() ? "" : " ").append(value);
            }
          }
          assertThat(root.getVector("committed").isNull(i)).isEqualTo(line.indexOf("start") == 0);
          lines.add(line.toString());
        }
      }
    }
    return lines;
  }

  private int run(String... arguments) {
    return Drayage.commandLine()
        .setOut(new PrintWriter(new StringWriter()))
        .setErr(new PrintWriter(err))
        .execute(arguments);
  }

  @Test
  void theCommandWritesAllChangesAndGoesOnWhereItEnds() throws Exception {
    withCommits(
        "é",
        (zooKeeper, store) -> {
          Path file = folder.resolve("changes.arrows");
          long first = changes.get(0).snapshot();
          List<String> follow =
              List.of("worker", "follow", zooKeeper, store, "--changes=arrow", "--table=" + TABLE);
          assertThat(
                  run(
                      with(
                          follow,
                          "--before",
                          "--out=" + file,
                          "--from=" + (first - 1),
                          "--until=" + (first + 1))))
              .as("%s", err)
              .isZero();
          String[] goOn = with(follow, "--before", "--out=" + file, "--until=" + (first + 3));
          assertThat(run(goOn)).as("%s", err).isZero();
          assertThat(read(file)).isEqualTo(expected(first - 1));
          byte[] whole = Files.readAllBytes(file);
          Files.write(file, Arrays.copyOf(whole, whole.length * 3 / 4));
          assertThat(run(goOn)).as("%s", err).isZero();
          assertThat(file).hasBinaryContent(whole);
          assertThat(run(with(follow, "--out=" + file))).isEqualTo(1);
          assertThat(err.toString()).contains("holds changes of other columns than table 'sales'");
          assertThat(file).hasBinaryContent(Arrays.copyOf(whole, whole.length));
        });
  }

  private static String[] with(List<String> arguments, String... more) {
    List<String> all = new ArrayList<>(arguments);
    all.addAll(List.of(more));
    return all.toArray(String[]::new);
  }

  /** The process may be killed at any byte, and the machine may leave other data at the end. */
  @Test
  void aFileIsCutAfterItsLastWholeCommit() throws Exception {
    withCommits("text ", (zooKeeper, store) -> {});
    Path file = folder.resolve("cut.arrows");
    List<Long> ends = new ArrayList<>();
    write(file, ends);
    byte[] whole = Files.readAllBytes(file);
    assertThat(read(file)).isEqualTo(expected(base().timestamp()));

    Random random = new Random(17);
    List<Integer> cuts = new ArrayList<>(List.of(0, 1, whole.length - 1, whole.length));
    ends.forEach(end -> cuts.addAll(List.of((int) (end - 1), end.intValue(), (int) (end + 1))));
    random.ints(10, 0, whole.length).forEach(cuts::add);
    for (int cut : cuts) {
      Files.write(file, Arrays.copyOf(whole, cut));
      write(file, new ArrayList<>());
      assertThat(Files.readAllBytes(file)).as("cut at %d", cut).isEqualTo(whole);
    }
    for (long end : ends) {
      byte[] damaged = Arrays.copyOf(whole, (int) end + 100);
      for (int i = (int) end; i < damaged.length; i++) {
        damaged[i] = (byte) random.nextInt();
      }
      Files.write(file, damaged);
      write(file, new ArrayList<>());
      assertThat(Files.readAllBytes(file)).as("damaged from %d on", end).isEqualTo(whole);
    }
    long first = changes.get(0).snapshot();
    long[] positions = {-1, base().timestamp(), first, first + 1, first + 2};
    for (int cut = 0; cut < ends.get(3) + 200; cut += 13) {
      Files.write(file, Arrays.copyOf(whole, cut));
      int kept = cut;
      long commits = ends.stream().filter(end -> end <= kept).count();
      try (ChangeTarget target =
          new DuckDbEngine().changes(TABLE, true, file, OutputStream.nullOutputStream())) {
        assertThat(target.position()).as("cut at %d", cut).isEqualTo(positions[(int) commits]);
      }
    }
  }

  /** Writes the missing changes. */
  private void write(Path file, List<Long> ends) throws IOException {
    try (ChangeTarget target =
        new DuckDbEngine().changes(TABLE, true, file, OutputStream.nullOutputStream())) {
      target.begin(DATABASE, base());
      ends.add(Files.size(file));
      for (CommittedChange change : changes) {
        if (change.snapshot() > target.position()) {
          target.write(change);
        }
        ends.add(Files.size(file));
      }
      target.end();
    }
  }

  @Test
  void refusesWhatItCannotWriteTo() throws Exception {
    withCommits("text ", (zooKeeper, store) -> {});
    Path file = folder.resolve("begun.arrows");
    try (ChangeTarget target =
        new DuckDbEngine().changes(TABLE, true, file, OutputStream.nullOutputStream())) {
      target.begin(DATABASE, base());
    }
    UUID another = new UUID(7, 8);
    byte[] before = Files.readAllBytes(file);
    try (ChangeTarget target =
        new DuckDbEngine().changes(TABLE, true, file, OutputStream.nullOutputStream())) {
      assertThatThrownBy(() -> target.begin(another, base()))
          .hasMessageContaining(
              "begun.arrows holds changes of database %s, and this is database %s"
                  .formatted(DATABASE, another));
    }
    assertThat(file).hasBinaryContent(before);
    Files.writeString(file, "mine\n");
    try (ChangeTarget target =
        new DuckDbEngine().changes(TABLE, true, file, OutputStream.nullOutputStream())) {
      assertThatThrownBy(() -> target.begin(DATABASE, base()))
          .hasMessageContaining("holds something else than changes");
    }
    assertThat(file).hasContent("mine\n");
  }
}
