/**
 * The throughput harness. A {@link io.drayage.bench.rig.Rig} drives one pair of child JVMs per
 * system, a worker and a transactor, by JSON lines over their standard streams. What is measured
 * happens in the children; nothing of the rig runs meanwhile but the sampler of their memory.
 */
@NullMarked
package io.drayage.bench.rig;

import org.jspecify.annotations.NullMarked;
