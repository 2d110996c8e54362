package io.drayage.store;

/**
 * What the cargoes of a transaction did in one table, together.
 *
 * @param deletedBits the most that one of them has; {@link AppliedChanges#NO_DELETES} if none
 */
record TableTotal(TableFootprint touched, boolean inserts, long deletedBits) {
  TableTotal plus(TableTotal next) {
    return new TableTotal(
        touched.plus(next.touched),
        inserts || next.inserts,
        Math.max(deletedBits, next.deletedBits));
  }

  TableTotal withRowsBefore(long rows) {
    return new TableTotal(
        new TableFootprint(rows, touched.updated(), touched.deleted()), inserts, deletedBits);
  }
}
