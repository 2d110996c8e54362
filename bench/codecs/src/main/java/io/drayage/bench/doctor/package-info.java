/**
 * {@code drayage doctor}: what this machine can and cannot do for the other commands.
 *
 * <p>Each group of {@link io.drayage.bench.doctor.Finding}s has its class; {@link
 * io.drayage.bench.doctor.Diagnosis} collects them and gives the verdict.
 */
@NullMarked
package io.drayage.bench.doctor;

import org.jspecify.annotations.NullMarked;
