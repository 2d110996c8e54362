package io.drayage.bench.commits;

import io.drayage.bench.rig.ChildException;
import java.io.IOException;

/** A running database whose commits are timed. Not thread-safe. */
interface CommitSystem extends AutoCloseable {
  String name();

  CommitTimings run(CommitLoad load) throws IOException, ChildException, InterruptedException;

  /** Lets the compilers of its processes finish what they have begun, and collects garbage. */
  default void quiesce() throws ChildException, InterruptedException {}

  ServerCost cost() throws IOException, ChildException, InterruptedException;

  @Override
  void close();
}
