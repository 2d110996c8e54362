package io.drayage.admin;

import static io.drayage.internal.Texts.format;

import io.drayage.cargo.Names;
import io.drayage.coordination.Maintenance;
import io.drayage.coordination.NodeProgress;
import io.drayage.database.Lag;
import io.drayage.internal.Counted;
import io.drayage.objectstore.StoreFailure;
import io.drayage.objectstore.StoreSpace;
import io.drayage.objectstore.WriteFailure;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The present trouble of a cluster, and the remedy: a pure function of the state of the cluster and
 * of what one of its nodes knows.
 *
 * @param sentence the worst trouble and its remedy; {@link #FINE} if there is none
 * @param more one sentence for each further trouble, the worst first
 */
public record Health(Level level, String sentence, List<String> more) {
  /** The sentence of a cluster without trouble. */
  public static final String FINE = "Nothing is wrong.";

  /** Use of a database's limit from which on it is nearly full, as a node logs it. */
  private static final double NEARLY_FULL = 0.8;

  /** Share of a store's file system that should stay free. */
  private static final double LEAST_FREE = 0.05;

  /** Code units of a reason that are shown. */
  private static final int MAX_REASON_CHARS = 200;

  /** The severity of the worst trouble. */
  public enum Level {
    /** There is no trouble. */
    FINE,
    /** Commits go on, and may not later. */
    WARNING,
    /** Commits cannot go on, or a node cannot. */
    ERROR;

    /** The name in lower case. */
    public String label() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /**
   * The knowledge of one node, which its cluster does not have.
   *
   * @param pause a long pause of the node in the last minute; null without one
   * @param silence the reason why ZooKeeper has not answered for long; null if it has
   * @param storeSilence the reason why the object store has not answered for long; null if it has
   * @param isFull whether a cargo was refused as {@code FULL} in the last minute
   * @param gone transactors that were in the cluster and are not
   * @param space of the store; null if it has no known limit
   */
  public record Sight(
      NodeReport node,
      @Nullable Pause pause,
      @Nullable String silence,
      @Nullable String storeSilence,
      boolean isFull,
      List<String> gone,
      @Nullable StoreSpace space) {}

  /**
   * A pause of a node.
   *
   * @param collectorMs the part that the garbage collector took
   */
  public record Pause(long ms, long collectorMs) {}

  /** A node with trouble, and its reason. */
  private record Troubled<R>(String name, R reason) {}

  /** Judges by what a cluster knows alone. */
  public static Health of(ClusterState cluster) {
    return judge(cluster, null);
  }

  /**
   * Judges by what a node and its cluster know.
   *
   * @param cluster null if the node has not read it yet
   */
  public static Health of(@Nullable ClusterState cluster, Sight sight) {
    return judge(cluster, sight);
  }

  private static Health judge(@Nullable ClusterState cluster, @Nullable Sight sight) {
    List<String> errors = new ArrayList<>();
    List<String> warnings = new ArrayList<>();
    if (sight != null && sight.silence != null) {
      errors.add(
          "%s gets no answer from ZooKeeper (%s): start ZooKeeper, or mend the network to it."
              .formatted(sight.node.name(), brief(sight.silence)));
    } else if (cluster == null) {
      warnings.add("The cluster is not read yet: wait some seconds.");
    }
    if (cluster != null) {
      noPrimary(cluster).ifPresent(errors::add);
    }
    boolean isUnwritable = unwritable(cluster, sight).map(errors::add).orElse(false);
    if (sight != null && sight.storeSilence != null) {
      errors.add(
          "%s gets no answer from the store (%s): look at the store and the network to it."
              .formatted(sight.node.name(), brief(sight.storeSilence)));
    }
    failed(cluster, sight).ifPresent(errors::add);
    boolean isFull = full(cluster, sight).map(errors::add).orElse(false);
    maintenance(cluster).ifPresent(warnings::add);
    if (sight != null && sight.pause != null) {
      warnings.add(
          format(
              "%s stood still for %,d ms, of which the garbage collector took %,d, and may count as dead the next time: give it more memory or processors, or a longer --session-timeout-ms.",
              sight.node.name(), sight.pause.ms, sight.pause.collectorMs));
    }
    behind(cluster, sight).ifPresent(warnings::add);
    if (!isFull && cluster != null) {
      nearlyFull(cluster).ifPresent(warnings::add);
    }
    if (sight != null) {
      noStandby(cluster, sight.gone).ifPresent(warnings::add);
      if (!isUnwritable) {
        littleSpace(sight.space).ifPresent(warnings::add);
      }
    }
    Level level = !errors.isEmpty() ? Level.ERROR : warnings.isEmpty() ? Level.FINE : Level.WARNING;
    errors.addAll(warnings);
    return level == Level.FINE
        ? new Health(level, FINE, List.of())
        : new Health(level, errors.get(0), List.copyOf(errors.subList(1, errors.size())));
  }

  private static Optional<String> noPrimary(ClusterState cluster) {
    ClusterState.Primary primary = cluster.primary();
    String standbys =
        cluster.transactors().stream()
            .map(ClusterState.Node::name)
            .collect(Collectors.joining(" or "));
    if (primary == null) {
      return Optional.of(
          standbys.isEmpty()
              ? "No node is primary, so nothing can be committed: start a transactor."
              : "No node is primary yet, so nothing can be committed: wait some seconds, then read the log of %s."
                  .formatted(standbys));
    }
    String name = primary.node().name();
    if (!primary.isThere()) {
      return Optional.of(
          standbys.isEmpty()
              ? "The primary %s is gone and no transactor is left, so nothing can be committed: start a transactor."
                  .formatted(name)
              : "The primary %s is gone, so nothing can be committed until %s takes over: wait some seconds, then read the log of %2$s."
                  .formatted(name, standbys));
    }
    if (primary.accepts()) {
      return Optional.empty();
    }
    String reason =
        cluster.nodes().stream()
            .filter(node -> node.name().equals(name) && node.progress().failure() != null)
            .map(node -> brief(String.valueOf(node.progress().failure())))
            .findFirst()
            .orElse(null);
    return Optional.of(
        reason == null
            ? "%s is elected and takes over, so nothing can be committed yet: wait some seconds, then read the log of %1$s."
                .formatted(name)
            : "%s is elected and cannot take over, so nothing can be committed (%s): mend that, or end %1$s so that another transactor takes over."
                .formatted(name, reason));
  }

  private static Optional<String> unwritable(
      @Nullable ClusterState cluster, @Nullable Sight sight) {
    return troubled(
            cluster,
            NodeProgress::storeFailure,
            sight == null ? null : sight.node.name(),
            sight == null ? null : sight.node.storeFailure())
        .stream()
        .findFirst()
        .map(
            found ->
                "%s cannot write the store, because %s, so commits %s: %s."
                    .formatted(
                        found.name,
                        cause(found.reason),
                        found.reason.why().mayPass() ? "wait" : "are refused",
                        remedy(found.reason.why())));
  }

  /** Returns a cause without the names of objects, which change with each attempt to write. */
  private static String cause(StoreFailure failure) {
    return switch (failure.why()) {
      case FULL -> "the store has no space left";
      case DENIED -> "a right is missing";
      case UNREACHABLE -> "the server does not answer";
      case OTHER -> "of an error (%s)".formatted(brief(failure.message()));
    };
  }

  private static String remedy(WriteFailure why) {
    return switch (why) {
      case FULL ->
          "enlarge the file system or the quota, and commits go on; delete no object by hand";
      case DENIED -> "restore the right to write there";
      case UNREACHABLE -> "look at the server of the store and the network to it";
      case OTHER -> "look at the disk";
    };
  }

  private static Optional<String> failed(@Nullable ClusterState cluster, @Nullable Sight sight) {
    ClusterState.Primary primary = cluster == null ? null : cluster.primary();
    List<Troubled<String>> all =
        troubled(
            cluster,
            NodeProgress::failure,
            sight == null ? null : sight.node.name(),
            sight == null ? null : sight.node.failure());
    // An elected node that cannot take over has a sentence of its own.
    List<Troubled<String>> others =
        all.stream()
            .filter(each -> primary == null || !each.name.equals(primary.node().name()))
            .toList();
    if (others.isEmpty()) {
      return Optional.empty();
    }
    Troubled<String> first = others.get(0);
    return Optional.of(
        "%s cannot go on (%s): read %s log, and check the store with 'drayage snapshot verify'."
            .formatted(
                named(others.stream().map(Troubled::name).toList()),
                brief(first.reason),
                others.size() == 1 ? "its" : "their"));
  }

  private static Optional<String> full(@Nullable ClusterState cluster, @Nullable Sight sight) {
    boolean isAtLimit =
        cluster != null && primaryOf(cluster).filter(node -> use(node.progress()) >= 1).isPresent();
    return isAtLimit || (sight != null && sight.isFull)
        ? Optional.of(
            "The database has reached its limit, and commits are refused as FULL: raise heap and --max-database of every transactor, standbys first, or delete rows.")
        : Optional.empty();
  }

  private static Optional<String> maintenance(@Nullable ClusterState cluster) {
    if (cluster == null || !cluster.maintenance().isOn()) {
      return Optional.empty();
    }
    Maintenance on = cluster.maintenance();
    return Optional.of(
        "The cluster is in maintenance, so new commits are refused (%s): end it with 'drayage transactor maintenance off'."
            .formatted(brief(on.reason())));
  }

  private static Optional<String> behind(@Nullable ClusterState cluster, @Nullable Sight sight) {
    if (cluster == null) {
      return Optional.empty();
    }
    String own = sight == null ? "" : sight.node.name();
    Comparator<Troubled<Lag>> standbysFirst =
        Comparator.comparing(each -> isStandby(cluster, each.name) ? 0 : 1);
    return cluster.nodes().stream()
        .map(node -> new Troubled<>(node.name(), lag(node, own, sight)))
        .filter(each -> !each.reason.isCaughtUp())
        .sorted(standbysFirst.thenComparing(each -> -each.reason.snapshots()))
        .findFirst()
        .map(
            each ->
                "%s, a %s, is %s behind: see whether its process stands still, or give it more memory or a faster store."
                    .formatted(
                        each.name,
                        isStandby(cluster, each.name) ? "standby" : "follower",
                        Counted.of(each.reason.snapshots(), "snapshot")));
  }

  private static Lag lag(ClusterState.Node node, String own, @Nullable Sight sight) {
    Lag lag = sight != null && node.name().equals(own) ? sight.node.behind() : node.lag();
    return lag == null ? Lag.NONE : lag;
  }

  private static boolean isStandby(ClusterState cluster, String name) {
    return cluster.transactors().stream().anyMatch(node -> node.name().equals(name));
  }

  private static Optional<String> nearlyFull(ClusterState cluster) {
    return cluster.transactors().stream()
        .max(Comparator.comparingDouble(node -> use(node.progress())))
        .filter(node -> use(node.progress()) >= NEARLY_FULL)
        .map(
            node ->
                format(
                    "The database uses %.0f %% of the limit of %s: raise heap and --max-database, standbys first, before commits are refused as FULL.",
                    Math.floor(100 * use(node.progress())), node.name()));
  }

  private static double use(NodeProgress progress) {
    long limit = progress.maxDatabaseBytes();
    return limit <= 0 ? 0 : (double) progress.databaseBytes() / limit;
  }

  private static Optional<String> noStandby(@Nullable ClusterState cluster, List<String> gone) {
    if (cluster == null || gone.isEmpty() || cluster.transactors().size() != 1) {
      return Optional.empty();
    }
    String left = cluster.transactors().get(0).name();
    return Optional.of(
        "No standby is left, because %s left the cluster: start %s again, or no node takes over if %s dies."
            .formatted(named(gone), gone.size() == 1 ? "it" : "one", left));
  }

  private static Optional<String> littleSpace(@Nullable StoreSpace space) {
    return space == null || space.freeBytes() >= LEAST_FREE * space.totalBytes()
        ? Optional.empty()
        : Optional.of(
            format(
                "The file system of the store has only %,.1f MB left: enlarge it before commits have to wait.",
                space.freeBytes() / 1e6));
  }

  private static Optional<ClusterState.Node> primaryOf(ClusterState cluster) {
    ClusterState.Primary primary = cluster.primary();
    return cluster.nodes().stream()
        .filter(node -> primary != null && node.info().isSameNode(primary.node()))
        .findFirst();
  }

  private interface Reason<R> {
    @Nullable R of(NodeProgress progress);
  }

  /** Returns the nodes with a reason. Of its own reason, a node knows best: it comes first. */
  private static <R> List<Troubled<R>> troubled(
      @Nullable ClusterState cluster,
      Reason<R> reported,
      @Nullable String own,
      @Nullable R ownReason) {
    List<Troubled<R>> found = new ArrayList<>();
    if (own != null && ownReason != null) {
      found.add(new Troubled<>(own, ownReason));
    }
    for (ClusterState.Node node :
        cluster == null ? List.<ClusterState.Node>of() : cluster.nodes()) {
      R reason = reported.of(node.progress());
      if (reason != null && !node.name().equals(own)) {
        found.add(new Troubled<>(node.name(), reason));
      }
    }
    return found;
  }

  private static String named(List<String> names) {
    return names.size() == 1
        ? names.get(0)
        : "%s and %s".formatted(names.get(0), Counted.of(names.size() - 1L, "other node"));
  }

  /** A reason within a sentence. */
  private static String brief(String reason) {
    String shown = Names.printable(reason);
    return shown.length() > MAX_REASON_CHARS ? shown.substring(0, MAX_REASON_CHARS) + "..." : shown;
  }
}
