package io.drayage.admin;

import io.drayage.coordination.Coordination;
import io.drayage.coordination.CoordinationException;
import io.drayage.coordination.Maintenance;
import io.drayage.coordination.NodeInfo;
import io.drayage.coordination.NodeProgress;
import io.drayage.coordination.PrimaryInfo;
import io.drayage.coordination.PublishedSnapshot;
import io.drayage.database.Lag;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The state of a cluster, as its coordination knows it.
 *
 * @param published the published snapshot; null before the first
 * @param primary the last elected node; null before the first election
 * @param nodes the live nodes, by name
 */
public record ClusterState(
    @Nullable PublishedSnapshot published,
    @Nullable Primary primary,
    Maintenance maintenance,
    List<Node> nodes) {

  /**
   * The node that was elected last.
   *
   * @param epoch of its election
   * @param isThere whether the node lives
   * @param accepts whether it accepts cargoes
   */
  public record Primary(NodeInfo node, long epoch, boolean isThere, boolean accepts) {}

  /**
   * A live node.
   *
   * @param lag null if the node has not reported a snapshot, or none is published; none for the
   *     primary, which makes the snapshots. The age is 0 if it is not known
   */
  public record Node(NodeInfo info, NodeProgress progress, @Nullable Lag lag) {
    /** The name of the node. */
    public String name() {
      return info.name();
    }
  }

  /** Reads the state. May block. */
  public static ClusterState read(Coordination coordination) throws CoordinationException {
    List<NodeInfo> live = coordination.liveNodes();
    Optional<PrimaryInfo> elected = coordination.primary();
    // Read before the progress of the nodes: a snapshot published later is no lag of theirs.
    PublishedSnapshot published = coordination.published().orElse(null);
    Maintenance maintenance = coordination.maintenance();
    List<Node> nodes = new ArrayList<>();
    for (NodeInfo info : live) {
      NodeProgress progress = coordination.progress(info.name()).orElse(NodeProgress.UNKNOWN);
      nodes.add(new Node(info, progress, lag(progress, published)));
    }
    Primary primary = elected.map(info -> primary(info, nodes)).orElse(null);
    return new ClusterState(published, primary, maintenance, List.copyOf(nodes));
  }

  private static Primary primary(PrimaryInfo elected, List<Node> nodes) {
    Optional<Node> there =
        nodes.stream().filter(node -> node.info().isSameNode(elected.node())).findFirst();
    boolean accepts = there.filter(node -> node.progress.epoch() == elected.epoch()).isPresent();
    return new Primary(elected.node(), elected.epoch(), there.isPresent(), accepts);
  }

  private static @Nullable Lag lag(NodeProgress progress, @Nullable PublishedSnapshot published) {
    if (progress.loaded() <= 0 || published == null) {
      return null;
    }
    long missing = progress.epoch() > 0 ? 0 : published.timestamp() - progress.loaded();
    return missing <= 0 ? Lag.NONE : new Lag(missing, 0);
  }

  /** The live transactors. */
  List<Node> transactors() {
    return nodes.stream().filter(node -> node.info().acceptsConnections()).toList();
  }
}
