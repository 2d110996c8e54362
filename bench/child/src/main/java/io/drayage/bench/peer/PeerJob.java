package io.drayage.bench.peer;

import org.jspecify.annotations.Nullable;

/**
 * What a peer's process is for.
 *
 * @param cargoFile the file of the worker's cargo; null for a transactor, or if there is none
 * @param whyNoCargo why there is none, in a line; null if there is one
 * @param host the address at which a transactor listens, an IP address; null for a worker
 * @param maxCargoBytes raw bytes that it has at most
 */
public record PeerJob(
    PeerCodec codec,
    @Nullable String cargoFile,
    @Nullable String whyNoCargo,
    @Nullable String host,
    long maxCargoBytes) {}
