/** Apache Fory: arrays and strings copied as memory. */
@NullMarked
package io.drayage.serializer.fory;

import org.jspecify.annotations.NullMarked;
