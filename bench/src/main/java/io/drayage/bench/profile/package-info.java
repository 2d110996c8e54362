/**
 * {@code drayage profile}: records both ends of each system ({@link
 * io.drayage.bench.rig.RigProfiling}), says what the time of each went to ({@link
 * io.drayage.profiling.Shares}), and takes every suspect away alone ({@link
 * io.drayage.bench.profile.Experiment}).
 */
@NullMarked
package io.drayage.bench.profile;

import org.jspecify.annotations.NullMarked;
