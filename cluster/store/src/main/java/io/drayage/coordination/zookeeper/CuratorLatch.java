package io.drayage.coordination.zookeeper;

import io.drayage.coordination.CoordinationException;
import java.util.List;
import java.util.concurrent.Executor;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.recipes.leader.LeaderLatch;
import org.apache.curator.framework.recipes.leader.LeaderLatchListener;
import org.apache.curator.framework.recipes.leader.Participant;
import org.jspecify.annotations.Nullable;

/** A {@link Latch} that uses Curator's recipe. */
final class CuratorLatch implements Latch {
  private final CuratorFramework client;
  private final String name;

  /** Guarded by this; {@code closed} likewise. */
  private @Nullable LeaderLatch latch;

  private boolean closed;

  /**
   * @param name of the candidate
   */
  CuratorLatch(CuratorFramework client, String name) {
    this.client = client;
    this.name = name;
  }

  @Override
  public void enter(Runnable whenFirst, Runnable whenLost, Executor events)
      throws CoordinationException {
    LeaderLatch entered = new LeaderLatch(client, ZooKeeperCoordination.ELECTION, name);
    entered.addListener(
        new LeaderLatchListener() {
          @Override
          public void isLeader() {
            whenFirst.run();
          }

          @Override
          public void notLeader() {
            whenLost.run();
          }
        },
        events);
    if (use(entered)) {
      Curator.call(
          "stand for election",
          () -> {
            entered.start();
            return name;
          });
    }
    if (isClosed()) {
      Curator.close(entered);
    }
  }

  private synchronized boolean use(LeaderLatch entered) {
    latch = entered;
    return !closed;
  }

  private synchronized boolean isClosed() {
    return closed;
  }

  private synchronized @Nullable LeaderLatch latch() {
    return latch;
  }

  @Override
  public boolean leads() {
    LeaderLatch entered = latch();
    return entered != null && entered.hasLeadership();
  }

  @Override
  public List<String> candidates() throws CoordinationException {
    LeaderLatch entered = latch();
    return entered == null
        ? List.of()
        : Curator.call(
            "list the candidates",
            () -> entered.getParticipants().stream().map(Participant::getId).toList());
  }

  @Override
  public void leave() {
    LeaderLatch entered = latch();
    if (entered != null) {
      Curator.close(entered);
    }
  }

  @Override
  public void close() {
    synchronized (this) {
      closed = true;
    }
    leave();
  }
}
