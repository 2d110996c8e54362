package io.drayage.bench.peer;

import io.drayage.bench.child.StoredCargo;
import org.jspecify.annotations.Nullable;

/**
 * The job of a peer's process.
 *
 * @param cargo the worker's cargo; null for a transactor
 * @param host the address at which a transactor listens, an IP address; null for a worker
 */
public record PeerJob(PeerCodec codec, @Nullable StoredCargo cargo, @Nullable String host) {}
