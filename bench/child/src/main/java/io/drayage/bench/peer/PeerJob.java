package io.drayage.bench.peer;

import org.jspecify.annotations.Nullable;

/**
 * What a peer's process is for.
 *
 * @param cargoFile the file of the worker's cargo; null for a transactor
 * @param host the address at which a transactor listens, an IP address; null for a worker
 * @param maxCargoBytes raw bytes that it has at most
 */
public record PeerJob(
    PeerCodec codec, @Nullable String cargoFile, @Nullable String host, long maxCargoBytes) {}
