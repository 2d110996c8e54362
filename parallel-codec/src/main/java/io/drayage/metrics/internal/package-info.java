/** How pipelines of this project count frames and segments. */
@NullMarked
package io.drayage.metrics.internal;

import org.jspecify.annotations.NullMarked;
