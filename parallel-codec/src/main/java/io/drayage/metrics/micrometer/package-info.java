/**
 * The binding to Micrometer, an optional dependency: nothing else here needs it.
 *
 * <p>For programs that embed the library.
 */
@NullMarked
package io.drayage.metrics.micrometer;

import org.jspecify.annotations.NullMarked;
