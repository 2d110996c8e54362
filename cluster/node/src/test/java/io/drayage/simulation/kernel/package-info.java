/**
 * Runs classes on simulated threads, locks, clocks and random ids: one thread at a time, by seed.
 */
@NullMarked
package io.drayage.simulation.kernel;

import org.jspecify.annotations.NullMarked;
