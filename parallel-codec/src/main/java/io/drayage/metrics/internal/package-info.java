/**
 * How pipelines of this project count frames and segments.
 *
 * <p>Internal: changes without notice.
 */
@NullMarked
package io.drayage.metrics.internal;

import org.jspecify.annotations.NullMarked;
