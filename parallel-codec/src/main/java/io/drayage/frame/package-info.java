/**
 * Structures on the wire: the frame header, and the payload of each control frame. One class
 * describes each structure; {@code docs/wire-format.md} is the specification.
 *
 * <p>SPI: for authors of transports and codecs. Programs that embed the library need only {@link
 * io.drayage.frame.ShipmentException}, {@link io.drayage.frame.Fault}, {@link
 * io.drayage.frame.ShipmentHeader}, {@link io.drayage.frame.CommitOptions}, {@link
 * io.drayage.frame.Acknowledgement} and {@link io.drayage.frame.OnConflict}.
 */
@NullMarked
package io.drayage.frame;

import org.jspecify.annotations.NullMarked;
