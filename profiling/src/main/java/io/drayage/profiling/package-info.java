/**
 * Profiling sessions of one end of a shipment, and their analysis. A {@link
 * io.drayage.profiling.ProfilerSession} records, {@link io.drayage.profiling.Profile} is what was
 * recorded, {@link io.drayage.profiling.FrameRules} attribute each sample.
 */
@NullMarked
package io.drayage.profiling;

import org.jspecify.annotations.NullMarked;
