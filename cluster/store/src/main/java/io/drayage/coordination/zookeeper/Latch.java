package io.drayage.coordination.zookeeper;

import io.drayage.coordination.CoordinationException;
import java.util.List;
import java.util.concurrent.Executor;

/** A place in the queue of candidates, of whom the first leads. Thread-safe. */
interface Latch extends AutoCloseable {
  /**
   * Goes to the end of the queue.
   *
   * @param whenFirst run by {@code events} when it has become the first
   * @param whenLost run by {@code events} when it no longer was, in order with {@code whenFirst}:
   *     it may be the first again by then, and others may have been meanwhile
   */
  void enter(Runnable whenFirst, Runnable whenLost, Executor events) throws CoordinationException;

  /** Whether it is the first. */
  boolean leads();

  /** The names of all who are in the queue. */
  List<String> candidates() throws CoordinationException;

  /** Leaves the queue; it may enter again. */
  void leave();

  /** Leaves the queue for good. */
  @Override
  void close();
}
