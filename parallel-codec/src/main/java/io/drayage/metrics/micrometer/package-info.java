/**
 * The binding to Micrometer, which is an optional dependency: no other package needs it.
 *
 * <p>For programs that embed the library.
 */
@NullMarked
package io.drayage.metrics.micrometer;

import org.jspecify.annotations.NullMarked;
