package io.drayage.coordination.zookeeper;

import io.drayage.coordination.CoordinationException;
import io.drayage.coordination.Membership;
import io.drayage.coordination.NodeInfo;
import io.drayage.coordination.NodeProgress;
import io.drayage.coordination.Registration;
import io.drayage.internal.DaemonThreads;
import io.drayage.internal.Waits;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * The session of a host: slow, behind the ensemble until it syncs, and late to learn. Answers get
 * lost, also those of writes that had an effect; some are tried again, as by Curator.
 */
public final class SimSession implements NodeTree {
  private static final int SLOWEST_MS = 5;
  private static final int TIMEOUT_MS = 1_000;
  private static final int SLOWEST_CLOSE_MS = 4_000;
  private static final int CUT_POLL_MS = 50;

  private final SimZooKeeper ensemble;
  private final SplittableRandom random;

  /** The simulation of ZooKeeper's event thread. */
  private final ExecutorService events =
      Executors.newSingleThreadExecutor(new DaemonThreads("zookeeper"));

  private final List<Watch> watches = new ArrayList<>();
  private final List<Entry> entries = new ArrayList<>();
  final List<SimLatch> latches = new ArrayList<>();

  /** The number of the newest change that its server has seen. */
  private long seen;

  private boolean cut;
  private boolean over;
  private int lostPercent;

  private record Watch(String path, Runnable whenChanged) {}

  SimSession(SimZooKeeper ensemble, SplittableRandom random) {
    this.ensemble = ensemble;
    this.random = random;
  }

  /** Sets whether the connection is cut, and the percentage of lost answers. */
  public void trouble(boolean isCut, int percent) {
    boolean heals = cut && !isCut;
    cut = isCut;
    lostPercent = percent;
    if (heals) {
      reconnect();
    }
  }

  /** Notifies all watchers. */
  private void reconnect() {
    later(() -> List.copyOf(watches).forEach(watch -> watch.whenChanged.run()));
  }

  /**
   * Expires the session at the ensemble; the host goes on. The host notices it when its connection
   * works again, or earlier by its own clock, and then has another session.
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

  /** Ends the host. */
  public void end() {
    over = true;
    ensemble.expire(this);
    ensemble.forget(this);
  }

  /** Runs a task on the event thread, some time later, once the connection works. */
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
    Waits.orInterrupted(
        () -> {
          Thread.sleep(random.nextInt(8) == 0 ? random.nextInt(1_000) : 1);
          while (cut && !over) {
            Thread.sleep(CUT_POLL_MS);
          }
        });
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

  /** Decides at random whether an answer is lost. */
  private boolean lost() {
    return random.nextInt(100) < lostPercent;
  }

  /** Returns the failure of a lost answer. The connection is lost with it. */
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

  /** Sleeps now and then, for objects that close slowly. */
  void sleepToClose() {
    if (random.nextInt(8) == 0) {
      Waits.orInterrupted(() -> Thread.sleep(random.nextInt(SLOWEST_CLOSE_MS)));
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
    // The write is tried again some time later.
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
