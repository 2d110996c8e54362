package io.drayage.bench.link;

import org.jspecify.annotations.Nullable;

/**
 * The facts about a link in results. Over loopback, all except the cores is null.
 *
 * @param rateBitsPerSecond the rate of the token bucket at every end of the link, with the headers
 *     of IP and Ethernet
 * @param transactorRateBitsPerSecond the rate of the transactor's link, if several workers are
 *     connected by a switch
 * @param burstBytes bytes that a token bucket lets pass at once
 * @param queue the longest time that packets wait at a token bucket before others are dropped
 * @param mtuBytes the largest IP packet
 * @param congestionControl of TCP, on all hosts
 * @param topology {@code direct}: one worker and the transactor; {@code switch}: all have a link of
 *     their own to a switch
 * @param offloads the offloads of the network devices, as the kernel reports them
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
