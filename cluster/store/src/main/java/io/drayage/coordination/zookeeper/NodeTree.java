package io.drayage.coordination.zookeeper;

import io.drayage.coordination.CoordinationException;
import io.drayage.coordination.Membership;
import io.drayage.coordination.NodeInfo;
import io.drayage.coordination.Registration;
import java.util.List;
import java.util.Optional;

/**
 * One session with ZooKeeper, and all that coordination needs of it. Thread-safe; methods may block
 * on the network, and fail if there is no answer in time. A call that failed so may have taken
 * effect.
 */
interface NodeTree extends AutoCloseable {
  /**
   * The value of a node.
   *
   * @param data must not be changed
   * @param version the number of changes of the node
   */
  @SuppressWarnings("ArrayRecordComponent") // Never compared.
  record Value(byte[] data, int version) {}

  /** Creates an empty node, unless it exists. */
  void ensure(String path) throws CoordinationException;

  /**
   * Makes the server catch up with the ensemble: it may be behind, particularly after a reconnect.
   * Not to be called on ZooKeeper's own threads, one of which brings the answer.
   *
   * @throws CoordinationException if it has not; then what is read next may be old
   */
  void sync(String path) throws CoordinationException;

  /** A node's value, which may be old; empty if the node does not exist or has no data. */
  Optional<Value> read(String path) throws CoordinationException;

  /**
   * Writes the value of a node that exists.
   *
   * @return the new version; negative if {@code expected} is not the current one, which may be this
   *     write's own if its first answer was lost
   */
  int write(String path, byte[] data, int expected) throws CoordinationException;

  /** The names of a node's children, which may be old; none if it does not exist. */
  List<String> children(String path) throws CoordinationException;

  /**
   * Has {@code whenChanged} called when a node may have changed, also after a lost connection;
   * changes may be skipped. It must not block.
   */
  Registration watch(String path, Runnable whenChanged);

  /**
   * Enters a live node, and again whenever the session was lost.
   *
   * @throws CoordinationException if the name is taken, or ZooKeeper does not answer in time
   */
  Membership enter(NodeInfo node) throws CoordinationException;

  /** A place for a candidate, which has not entered the queue yet. */
  Latch latch(String candidate);

  /** Ends the session. */
  @Override
  void close();
}
