/**
 * Profiling sessions of one end of a shipment, and what they say of it. A {@link
 * io.drayage.profiling.ProfilerSession} records, {@link io.drayage.profiling.Profile} is what was
 * recorded, {@link io.drayage.profiling.FrameRules} say what each sample was spent on.
 */
@NullMarked
package io.drayage.profiling;

import org.jspecify.annotations.NullMarked;
