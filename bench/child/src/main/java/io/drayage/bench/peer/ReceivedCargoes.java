package io.drayage.bench.peer;

import io.drayage.bench.child.ControlMessages.Applied;
import io.drayage.cargo.CargoDigest;
import io.drayage.cargo.ChangeCargo;
import java.util.ArrayList;
import java.util.List;

/**
 * The cargoes that a peer's transactor has received, by number. There is no store: nothing is
 * applied. Thread-safe.
 */
public final class ReceivedCargoes {
  private final Runnable whenReceived;

  /** Guarded by this. */
  private final List<ChangeCargo> cargoes = new ArrayList<>();

  /**
   * @param whenReceived called when a cargo is received
   */
  public ReceivedCargoes(Runnable whenReceived) {
    this.whenReceived = whenReceived;
  }

  /**
   * Adds a cargo that is complete and decoded.
   *
   * @return its number, from 1, which the worker must be given
   */
  public long add(ChangeCargo cargo) {
    whenReceived.run();
    synchronized (this) {
      cargoes.add(cargo);
      return cargoes.size();
    }
  }

  synchronized void reset() {
    cargoes.clear();
  }

  /** Returns the cargoes since the last reset, with digests that are computed now. */
  List<Applied> applied() {
    List<ChangeCargo> received = cargoes();
    List<Applied> applied = new ArrayList<>();
    for (ChangeCargo cargo : received) {
      applied.add(new Applied(applied.size() + 1, CargoDigest.of(cargo), null));
    }
    return applied;
  }

  /** Returns all cargoes, in the order of their numbers. */
  public synchronized List<ChangeCargo> cargoes() {
    return List.copyOf(cargoes);
  }
}
