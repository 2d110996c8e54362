package io.drayage.bench.rig;

import org.jspecify.annotations.Nullable;

/**
 * How a cargo is shipped that need not fit into memory: the worker makes its pages on demand, the
 * transactor stages its segments.
 *
 * @param stageFolder where the transactor stages the cargo; null to decode, digest and drop it
 */
public record Streaming(@Nullable String stageFolder) {}
