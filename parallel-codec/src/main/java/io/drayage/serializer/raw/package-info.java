/** The plain form: little-endian values, copied in bulk. */
@NullMarked
package io.drayage.serializer.raw;

import org.jspecify.annotations.NullMarked;
