/** The binding to Micrometer, an optional dependency: nothing else here needs it. */
@NullMarked
package io.drayage.metrics.micrometer;

import org.jspecify.annotations.NullMarked;
