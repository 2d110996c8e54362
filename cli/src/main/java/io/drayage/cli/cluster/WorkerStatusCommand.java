package io.drayage.cli.cluster;

import static io.drayage.internal.Texts.format;

import io.drayage.admin.ClusterState;
import io.drayage.admin.Health;
import io.drayage.bench.result.JsonFile;
import io.drayage.cargo.Names;
import io.drayage.cli.options.JsonOption;
import io.drayage.cli.options.OptionChecks;
import io.drayage.coordination.ClusterPresence;
import io.drayage.coordination.Coordination;
import io.drayage.coordination.Maintenance;
import io.drayage.coordination.NodeInfo;
import io.drayage.coordination.NodeProgress;
import io.drayage.coordination.PublishedSnapshot;
import io.drayage.database.Lag;
import io.drayage.database.LogPosition;
import io.drayage.internal.Counted;
import io.drayage.objectstore.ObjectStore;
import io.drayage.replica.ClusterStore;
import io.drayage.snapshot.NewestFull;
import io.drayage.snapshot.SnapshotCatalog;
import io.drayage.snapshot.transaction.StoredTransaction;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code drayage worker status}. */
@Command(
    name = "status",
    mixinStandardHelpOptions = true,
    description = {
      "Shows what is wrong, the primary, the published snapshot, and the progress and memory of the live nodes;"
          + " with --store also the newest full snapshot and the open transactions of several"
          + " workers.",
      "Exit code 1 if there is no primary, if the store is not that of the cluster, or if the"
          + " record of a transaction is damaged; the other records are shown."
    },
    footer = {
      "",
      "Examples, with the node of 'drayage transactor --data data':",
      "  drayage worker status --zookeeper 127.0.0.1:2181",
      "  drayage worker status --zookeeper 127.0.0.1:2181 --store fs:data/store"
    })
final class WorkerStatusCommand implements Callable<Integer> {
  @Mixin private ClusterOptions cluster = new ClusterOptions();

  @Option(
      names = "--store",
      paramLabel = "STORE",
      description =
          "The cluster's object store, for the full snapshots and the open transactions: fs:DIR or"
              + " s3:BUCKET[/PREFIX][?OPTIONS].")
  private @Nullable String store;

  @Mixin private JsonOption to = new JsonOption();

  @Spec private CommandSpec spec;

  /**
   * The content of {@code --json}.
   *
   * @param health the present trouble, and the remedy
   * @param snapshot the published one, with its epoch; null if none is, like the database's id
   * @param primary the last one elected; null before the first election
   * @param maintenance null if there is none
   * @param full the newest full snapshot; null without a store, or if the store has none
   * @param transactions open ones of several workers; null without a store
   * @param damaged problems in the records of other transactions; null without a store
   */
  private record Status(
      int schema,
      String health,
      @Nullable Long snapshot,
      @Nullable Long epoch,
      @Nullable UUID database,
      @Nullable Primary primary,
      @Nullable String maintenance,
      List<Node> nodes,
      @Nullable Full full,
      @Nullable List<Open> transactions,
      @Nullable List<String> damaged) {
    boolean isDamaged() {
      return damaged != null && !damaged.isEmpty();
    }
  }

  /**
   * @param isThere whether the node lives
   * @param accepts whether it accepts cargoes
   */
  private record Primary(String name, @Nullable String address, boolean isThere, boolean accepts) {
    static Primary of(ClusterState.Primary primary) {
      NodeInfo node = primary.node();
      return new Primary(node.name(), addressOf(node), primary.isThere(), primary.accepts());
    }

    @Override
    public String toString() {
      String state = accepts ? "" : ", elected, has not taken over yet";
      return at(name, address) + (isThere ? state : ", not there now");
    }
  }

  /**
   * A live node; a value that the node has not reported is null.
   *
   * @param loaded the newest snapshot that it has loaded
   * @param lag number of published snapshots that it has not loaded; 0 for the primary, which made
   *     them
   * @param databaseBytes memory of a transactor's database
   * @param maxDatabaseBytes its limit, if it has one
   * @param fragmentBytes memory of fragments of open transactions, if there are any
   * @param store the name of its object store
   */
  private record Node(
      String name,
      @Nullable String address,
      @Nullable Long loaded,
      @Nullable Long lag,
      @Nullable Long databaseBytes,
      @Nullable Long maxDatabaseBytes,
      @Nullable Long fragmentBytes,
      @Nullable String store) {
    static Node of(ClusterState.Node node) {
      NodeProgress progress = node.progress();
      Lag lag = node.lag();
      boolean isLimited = progress.maxDatabaseBytes() < Long.MAX_VALUE;
      return new Node(
          node.name(),
          addressOf(node.info()),
          positive(progress.loaded()),
          lag == null ? null : (Long) lag.snapshots(),
          positive(progress.databaseBytes()),
          isLimited ? positive(progress.maxDatabaseBytes()) : null,
          positive(progress.fragmentBytes()),
          progress.store().isEmpty() ? null : progress.store());
    }

    private static @Nullable Long positive(long told) {
      return told > 0 ? (Long) told : null;
    }

    @Override
    public String toString() {
      StringBuilder text = new StringBuilder(at(name, address));
      if (loaded != null) {
        text.append(", has loaded snapshot ").append(loaded);
      }
      if (lag != null && lag > 0) {
        text.append(format(", %,d behind", lag));
      }
      if (databaseBytes != null) {
        text.append(format(", database %,.1f", databaseBytes / 1e6));
        text.append(maxDatabaseBytes == null ? "" : format(" of %,.1f", maxDatabaseBytes / 1e6));
        text.append(" MB");
      }
      if (fragmentBytes != null) {
        text.append(format(", fragments in memory %,.1f MB", fragmentBytes / 1e6));
      }
      return text.toString();
    }
  }

  /**
   * The newest full snapshot.
   *
   * @param ageMs since it was written, by the clocks of the store and of this machine
   * @param entriesSince number of later entries of the log
   */
  private record Full(long snapshot, long ageMs, long entriesSince) {
    static Full of(NewestFull newest, Instant now) {
      return new Full(newest.timestamp(), msBetween(newest.written(), now), newest.entriesSince());
    }

    @Override
    public String toString() {
      return format(
          "snapshot %d, %,.1f s old, %s of the log since",
          snapshot, ageMs / 1e3, Counted.of(entriesSince, "entry"));
    }
  }

  /**
   * An open transaction.
   *
   * @param ageMs since it was begun, by the clocks of the store and of this machine
   * @param fragments number of durable ones
   * @param bytes that the store has for it
   * @param leaseMs time that it stays open after each renewal
   */
  private record Open(
      UUID transaction,
      String owner,
      long base,
      long ageMs,
      int fragments,
      long bytes,
      long leaseMs) {
    static Open of(StoredTransaction stored, Instant now) {
      return new Open(
          stored.record().id(),
          stored.record().owner(),
          stored.record().base(),
          msBetween(stored.begun(), now),
          stored.fragments(),
          stored.bytes(),
          stored.record().lease().toMillis());
    }

    @Override
    public String toString() {
      return format(
          "transaction %s of %s on snapshot %d, %,.1f s old, %s, %s, lease %,.1f s",
          transaction,
          owner,
          base,
          ageMs / 1e3,
          Counted.of(fragments, "fragment"),
          Counted.of(bytes, "byte"),
          leaseMs / 1e3);
    }
  }

  @Override
  public Integer call() throws IOException {
    NodeLog.setUp();
    OptionChecks checks = new OptionChecks(spec);
    to.validate(checks);
    try (Coordination coordination = cluster.connectToCluster(checks)) {
      Status status = status(coordination, checks);
      print(status);
      if (to.json != null) {
        JsonFile.write(to.json, status);
      }
      return status.primary != null && status.primary.isThere && !status.isDamaged() ? 0 : 1;
    }
  }

  private Status status(Coordination coordination, OptionChecks checks) throws IOException {
    if (store == null) {
      return status(coordination, null, null, null);
    }
    try (ObjectStore objects = ClusterOptions.openExisting("--store", store, checks)) {
      SnapshotCatalog catalog = new SnapshotCatalog(objects);
      if (coordination.published().isPresent()) {
        LogPosition unused =
            ClusterStore.awaitPublished(catalog, coordination, ClusterPresence.PATIENCE);
      }
      Instant now = Instant.now();
      List<String> damaged = new ArrayList<>();
      List<Open> open =
          StoredTransaction.list(objects, e -> damaged.add(e.getMessage())).stream()
              .map(each -> Open.of(each, now))
              .toList();
      Full full = catalog.newestFull().map(newest -> Full.of(newest, now)).orElse(null);
      return status(coordination, full, open, damaged);
    }
  }

  private static Status status(
      Coordination coordination,
      @Nullable Full full,
      @Nullable List<Open> open,
      @Nullable List<String> damaged)
      throws IOException {
    ClusterState state = ClusterState.read(coordination);
    PublishedSnapshot published = state.published();
    ClusterState.Primary primary = state.primary();
    Maintenance maintenance = state.maintenance();
    return new Status(
        1,
        Health.of(state).sentence(),
        published == null ? null : (Long) published.timestamp(),
        published == null ? null : (Long) published.epoch(),
        published == null ? null : published.position().database(),
        primary == null ? null : Primary.of(primary),
        maintenance.isOn() ? maintenance.toString() : null,
        state.nodes().stream().map(Node::of).toList(),
        full,
        open,
        damaged);
  }

  private void print(Status status) {
    PrintWriter out = spec.commandLine().getOut();
    out.println(status.health);
    out.println(
        "snapshot  "
            + (status.snapshot == null
                ? "none"
                : format("%d, epoch %d", status.snapshot, status.epoch)));
    if (status.database != null) {
      out.println("database  " + status.database);
    }
    out.println("primary   " + (status.primary == null ? "none" : status.primary));
    if (status.maintenance != null) {
      out.println("cluster   " + status.maintenance);
    }
    status.nodes.forEach(node -> out.println("node      " + node));
    stores(status.nodes).forEach(line -> out.println("store     " + line));
    if (status.transactions != null) {
      out.println("full      " + (status.full == null ? "none" : status.full));
      status.transactions.forEach(open -> out.println("open      " + open));
      if (status.transactions.isEmpty()) {
        out.println("open      no transaction of several workers");
      }
    }
    if (status.damaged != null) {
      status.damaged.forEach(error -> out.println("WRONG     " + error));
    }
  }

  /** Returns the stores of the nodes. If there are several, the names of its nodes follow each. */
  private static List<String> stores(List<Node> nodes) {
    Map<String, List<String>> named = new TreeMap<>();
    for (Node node : nodes) {
      if (node.store != null) {
        named.computeIfAbsent(Names.printable(node.store), s -> new ArrayList<>()).add(node.name);
      }
    }
    return named.entrySet().stream()
        .map(
            each ->
                each.getKey()
                    + (named.size() == 1 ? "" : " of " + String.join(", ", each.getValue())))
        .toList();
  }

  private static long msBetween(Instant begin, Instant now) {
    return Math.max(0, Duration.between(begin, now).toMillis());
  }

  private static @Nullable String addressOf(NodeInfo node) {
    return node.acceptsConnections() ? node.address() : null;
  }

  private static String at(String name, @Nullable String address) {
    return address == null ? name : name + " at " + address;
  }
}
