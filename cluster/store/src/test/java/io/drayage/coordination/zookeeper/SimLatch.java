package io.drayage.coordination.zookeeper;

import io.drayage.coordination.CoordinationException;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * A simulation of Curator's latch, which enters and leaves on its own. It learns late, or only
 * after the loss of its session, that it leads or does not lead.
 */
final class SimLatch implements Latch {
  private final SimZooKeeper ensemble;
  private final SimSession session;
  private final String name;
  private @Nullable Runnable first;
  private @Nullable Runnable lost;
  private @Nullable Executor events;
  private boolean entered;
  private boolean leads;
  private boolean closed;

  SimLatch(SimZooKeeper ensemble, SimSession session, String name) {
    this.ensemble = ensemble;
    this.session = session;
    this.name = name;
  }

  @Override
  public void enter(Runnable whenFirst, Runnable whenLost, Executor executor) {
    first = whenFirst;
    lost = whenLost;
    events = executor;
    if (!closed) {
      entered = true;
      session.later(this::arrive);
    }
  }

  private void arrive() {
    if (entered) {
      ensemble.enter(this);
    }
  }

  /** Called by the ensemble. */
  void becameFirst() {
    session.later(
        () -> {
          if (!ensemble.queue.isEmpty() && ensemble.queue.get(0) == this) {
            become(true);
          }
        });
  }

  private void become(boolean leader) {
    if (leads != leader) {
      leads = leader;
      tell();
    }
  }

  private void tell() {
    Runnable told = leads ? first : lost;
    Executor executor = events;
    if (told != null && executor != null) {
      try {
        executor.execute(told);
      } catch (RejectedExecutionException e) {
        // The candidacy is closed.
      }
    }
  }

  /** Records that the client believes its session to be lost. */
  void lose() {
    become(false);
  }

  /** Enters again with a new session. */
  void enterAgain() {
    become(false);
    arrive();
  }

  @Override
  public boolean leads() {
    return leads;
  }

  @Override
  public List<String> candidates() throws CoordinationException {
    session.ask();
    return ensemble.queue.stream().map(each -> each.name).toList();
  }

  @Override
  public void leave() {
    entered = false;
    become(false);
    session.later(() -> ensemble.leave(this)); // Also after it has entered again.
  }

  @Override
  public void close() {
    closed = true;
    session.sleepToClose();
    leave();
  }
}
