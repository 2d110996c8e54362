/**
 * The worker's end of a shipment: a {@link io.drayage.send.CargoSender} plans a cargo into
 * segments, encodes them on a codec pool and offers the frames to a transport.
 *
 * <p>For programs that embed the library.
 */
@NullMarked
package io.drayage.send;

import org.jspecify.annotations.NullMarked;
