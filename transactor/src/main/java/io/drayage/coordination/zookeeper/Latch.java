package io.drayage.coordination.zookeeper;

import io.drayage.coordination.CoordinationException;
import java.util.List;
import java.util.concurrent.Executor;

/** A place in the queue of candidates, of whom the first leads. Thread-safe. */
interface Latch extends AutoCloseable {
  /**
   * Goes to the end of the queue.
   *
   * @param whenChanged run by {@code events} whenever {@link #leads} may have changed
   */
  void enter(Runnable whenChanged, Executor events) throws CoordinationException;

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
