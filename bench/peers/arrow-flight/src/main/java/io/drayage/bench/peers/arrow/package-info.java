/**
 * Apache Arrow Flight: every part of a cargo is put as a stream of record batches, and copied from
 * arrays and into arrays again.
 */
@NullMarked
package io.drayage.bench.peers.arrow;

import org.jspecify.annotations.NullMarked;
