/**
 * The transactor's database: an in-memory column store whose snapshots never change.
 *
 * <p>A {@link io.drayage.store.MemoryStore} applies a cargo to its current {@link
 * io.drayage.store.StoreSnapshot} and gets the next one. The next snapshot shares every page that
 * the cargo did not touch with the one before. The parts of a snapshot are in {@link
 * io.drayage.store.column}. A {@link io.drayage.store.Transaction} collects changes for a cargo.
 *
 * <p>For programs that embed the library.
 */
@NullMarked
package io.drayage.store;

import org.jspecify.annotations.NullMarked;
