package io.drayage.coordination;

import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;

/**
 * One node's connection to its cluster. Thread-safe; methods may block on the network, and fail
 * with {@link CoordinationException} if no answer comes in time.
 */
public interface Coordination extends AutoCloseable {
  /** The address of the cluster, for messages. */
  String name();

  /**
   * The id of the cluster, made when a node first stands for election; empty before. The id
   * distinguishes clusters that go on from copies of one database.
   */
  Optional<UUID> cluster() throws CoordinationException;

  /** Adds a live node, until the membership is closed or this process dies. */
  Membership join(NodeInfo node) throws CoordinationException;

  /** The live nodes, by name. */
  List<NodeInfo> liveNodes() throws CoordinationException;

  /** The progress of a live node; empty if there is no such node. */
  Optional<NodeProgress> progress(String node) throws CoordinationException;

  /**
   * Stands for election until closed, which also ends a term. One of the candidates is primary at a
   * time, as far as the cluster knows. A primary may not notice the end of its term; its writes are
   * then rejected by their epoch. After a failure, the node does not stand.
   */
  Registration stand(NodeInfo node, CandidacyListener listener) throws CoordinationException;

  /** The node elected last; empty if no node ever was. */
  Optional<PrimaryInfo> primary() throws CoordinationException;

  /** The value published last; empty if no value ever was. */
  Optional<PublishedSnapshot> published() throws CoordinationException;

  /**
   * Calls {@code watcher} with the published value, now and after each change. Values may be
   * skipped; timestamps only increase. One call at a time.
   */
  Registration watchPublished(Consumer<PublishedSnapshot> watcher) throws CoordinationException;

  /** Calls {@code watcher} with the primary, now and after each change; epochs only increase. */
  Registration watchPrimary(Consumer<PrimaryInfo> watcher) throws CoordinationException;

  /**
   * Asks the primary of this epoch, and no other, to hand over to a node. If the primary does, that
   * node is elected, provided that it stands. Replaces an earlier request.
   */
  void requestHandOver(long epoch, String to) throws CoordinationException;

  /** Withdraws a request and states the reason, unless a later request has replaced it. */
  void withdrawHandOver(HandOver request, String reason) throws CoordinationException;

  /** The last request, which may be withdrawn; empty if there never was a request. */
  Optional<HandOver> handOver() throws CoordinationException;

  /** Calls {@code watcher} with the last request: now, if there is one, and after each new one. */
  Registration watchHandOver(Consumer<HandOver> watcher) throws CoordinationException;

  /** The last change by {@link #maintain}; {@link Maintenance#NEVER} if there was none. */
  Maintenance maintenance() throws CoordinationException;

  /** Begins or ends the maintenance of the cluster. Both survive every change of the primary. */
  Maintenance maintain(boolean on, String reason) throws CoordinationException;

  /** Calls {@code watcher} with the maintenance: now, if it ever changed, and after each change. */
  Registration watchMaintenance(Consumer<Maintenance> watcher) throws CoordinationException;

  /** Leaves the cluster: closes all registrations. */
  @Override
  void close();
}
