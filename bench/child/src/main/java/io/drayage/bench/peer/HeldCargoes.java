package io.drayage.bench.peer;

import io.drayage.bench.child.ControlMessages.Applied;
import io.drayage.cargo.CargoDigest;
import io.drayage.cargo.ChangeCargo;
import java.util.ArrayList;
import java.util.List;

/**
 * The cargoes that a peer's transactor holds, by number. Stands where the store of a real one would
 * be: nothing is applied. Thread-safe.
 */
public final class HeldCargoes {
  private final Runnable whenHeld;

  /** Guarded by this. */
  private final List<ChangeCargo> cargoes = new ArrayList<>();

  /**
   * @param whenHeld called when a cargo is held
   */
  public HeldCargoes(Runnable whenHeld) {
    this.whenHeld = whenHeld;
  }

  /**
   * Takes a cargo that is whole and decoded.
   *
   * @return its number, from 1, which is to be told to the worker
   */
  public long hold(ChangeCargo cargo) {
    whenHeld.run();
    synchronized (this) {
      cargoes.add(cargo);
      return cargoes.size();
    }
  }

  /** Forgets them. */
  synchronized void reset() {
    cargoes.clear();
  }

  /** What has arrived since then, with digests that are computed now. */
  List<Applied> applied() {
    List<ChangeCargo> held = cargoes();
    List<Applied> applied = new ArrayList<>();
    for (ChangeCargo cargo : held) {
      applied.add(new Applied(applied.size() + 1, CargoDigest.of(cargo), null));
    }
    return applied;
  }

  /** Those that are held, in the order of their numbers. */
  public synchronized List<ChangeCargo> cargoes() {
    return List.copyOf(cargoes);
  }
}
