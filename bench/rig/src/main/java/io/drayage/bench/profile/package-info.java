/**
 * {@code drayage profile}: records both ends of each system ({@link
 * io.drayage.bench.rig.RigProfiling}), attributes the time of each ({@link
 * io.drayage.profiling.Shares}), and removes every suspect alone ({@link
 * io.drayage.bench.profile.Experiment}).
 */
@NullMarked
package io.drayage.bench.profile;

import org.jspecify.annotations.NullMarked;
