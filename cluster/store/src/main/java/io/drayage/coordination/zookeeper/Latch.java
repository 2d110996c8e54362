package io.drayage.coordination.zookeeper;

import io.drayage.coordination.CoordinationException;
import java.util.List;
import java.util.concurrent.Executor;

/** A place in the queue of candidates, the first of which leads. Thread-safe. */
interface Latch extends AutoCloseable {
  /**
   * Goes to the end of the queue.
   *
   * @param whenFirst run by {@code events} when this place has become the first
   * @param whenLost run by {@code events} when this place is no longer the first, in order with
   *     {@code whenFirst}. By then this place may be the first again, after others
   */
  void enter(Runnable whenFirst, Runnable whenLost, Executor events) throws CoordinationException;

  /** Whether this place is the first. */
  boolean leads();

  /** The names of all candidates in the queue. */
  List<String> candidates() throws CoordinationException;

  /** Leaves the queue. {@link #enter} may follow. */
  void leave();

  /** Leaves the queue for ever. */
  @Override
  void close();
}
