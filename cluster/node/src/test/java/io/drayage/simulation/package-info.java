/** Whole clusters in simulated time, under faults, each from a seed. */
@NullMarked
package io.drayage.simulation;

import org.jspecify.annotations.NullMarked;
