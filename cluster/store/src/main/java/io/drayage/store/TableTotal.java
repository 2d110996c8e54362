package io.drayage.store;

/**
 * The changes of all cargoes of a transaction in one table.
 *
 * @param deletedBits the most bits in one of them; {@link AppliedChanges#NO_DELETES} if none
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
