/**
 * A worker as a node of a cluster: has its own copy of the database, commits transactions to
 * whichever transactor is primary, and loads what others commit.
 */
@NullMarked
package io.drayage.worker;

import org.jspecify.annotations.NullMarked;
