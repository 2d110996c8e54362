package io.drayage.frame;

import static io.drayage.internal.Texts.format;

/**
 * The moment at which a transactor answers that a cargo has been committed. The numbers are frozen:
 * they travel to the transactor.
 */
public enum Acknowledgement {
  /**
   * The transactor has applied the cargo to its own memory, as in the study. A transactor that dies
   * before it publishes the snapshot loses the commit.
   */
  APPLIED(1),
  /** The snapshot is in the object store: any later primary publishes it. */
  STORED(2),
  /** The snapshot is the current one of the cluster. */
  PUBLISHED(3);

  private final int id;

  Acknowledgement(int id) {
    this.id = id;
  }

  /** The frozen number on the wire. */
  public int id() {
    return id;
  }

  static Acknowledgement ofId(int id) throws ShipmentException {
    return switch (id) {
      case 1 -> APPLIED;
      case 2 -> STORED;
      case 3 -> PUBLISHED;
      default ->
          throw new ShipmentException(
              Fault.BAD_FRAME, format("acknowledgement level %d is unknown", id));
    };
  }
}
