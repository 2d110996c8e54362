package io.drayage.coordination;

import io.drayage.internal.Begun;
import java.util.Set;
import java.util.TreeSet;

/** Admits a node to a cluster in which every node can read all that its transactors accept. */
public final class CodecAgreement {
  private CodecAgreement() {}

  /**
   * Joins the cluster. Leaves it again if this node cannot read what a transactor accepts, or if
   * this node is a transactor and accepts what another node cannot read. If two nodes join at once,
   * at least one of them sees the other.
   *
   * @throws CoordinationException in these cases; names both nodes, the codec, and what to do
   */
  public static Membership join(Coordination coordination, NodeInfo node)
      throws CoordinationException {
    Membership joined = coordination.join(node);
    try (Begun begun = new Begun(joined::close)) {
      for (NodeInfo other : coordination.liveNodes()) {
        if (!other.name().equals(node.name())) {
          requireRead(other, node);
          requireRead(node, other);
        }
      }
      return begun.keep(joined);
    }
  }

  /**
   * Fails if the reader cannot read what the transactor accepts: the reader would never catch up.
   */
  private static void requireRead(NodeInfo transactor, NodeInfo reader)
      throws CoordinationException {
    if (!transactor.acceptsConnections()) {
      return;
    }
    Set<String> missing = new TreeSet<>(transactor.codecs());
    missing.removeAll(reader.codecs());
    if (!missing.isEmpty()) {
      throw new CoordinationException(
          ("node '%s' does not read what transactor '%s' accepts: %s. Let the node read that codec (io.drayage:drayage-baseline"
                  + " on its class path, --allow), or let the transactor refuse it (--refuse)")
              .formatted(reader.name(), transactor.name(), String.join(", ", missing)));
    }
  }
}
