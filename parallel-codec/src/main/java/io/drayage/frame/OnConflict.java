package io.drayage.frame;

import static io.drayage.internal.Texts.format;

/**
 * The reaction to a conflict: a cargo changes cells or rows that another transaction has changed
 * since the cargo's base snapshot. The numbers are frozen: they travel to the transactor.
 */
public enum OnConflict {
  /** The first committer wins: the cargo is refused with {@link Fault#CONFLICT}. */
  REJECT(1),
  /** The last committer wins. A row that another transaction deleted stays deleted. */
  OVERWRITE(2);

  private final int id;

  OnConflict(int id) {
    this.id = id;
  }

  /** The frozen number on the wire. */
  public int id() {
    return id;
  }

  static OnConflict ofId(int id) throws ShipmentException {
    return switch (id) {
      case 1 -> REJECT;
      case 2 -> OVERWRITE;
      default ->
          throw new ShipmentException(
              Fault.BAD_FRAME, format("conflict handling %d is unknown", id));
    };
  }
}
