package io.drayage.coordination.zookeeper;

import io.drayage.coordination.CoordinationException;
import io.drayage.coordination.Registration;
import io.drayage.internal.DaemonThreads;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Watches the value of one node. Every event triggers a read after a sync, so that stale values of
 * a server that is behind are not reported. A value is reported if its order is higher than that of
 * the last one.
 */
final class ValueWatch<T> {
  private static final Logger LOG = System.getLogger(ValueWatch.class.getName());

  private final NodeTree tree;
  private final String path;
  private final NodeText.Parser<T> parser;
  private final ToLongFunction<T> order;

  /** Null when closed: ZooKeeper's client may know this for some time. */
  private volatile @Nullable Consumer<T> watcher;

  private final ExecutorService events =
      Executors.newSingleThreadExecutor(new DaemonThreads("watch"));

  /** Used only on the event thread. */
  private long told = Long.MIN_VALUE;

  private ValueWatch(
      NodeTree tree,
      String path,
      NodeText.Parser<T> parser,
      ToLongFunction<T> order,
      Consumer<T> watcher) {
    this.tree = tree;
    this.path = path;
    this.parser = parser;
    this.order = order;
    this.watcher = watcher;
  }

  static <T> Registration start(
      NodeTree tree,
      String path,
      NodeText.Parser<T> parser,
      ToLongFunction<T> order,
      Consumer<T> watcher) {
    ValueWatch<T> watch = new ValueWatch<>(tree, path, parser, order, watcher);
    Registration changes = tree.watch(path, watch::lookLater);
    watch.lookLater();
    return () -> {
      watch.stop();
      changes.close();
    };
  }

  private void lookLater() {
    try {
      events.execute(this::look);
    } catch (RejectedExecutionException e) {
      // Closed.
    }
  }

  private void look() {
    try {
      Optional<T> found = tree.latest(path, parser);
      Consumer<T> listening = watcher;
      if (listening != null && found.isPresent() && order.applyAsLong(found.get()) > told) {
        told = order.applyAsLong(found.get());
        listening.accept(found.get());
      }
    } catch (CoordinationException e) {
      // The next event or reconnect triggers another read.
      LOG.log(Level.DEBUG, "cannot look at {0}: {1}", path, e.getMessage());
    }
  }

  private void stop() {
    watcher = null;
    events.shutdownNow();
  }
}
