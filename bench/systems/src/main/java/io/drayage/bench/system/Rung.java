package io.drayage.bench.system;

/**
 * One step from the published system to the fastest.
 *
 * @param change the only difference from the rung that it is compared with
 * @param contender the system with this change; its name is the rung's
 * @param over the name of the rung that it is compared with; its own for the first
 */
public record Rung(String change, Contender contender, String over) {
  /** Returns the name in results. */
  public String name() {
    return contender.name();
  }

  /**
   * Whether a commit ends as the command says; if not, it is whole, and compared by its commits.
   */
  public boolean isShipmentAlone() {
    return contender.options().load() == null;
  }

  /** Whether it is the first, which is compared with no other. */
  public boolean isFirst() {
    return over.equals(name());
  }
}
