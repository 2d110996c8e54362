package io.drayage.segment;

import org.jspecify.annotations.Nullable;

/** The kinds of parts of a cargo. The numbers are frozen. */
public enum PartKind {
  /** The values of inserted rows in one column. */
  INSERTED_VALUES(1),
  /** The rows in which one column is updated. */
  UPDATED_ROWS(2),
  /** The new values of these rows; follows their {@link #UPDATED_ROWS}. */
  UPDATED_VALUES(3),
  /** The deleted rows of a table, a bit for each row. */
  DELETED_ROWS(4),
  /** The deleted rows of a table as ascending ids, if these are shorter. */
  DELETED_IDS(5);

  private final int id;

  PartKind(int id) {
    this.id = id;
  }

  /** The frozen number on the wire. */
  public int id() {
    return id;
  }

  /** Whether a part states deleted rows of its table. Such a part belongs to no column. */
  boolean isDeletes() {
    return this == DELETED_ROWS || this == DELETED_IDS;
  }

  /** Returns the kind with this number, or null. */
  static @Nullable PartKind ofId(int id) {
    for (PartKind kind : values()) {
      if (kind.id == id) {
        return kind;
      }
    }
    return null;
  }
}
