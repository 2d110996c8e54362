/**
 * {@code drayage doctor}: what this machine can and cannot do for the other commands.
 *
 * <p>Each group of {@link io.drayage.bench.doctor.Finding}s comes from a class of its own; {@link
 * io.drayage.bench.doctor.Diagnosis} puts them together and comes to a verdict.
 */
@NullMarked
package io.drayage.bench.doctor;

import org.jspecify.annotations.NullMarked;
