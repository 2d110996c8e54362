package io.drayage.cli.cluster;

import io.drayage.cli.options.OptionChecks;
import io.drayage.coordination.ClusterPresence;
import io.drayage.coordination.Coordination;
import io.drayage.coordination.zookeeper.ZooKeeperOptions;
import io.drayage.internal.Begun;
import io.drayage.objectstore.ObjectStore;
import io.drayage.objectstore.ObjectStores;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The addresses of a cluster, for processes that join it. */
public final class ClusterOptions {
  /** The text of {@link ZooKeeperOptions#DEFAULT_SESSION_TIMEOUT}. */
  static final String DEFAULT_SESSION_TIMEOUT_MS = "6000";

  private static final String FOLDER = "fs:";

  @Option(
      names = "--zookeeper",
      paramLabel = "HOST:PORT[,...][/ROOT]",
      required = true,
      description = "The cluster's ZooKeeper; a transactor that runs one prints its address.")
  String zookeeper = "";

  @Option(
      names = "--session-timeout-ms",
      paramLabel = "MS",
      defaultValue = DEFAULT_SESSION_TIMEOUT_MS,
      description =
          "Milliseconds without a heartbeat after which a node counts as dead (default:"
              + " ${DEFAULT-VALUE}).")
  private int sessionTimeoutMs;

  @Mixin private ZooKeeperLogin login = new ZooKeeperLogin();

  Duration sessionTimeout() {
    return Duration.ofMillis(sessionTimeoutMs);
  }

  Coordination connect(OptionChecks checks) throws IOException {
    return login.connect(zookeeper, sessionTimeoutMs, checks);
  }

  /** Connects to a cluster that exists, and creates none. */
  Coordination connectToCluster(OptionChecks checks) throws IOException {
    Coordination coordination = connect(checks);
    try (Begun begun = new Begun(coordination::close)) {
      ClusterPresence.require(coordination);
      return begun.keep(coordination);
    }
  }

  /** Opens the store of an option. A wrong name is wrong usage. */
  public static ObjectStore open(String option, String store, OptionChecks checks)
      throws IOException {
    try {
      return ObjectStores.open(store);
    } catch (IllegalArgumentException e) {
      throw checks.usageError("%s: %s".formatted(option, e.getMessage()));
    }
  }

  /** Opens a store that exists, and creates no folder. */
  public static ObjectStore openExisting(String option, String store, OptionChecks checks)
      throws IOException {
    Path folder = folder(store);
    if (folder != null && !Files.isDirectory(folder)) {
      throw checks.usageError(
          "%s %s is no folder: name one with snapshots".formatted(option, store));
    }
    return open(option, store, checks);
  }

  /** Returns the folder of a store; null if the store is not a folder. */
  public static @Nullable Path folder(String store) {
    return store.startsWith(FOLDER)
        ? Path.of(store.substring(FOLDER.length())).toAbsolutePath().normalize()
        : null;
  }
}
