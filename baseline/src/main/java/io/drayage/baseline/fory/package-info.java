/** Apache Fory: arrays and strings copied as memory. */
@NullMarked
package io.drayage.baseline.fory;

import org.jspecify.annotations.NullMarked;
