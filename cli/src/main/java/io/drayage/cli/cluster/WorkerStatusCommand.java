package io.drayage.cli.cluster;

import static io.drayage.internal.Texts.format;

import io.drayage.bench.result.JsonFile;
import io.drayage.cli.options.JsonOption;
import io.drayage.cli.options.OptionChecks;
import io.drayage.coordination.Coordination;
import io.drayage.coordination.Maintenance;
import io.drayage.coordination.NodeInfo;
import io.drayage.coordination.NodeProgress;
import io.drayage.coordination.PrimaryInfo;
import io.drayage.coordination.PublishedSnapshot;
import io.drayage.internal.Counted;
import io.drayage.objectstore.ObjectStore;
import io.drayage.snapshot.transaction.StoredTransaction;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
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
      "Shows the primary, the published snapshot and the live nodes; with --store also the open"
          + " transactions of several workers.",
      "Exit code 1 if no primary is there, or if the record of a transaction is damaged; the others"
          + " are shown."
    },
    footer = {
      "",
      "Examples:",
      "  drayage worker status --zookeeper 127.0.0.1:2181",
      "  drayage worker status --zookeeper 127.0.0.1:2181 --store fs:/var/lib/drayage/t1/store"
    })
final class WorkerStatusCommand implements Callable<Integer> {
  @Mixin private ClusterOptions cluster = new ClusterOptions();

  @Option(
      names = "--store",
      paramLabel = "STORE",
      description =
          "The cluster's object store, of which the open transactions are read: fs:DIR or"
              + " s3:BUCKET[/PREFIX][?OPTIONS].")
  private @Nullable String store;

  @Mixin private JsonOption to = new JsonOption();

  @Spec private CommandSpec spec;

  /**
   * The content of {@code --json}.
   *
   * @param snapshot that is published, with its epoch; null if none is, as the database's id
   * @param primary the last one elected; null if none ever was
   * @param maintenance null if the cluster is in none
   * @param transactions open ones of several workers; null without a store
   * @param damaged what is wrong with the records of others; null without a store
   */
  private record Status(
      int schema,
      @Nullable Long snapshot,
      @Nullable Long epoch,
      @Nullable UUID database,
      @Nullable Primary primary,
      @Nullable String maintenance,
      List<Node> nodes,
      @Nullable List<Open> transactions,
      @Nullable List<String> damaged) {}

  /**
   * @param isThere whether it lives
   * @param accepts whether it accepts cargoes
   */
  private record Primary(String name, @Nullable String address, boolean isThere, boolean accepts) {
    static Primary of(NodeInfo node, boolean isThere, boolean accepts) {
      return new Primary(node.name(), addressOf(node), isThere, accepts);
    }

    @Override
    public String toString() {
      String state = accepts ? "" : ", elected, has not taken over yet";
      return at(name, address) + (isThere ? state : ", not there now");
    }
  }

  /**
   * @param loaded the newest snapshot that it has loaded; null of a worker, which may not tell
   */
  private record Node(String name, @Nullable String address, @Nullable Long loaded) {
    @Override
    public String toString() {
      return at(name, address) + (loaded == null ? "" : ", has loaded snapshot " + loaded);
    }
  }

  /**
   * An open transaction.
   *
   * @param ageMs since it was begun, by the clock of the store and this machine's
   * @param fragments that are durable
   * @param bytes that the store has for it
   * @param leaseMs how long it stays open after each renewal
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
          Math.max(0, Duration.between(stored.begun(), now).toMillis()),
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
      boolean isDamaged = status.damaged != null && !status.damaged.isEmpty();
      return status.primary != null && status.primary.isThere && !isDamaged ? 0 : 1;
    }
  }

  private Status status(Coordination coordination, OptionChecks checks) throws IOException {
    List<NodeInfo> nodes = coordination.liveNodes();
    Optional<PrimaryInfo> elected = coordination.primary();
    Primary primary = null;
    if (elected.isPresent()) {
      NodeInfo node = elected.get().node();
      primary =
          Primary.of(
              node,
              nodes.stream().anyMatch(node::isSameNode),
              accepts(coordination, elected.get()));
    }
    PublishedSnapshot published = coordination.published().orElse(null);
    Maintenance maintenance = coordination.maintenance();
    List<Node> shown = new ArrayList<>();
    for (NodeInfo node : nodes) {
      shown.add(new Node(node.name(), addressOf(node), loaded(coordination, node)));
    }
    List<String> damaged = store == null ? null : new ArrayList<>();
    return new Status(
        1,
        published == null ? null : (Long) published.timestamp(),
        published == null ? null : (Long) published.epoch(),
        published == null ? null : published.position().database(),
        primary,
        maintenance.isOn() ? maintenance.toString() : null,
        shown,
        store == null || damaged == null ? null : open(store, damaged, checks),
        damaged);
  }

  private static List<Open> open(String store, List<String> damaged, OptionChecks checks)
      throws IOException {
    try (ObjectStore objects = ClusterOptions.openExisting("--store", store, checks)) {
      Instant now = Instant.now();
      return StoredTransaction.list(objects, e -> damaged.add(e.getMessage())).stream()
          .map(each -> Open.of(each, now))
          .toList();
    }
  }

  private void print(Status status) {
    PrintWriter out = spec.commandLine().getOut();
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
    if (status.transactions != null) {
      status.transactions.forEach(open -> out.println("open      " + open));
      if (status.transactions.isEmpty()) {
        out.println("open      no transaction of several workers");
      }
    }
    if (status.damaged != null) {
      status.damaged.forEach(error -> out.println("WRONG     " + error));
    }
  }

  /** Whether the node which was elected accepts cargoes yet; it tells when it does. */
  private static boolean accepts(Coordination coordination, PrimaryInfo elected)
      throws IOException {
    return coordination
        .progress(elected.node().name())
        .filter(told -> told.epoch() == elected.epoch())
        .isPresent();
  }

  /** Of a transactor; workers, who may not write there, do not tell. */
  private static @Nullable Long loaded(Coordination coordination, NodeInfo node)
      throws IOException {
    long loaded = coordination.progress(node.name()).map(NodeProgress::loaded).orElse(0L);
    return loaded == 0 ? null : (Long) loaded;
  }

  private static @Nullable String addressOf(NodeInfo node) {
    return node.acceptsConnections() ? node.address() : null;
  }

  private static String at(String name, @Nullable String address) {
    return address == null ? name : name + " at " + address;
  }
}
