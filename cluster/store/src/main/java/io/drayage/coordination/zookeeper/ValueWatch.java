package io.drayage.coordination.zookeeper;

import io.drayage.coordination.CoordinationException;
import io.drayage.coordination.Registration;
import io.drayage.internal.DaemonThreads;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Watches the value of one node. Every event triggers a read after a sync, so that the stale values
 * of a server that is behind are not reported. A value is reported if its order is higher than that
 * of the value reported last.
 */
final class ValueWatch<T> {
  private static final Logger LOG = System.getLogger(ValueWatch.class.getName());

  private final NodeTree tree;
  private final NodeValue<T> value;

  /** Null when closed: a read may run meanwhile. */
  private volatile @Nullable Consumer<T> watcher;

  private final ExecutorService events =
      Executors.newSingleThreadExecutor(new DaemonThreads("watch"));

  /** Used only on the event thread. */
  private long told = Long.MIN_VALUE;

  private ValueWatch(NodeTree tree, NodeValue<T> value, Consumer<T> watcher) {
    this.tree = tree;
    this.value = value;
    this.watcher = watcher;
  }

  static <T> Registration start(NodeTree tree, NodeValue<T> value, Consumer<T> watcher) {
    ValueWatch<T> watch = new ValueWatch<>(tree, value, watcher);
    Registration changes = tree.watch(value.path(), watch::lookLater);
    watch.lookLater();
    return () -> {
      watch.stop();
      changes.close();
    };
  }

  private void lookLater() {
    DaemonThreads.execute(events, this::look);
  }

  private void look() {
    try {
      Optional<T> found = value.latest(tree);
      Consumer<T> listening = watcher;
      long order = found.isEmpty() ? told : value.order().applyAsLong(found.get());
      if (listening != null && order > told) {
        told = order;
        listening.accept(found.get());
      }
    } catch (CoordinationException e) {
      // The next event or reconnect triggers another read.
      LOG.log(Level.DEBUG, "cannot read {0}: {1}", value.path(), e.getMessage());
    }
  }

  private void stop() {
    watcher = null;
    events.shutdownNow();
  }
}
