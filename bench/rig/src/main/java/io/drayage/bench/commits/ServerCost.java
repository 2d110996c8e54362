package io.drayage.bench.commits;

import org.jspecify.annotations.Nullable;

/**
 * The use of the machine by a server since its start.
 *
 * @param cpuS CPU time of its processes
 * @param objects objects or files that it has written; null if not known
 * @param bytes bytes that it has written for its commits
 */
record ServerCost(double cpuS, @Nullable Long objects, long bytes) {}
