/**
 * The plain form: little-endian values, copied in bulk.
 *
 * <p>Internal: changes without notice.
 */
@NullMarked
package io.drayage.codec.raw;

import org.jspecify.annotations.NullMarked;
