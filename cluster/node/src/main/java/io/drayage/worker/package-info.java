/**
 * The worker node. It has a replica of the database, commits transactions to the primary, and loads
 * the commits of others.
 *
 * <p>For programs that embed the library.
 */
@NullMarked
package io.drayage.worker;

import org.jspecify.annotations.NullMarked;
