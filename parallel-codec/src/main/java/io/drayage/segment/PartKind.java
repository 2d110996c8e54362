package io.drayage.segment;

import org.jspecify.annotations.Nullable;

/** What a part of a cargo is. The numbers are frozen. */
public enum PartKind {
  /** The values that inserted rows have in one column. */
  INSERTED_VALUES(1),
  /** The rows in which one column is updated. */
  UPDATED_ROWS(2),
  /** The new values of these rows; follows their {@link #UPDATED_ROWS}. */
  UPDATED_VALUES(3),
  /** The deleted rows of a table, a bit for each row. */
  DELETED_ROWS(4),
  /** The same as the ids of these rows, which ascend; where they are shorter. */
  DELETED_IDS(5);

  private final int id;

  PartKind(int id) {
    this.id = id;
  }

  /** The frozen number on the wire. */
  public int id() {
    return id;
  }

  /** Whether a part says which rows of its table are deleted; it is of no column. */
  boolean isDeletes() {
    return this == DELETED_ROWS || this == DELETED_IDS;
  }

  /** The kind with this number, or null. */
  static @Nullable PartKind ofId(int id) {
    for (PartKind kind : values()) {
      if (kind.id == id) {
        return kind;
      }
    }
    return null;
  }
}
