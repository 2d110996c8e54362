/**
 * What serializers and compressors have in common: a name, a number, a registry.
 *
 * <p>SPI: for authors of transports and codecs; programs that embed the library use {@link
 * io.drayage.codec.Serializers}, {@link io.drayage.codec.Compressors} and {@link
 * io.drayage.codec.CargoFile} of it.
 */
@NullMarked
package io.drayage.codec;

import org.jspecify.annotations.NullMarked;
