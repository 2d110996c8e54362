package io.drayage.frame;

import static io.drayage.internal.Texts.format;

/**
 * When a transactor is to answer that a cargo has been committed. The numbers are frozen: they
 * travel to the transactor.
 */
public enum Acknowledgement {
  /**
   * When the transactor has applied it to its own memory, as the study did. A transactor that dies
   * before the snapshot is published loses the commit.
   */
  APPLIED(1),
  /** When the snapshot is in the object store: any later primary publishes it. */
  STORED(2),
  /** When the snapshot is the current one of the cluster. */
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
