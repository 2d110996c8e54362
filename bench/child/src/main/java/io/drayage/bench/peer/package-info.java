/**
 * What a system of others must do to take part in a comparison: ship a cargo from one process, and
 * hold it in another. Its main class hands a {@link io.drayage.bench.peer.Peer} to {@link
 * io.drayage.bench.peer.PeerProcess}, which does the rest.
 */
@NullMarked
package io.drayage.bench.peer;

import org.jspecify.annotations.NullMarked;
