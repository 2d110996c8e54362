package io.drayage.bench.link;

import org.jspecify.annotations.Nullable;

/**
 * How a link was made, as it stands in results. Over loopback, all but the cores is null.
 *
 * @param rateBitsPerSecond what the token bucket at every end of it lets through, with the headers
 *     of IP and Ethernet
 * @param transactorRateBitsPerSecond the same of the transactor's link, if several workers meet at
 *     a switch
 * @param burstBytes what a token bucket lets through at once
 * @param queue how long packets may wait at a token bucket before others are dropped
 * @param mtuBytes the largest IP packet
 * @param congestionControl of TCP, on all hosts
 * @param topology {@code direct}: one worker and the transactor; {@code switch}: all have a link of
 *     their own to a switch
 * @param offloads what the network devices leave to each other, as the kernel tells it
 * @param workerCores the cores of all workers; null if they are not pinned
 * @param transactorCores the cores of the transactor; null if it is not pinned
 */
public record LinkFacts(
    @Nullable Long rateBitsPerSecond,
    @Nullable Long transactorRateBitsPerSecond,
    @Nullable Long burstBytes,
    @Nullable String queue,
    @Nullable Integer mtuBytes,
    @Nullable String congestionControl,
    @Nullable String topology,
    @Nullable String offloads,
    @Nullable String workerCores,
    @Nullable String transactorCores) {}
