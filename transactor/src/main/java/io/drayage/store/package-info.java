/**
 * The transactor's database: an in-memory column store whose snapshots never change.
 *
 * <p>A {@link io.drayage.store.MemoryStore} applies a cargo to its current {@link
 * io.drayage.store.StoreSnapshot} and gets the next one, which shares every page that the cargo did
 * not touch with the one before. A snapshot has tables, a table has columns, a column is a list of
 * extents: one for the rows that were there at first, one for each cargo that inserted rows.
 */
@NullMarked
package io.drayage.store;

import org.jspecify.annotations.NullMarked;
