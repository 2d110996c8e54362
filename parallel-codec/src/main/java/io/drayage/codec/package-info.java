/**
 * Serializers and compressors: their interfaces, and their registry by name and number.
 *
 * <p>SPI: for authors of transports and codecs. Programs that embed the library need only {@link
 * io.drayage.codec.Serializers}, {@link io.drayage.codec.Compressors} and {@link
 * io.drayage.codec.CargoFile}.
 */
@NullMarked
package io.drayage.codec;

import org.jspecify.annotations.NullMarked;
