package io.drayage.coordination.zookeeper;

import io.drayage.coordination.CoordinationException;
import io.drayage.coordination.Membership;
import io.drayage.coordination.NodeInfo;
import io.drayage.coordination.Registration;
import java.util.List;
import java.util.Optional;

/**
 * A session with ZooKeeper, with all operations that coordination needs. Thread-safe. Methods may
 * block on the network, and fail if no answer comes in time; the operation may have taken effect
 * all the same.
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
   * Must not be called on ZooKeeper's own threads, because one of them delivers the answer.
   *
   * @throws CoordinationException if the server has not caught up; the next read may be old
   */
  void sync(String path) throws CoordinationException;

  /** The value of a node, which may be old; empty if the node does not exist or has no data. */
  Optional<Value> read(String path) throws CoordinationException;

  /**
   * Writes the value of a node that exists.
   *
   * @return the new version. Negative if {@code expected} is not the current one, which may be the
   *     result of this very write if its first answer was lost
   */
  int write(String path, byte[] data, int expected) throws CoordinationException;

  /** The names of a node's children, which may be old; none if it does not exist. */
  List<String> children(String path) throws CoordinationException;

  /**
   * Calls {@code whenChanged} when a node may have changed, also after a lost connection. Changes
   * may be skipped. The callback must not block.
   */
  Registration watch(String path, Runnable whenChanged);

  /**
   * Adds the entry of a live node, and adds it again whenever the session was lost.
   *
   * @throws CoordinationException if the name is in use, or ZooKeeper does not answer in time
   */
  Membership enter(NodeInfo node) throws CoordinationException;

  /** The place of a candidate, which has not entered the queue yet. */
  Latch latch(String candidate);

  /** Ends the session. */
  @Override
  void close();
}
