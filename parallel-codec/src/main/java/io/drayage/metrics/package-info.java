/**
 * What can be seen of an end from outside: {@link io.drayage.metrics.DrayageMetrics} counts, a
 * {@link io.drayage.metrics.MetricsSnapshot} is their state at a moment. Names and meanings are
 * listed in {@code docs/metrics.md}.
 *
 * <p>For programs that embed the library.
 */
@NullMarked
package io.drayage.metrics;

import org.jspecify.annotations.NullMarked;
