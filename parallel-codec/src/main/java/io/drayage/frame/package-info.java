/**
 * What stands on the wire: the frame header, and the payload of each control frame. One class
 * describes each structure; {@code docs/wire-format.md} is the specification.
 *
 * <p>SPI: for authors of transports and codecs; programs that embed the library use {@link
 * io.drayage.frame.ShipmentException}, {@link io.drayage.frame.Fault}, {@link
 * io.drayage.frame.ShipmentHeader}, {@link io.drayage.frame.CommitOptions}, {@link
 * io.drayage.frame.Acknowledgement} and {@link io.drayage.frame.OnConflict} of it.
 */
@NullMarked
package io.drayage.frame;

import org.jspecify.annotations.NullMarked;
