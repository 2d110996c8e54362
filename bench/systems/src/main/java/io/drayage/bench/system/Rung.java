package io.drayage.bench.system;

/**
 * One step from the published system to the fastest.
 *
 * @param change what is different from the rung that it is compared with, and nothing else is
 * @param contender the system with this change; its name is the rung's
 * @param over the name of the rung that it is compared with; its own for the first
 */
public record Rung(String change, Contender contender, String over) {
  /** What results call it. */
  public String name() {
    return contender.name();
  }

  /**
   * Whether a commit goes no further than the command says; if not, it is whole, and compared by
   * its commits.
   */
  public boolean isShipmentAlone() {
    return contender.options().load() == null;
  }

  /** Whether it is compared with nothing. */
  public boolean isFirst() {
    return over.equals(name());
  }
}
