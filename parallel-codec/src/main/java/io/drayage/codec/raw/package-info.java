/** The plain form: little-endian values, copied in bulk. */
@NullMarked
package io.drayage.codec.raw;

import org.jspecify.annotations.NullMarked;
