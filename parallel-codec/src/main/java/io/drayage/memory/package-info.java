/**
 * Borrowed buffers and bounded bytes: {@link io.drayage.memory.Lease}, {@link
 * io.drayage.memory.BufferPool} and the {@link io.drayage.memory.ByteBudget} they are charged to.
 *
 * <p>SPI: for authors of transports and codecs.
 */
@NullMarked
package io.drayage.memory;

import org.jspecify.annotations.NullMarked;
