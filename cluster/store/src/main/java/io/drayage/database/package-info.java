/**
 * Values about a database: its identity, its first tables, positions in its log, the transactions
 * that it knows, the limits of open ones, and the way its snapshots are loaded.
 *
 * <p>For programs that embed the library.
 */
@NullMarked
package io.drayage.database;

import org.jspecify.annotations.NullMarked;
