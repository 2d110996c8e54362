package io.drayage.coordination.zookeeper;

import io.drayage.coordination.CoordinationException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import java.util.function.ToLongFunction;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.recipes.cache.CuratorCache;
import org.apache.curator.framework.recipes.cache.CuratorCacheListener;
import org.apache.curator.framework.state.ConnectionStateListener;

/**
 * Follows the value of one node. Whatever happens is only a reason to look: the value is read after
 * a sync, so that one from a server that is behind is not taken for news, and told if its order is
 * higher than that of the last one told.
 */
final class ValueWatch<T> {
  private static final Logger LOG = System.getLogger(ValueWatch.class.getName());

  /** Reads a value. */
  @FunctionalInterface
  interface Parser<T> {
    T parse(String path, byte[] data) throws CoordinationException;
  }

  private final CuratorFramework client;
  private final String path;
  private final Parser<T> parser;
  private final ToLongFunction<T> order;
  private final Consumer<T> watcher;
  private final CuratorCache cache;
  private final ExecutorService events =
      Executors.newSingleThreadExecutor(
          task -> {
            Thread thread = new Thread(task, "watch");
            thread.setDaemon(true);
            return thread;
          });
  private final ConnectionStateListener onConnection =
      (unused, state) -> {
        if (state.isConnected()) {
          lookLater();
        }
      };

  /** Only for the thread of the events. */
  private long told = Long.MIN_VALUE;

  private ValueWatch(
      CuratorFramework client,
      String path,
      Parser<T> parser,
      ToLongFunction<T> order,
      Consumer<T> watcher) {
    this.client = client;
    this.path = path;
    this.parser = parser;
    this.order = order;
    this.watcher = watcher;
    this.cache = CuratorCache.build(client, path, CuratorCache.Options.SINGLE_NODE_CACHE);
  }

  static <T> ValueWatch<T> start(
      CuratorFramework client,
      String path,
      Parser<T> parser,
      ToLongFunction<T> order,
      Consumer<T> watcher) {
    ValueWatch<T> watch = new ValueWatch<>(client, path, parser, order, watcher);
    watch
        .cache
        .listenable()
        .addListener(
            CuratorCacheListener.builder()
                .forAll((type, before, after) -> watch.lookLater())
                .build());
    client.getConnectionStateListenable().addListener(watch.onConnection);
    watch.cache.start();
    watch.lookLater();
    return watch;
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
      Curator.sync(client, path);
      Optional<Curator.Value> value = Curator.read(client, path);
      if (value.isPresent()) {
        T found = parser.parse(path, value.get().data());
        if (order.applyAsLong(found) > told) {
          told = order.applyAsLong(found);
          watcher.accept(found);
        }
      }
    } catch (CoordinationException e) {
      // The next event, or the next connection, looks again.
      LOG.log(Level.DEBUG, "cannot look at {0}: {1}", path, e.getMessage());
    }
  }

  void close() {
    client.getConnectionStateListenable().removeListener(onConnection);
    cache.close();
    events.shutdownNow();
  }
}
