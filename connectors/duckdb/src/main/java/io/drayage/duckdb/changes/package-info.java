/** Committed changes as a stream of Arrow's, in a file or to a reader. See docs/cluster.md. */
@NullMarked
package io.drayage.duckdb.changes;

import org.jspecify.annotations.NullMarked;
