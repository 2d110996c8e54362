/**
 * The threads that encode and decode segments, on both ends of a shipment.
 *
 * <p>For programs that embed the library.
 */
@NullMarked
package io.drayage.codec.pool;

import org.jspecify.annotations.NullMarked;
