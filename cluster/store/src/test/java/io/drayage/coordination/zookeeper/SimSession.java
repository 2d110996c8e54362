package io.drayage.coordination.zookeeper;

import io.drayage.coordination.CoordinationException;
import io.drayage.coordination.Membership;
import io.drayage.coordination.NodeInfo;
import io.drayage.coordination.NodeProgress;
import io.drayage.coordination.Registration;
import io.drayage.internal.DaemonThreads;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * A host's session: slow, behind the ensemble until it syncs, and late to learn. Answers get lost,
 * also of writes that took effect, some of which are then tried again, as Curator does it.
 */
public final class SimSession implements NodeTree {
  private static final int SLOWEST_MS = 5;
  private static final int TIMEOUT_MS = 1_000;
  private static final int SLOWEST_CLOSE_MS = 4_000;
  private static final int CUT_POLL_MS = 50;

  private final SimZooKeeper ensemble;
  private final SplittableRandom random;

  /** Plays ZooKeeper's event thread. */
  private final ExecutorService events =
      Executors.newSingleThreadExecutor(new DaemonThreads("zookeeper"));

  private final List<Watch> watches = new ArrayList<>();
  private final List<Entry> entries = new ArrayList<>();
  final List<SimLatch> latches = new ArrayList<>();

  /** The change of the ensemble that its server has seen. */
  private long seen;

  private boolean cut;
  private boolean over;
  private int lostPercent;

  private record Watch(String path, Runnable whenChanged) {}

  SimSession(SimZooKeeper ensemble, SplittableRandom random) {
    this.ensemble = ensemble;
    this.random = random;
  }

  /** Whether nothing comes through, and how many answers in a hundred are lost. */
  public void trouble(boolean isCut, int percent) {
    boolean heals = cut && !isCut;
    cut = isCut;
    lostPercent = percent;
    if (heals) {
      reconnect();
    }
  }

  /** Whoever watches is told. */
  private void reconnect() {
    later(() -> List.copyOf(watches).forEach(watch -> watch.whenChanged.run()));
  }

  /**
   * The ensemble gives it up; the host learns that when it gets through again, or before by its own
   * clock, and has another session then. The host goes on.
   */
  public void expire() {
    if (over) {
      return;
    }
    ensemble.expire(this);
    if (random.nextBoolean()) {
      events.execute(() -> List.copyOf(latches).forEach(SimLatch::lose));
    }
    later(
        () -> {
          List.copyOf(entries).forEach(Entry::enterAgain);
          List.copyOf(latches).forEach(SimLatch::enterAgain);
        });
    reconnect();
  }

  /** The host is gone. */
  public void end() {
    over = true;
    ensemble.expire(this);
    ensemble.forget(this);
  }

  /** On the event thread, some time later, once it gets through. */
  void later(Runnable task) {
    try {
      events.execute(
          () -> {
            learn();
            if (!over) {
              task.run();
            }
          });
    } catch (RejectedExecutionException e) {
      // Closed.
    }
  }

  private void learn() {
    try {
      Thread.sleep(random.nextInt(8) == 0 ? random.nextInt(1_000) : 1);
      while (cut && !over) {
        Thread.sleep(CUT_POLL_MS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  void ask() throws CoordinationException {
    sleep(random.nextInt(SLOWEST_MS));
    if (cut || over) {
      sleep(TIMEOUT_MS);
      throw new CoordinationException("no connection");
    }
    if (lost()) {
      throw noAnswer();
    }
  }

  /** As {@link #ask}, for an answer. */
  private boolean lost() {
    return random.nextInt(100) < lostPercent;
  }

  /** The connection was lost with it. */
  private CoordinationException noAnswer() throws CoordinationException {
    sleep(TIMEOUT_MS);
    reconnect();
    return new CoordinationException("no answer");
  }

  private static void sleep(int ms) throws CoordinationException {
    try {
      Thread.sleep(ms);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CoordinationException("interrupted", e);
    }
  }

  /** For what closes slowly, now and then. */
  void sleepToClose() {
    if (random.nextInt(8) == 0) {
      try {
        Thread.sleep(random.nextInt(SLOWEST_CLOSE_MS));
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }

  @Override
  public void ensure(String path) throws CoordinationException {
    ask();
    if (ensemble.node(path) == null) {
      ensemble.create(path, new byte[0], null);
    }
    if (lost()) {
      throw noAnswer();
    }
  }

  @Override
  public void sync(String path) throws CoordinationException {
    ask();
    seen = ensemble.changes;
  }

  @Override
  public Optional<Value> read(String path) throws CoordinationException {
    ask();
    SimZooKeeper.Node node = ensemble.node(path);
    if (node == null) {
      return Optional.empty();
    }
    if (node.change > seen && random.nextInt(4) == 0) {
      return present(node.before);
    }
    seen = Math.max(seen, node.change);
    return present(node.value);
  }

  private static Optional<Value> present(Value value) {
    return Optional.of(value).filter(found -> found.data().length > 0);
  }

  @Override
  public int write(String path, byte[] data, int expected) throws CoordinationException {
    ask();
    int made = writeOnce(path, data, expected);
    if (!lost()) {
      return made;
    }
    if (random.nextBoolean()) {
      throw noAnswer();
    }
    // Some time later it is tried again.
    sleep(random.nextInt(TIMEOUT_MS));
    return writeOnce(path, data, expected);
  }

  private int writeOnce(String path, byte[] data, int expected) throws CoordinationException {
    SimZooKeeper.Node node = ensemble.node(path);
    if (node == null) {
      throw new CoordinationException("no node " + path);
    }
    if (node.value.version() != expected) {
      return -1;
    }
    ensemble.set(path, node, data);
    seen = ensemble.changes;
    return node.value.version();
  }

  @Override
  public List<String> children(String path) throws CoordinationException {
    ask();
    return ensemble.children(path);
  }

  @Override
  public Registration watch(String path, Runnable whenChanged) {
    Watch watch = new Watch(path, whenChanged);
    watches.add(watch);
    return () -> watches.remove(watch);
  }

  /** Called by the ensemble. */
  void changed(String path) {
    for (Watch watch : List.copyOf(watches)) {
      if (watch.path.equals(path)) {
        later(watch.whenChanged);
      }
    }
  }

  @Override
  public Membership enter(NodeInfo node) throws CoordinationException {
    ask();
    Entry entry = new Entry(node);
    if (ensemble.node(entry.path) != null) {
      throw new CoordinationException("a node '%s' is there already".formatted(node.name()));
    }
    entry.enterAgain();
    entries.add(entry);
    return entry;
  }

  @Override
  public Latch latch(String candidate) {
    SimLatch latch = new SimLatch(ensemble, this, candidate);
    latches.add(latch);
    return latch;
  }

  @Override
  public void close() {
    end();
    events.shutdownNow();
  }

  private final class Entry implements Membership {
    private final NodeInfo node;
    private final String path;
    private NodeProgress progress = NodeProgress.UNKNOWN;
    private boolean closed;

    Entry(NodeInfo node) {
      this.node = node;
      this.path = ZooKeeperCoordination.NODES + "/" + node.name();
    }

    void enterAgain() {
      if (!closed) {
        ensemble.create(path, NodeText.of(node, progress), SimSession.this);
      }
    }

    @Override
    public void report(NodeProgress reached) {
      later(
          () -> {
            progress = reached;
            SimZooKeeper.@Nullable Node entered = ensemble.node(path);
            if (entered != null && entered.owner == SimSession.this) {
              ensemble.set(path, entered, NodeText.of(node, progress));
            }
          });
    }

    @Override
    public void close() {
      closed = true;
      later(() -> ensemble.remove(path, SimSession.this));
    }
  }
}
