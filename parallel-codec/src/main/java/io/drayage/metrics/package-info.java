/**
 * Metrics of one end: {@link io.drayage.metrics.DrayageMetrics} counts, and a {@link
 * io.drayage.metrics.MetricsSnapshot} is the state of the counters at a moment. {@code
 * docs/metrics.md} lists names and meanings.
 *
 * <p>For programs that embed the library.
 */
@NullMarked
package io.drayage.metrics;

import org.jspecify.annotations.NullMarked;
