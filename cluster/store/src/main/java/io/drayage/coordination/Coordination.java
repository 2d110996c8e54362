package io.drayage.coordination;

import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;

/**
 * One node's connection to its cluster. Thread-safe; methods may block on the network, and fail
 * with {@link CoordinationException} if there is no answer in time.
 */
public interface Coordination extends AutoCloseable {
  /** Where the cluster is, for messages. */
  String name();

  /**
   * The id of the cluster, made when a node first stood for election; empty before. It tells
   * clusters apart that go on from copies of one database.
   */
  Optional<UUID> cluster() throws CoordinationException;

  /** Adds a live node, until closed or until this process dies. */
  Membership join(NodeInfo node) throws CoordinationException;

  /** The live nodes, by name. */
  List<NodeInfo> liveNodes() throws CoordinationException;

  /** How far a live node is; empty if no such node is there. */
  Optional<NodeProgress> progress(String node) throws CoordinationException;

  /**
   * Stands for election until closed, which also ends a term. One of the candidates is primary at a
   * time, as far as the cluster knows. The writes of a primary that has not noticed the end of its
   * term are rejected by their epoch. Fails with nobody standing.
   */
  Registration stand(NodeInfo node, CandidacyListener listener) throws CoordinationException;

  /** The last node elected; empty if none ever was. */
  Optional<PrimaryInfo> primary() throws CoordinationException;

  /** The last value published; empty if none ever was. */
  Optional<PublishedSnapshot> published() throws CoordinationException;

  /**
   * Calls {@code watcher} with the published value, now and after each change. Values may be
   * skipped; timestamps only increase. One call at a time.
   */
  Registration watchPublished(Consumer<PublishedSnapshot> watcher) throws CoordinationException;

  /** Calls {@code watcher} with the primary, now and after each change; epochs only increase. */
  Registration watchPrimary(Consumer<PrimaryInfo> watcher) throws CoordinationException;

  /**
   * Asks the primary of this epoch, and no other, to make way for a node. If it does, that node is
   * elected, provided that it stands. Replaces an earlier request.
   */
  void requestHandOver(long epoch, String to) throws CoordinationException;

  /** Withdraws a request, and tells why, unless a later one has replaced it. */
  void withdrawHandOver(HandOver request, String reason) throws CoordinationException;

  /** The last request, which may be withdrawn; empty if there never was any. */
  Optional<HandOver> handOver() throws CoordinationException;

  /** Calls {@code watcher} with the last request, now if there ever was any and after each. */
  Registration watchHandOver(Consumer<HandOver> watcher) throws CoordinationException;

  /** The last change by {@link #maintain}; {@link Maintenance#NEVER} if there was none. */
  Maintenance maintenance() throws CoordinationException;

  /** Begins or ends the maintenance of the cluster; both survive every change of the primary. */
  Maintenance maintain(boolean on, String reason) throws CoordinationException;

  /**
   * Calls {@code watcher} with the maintenance, now if there ever was any and after each change.
   */
  Registration watchMaintenance(Consumer<Maintenance> watcher) throws CoordinationException;

  /** Leaves the cluster: closes all registrations. */
  @Override
  void close();
}
