/** Bytes to fewer bytes and back: one {@link io.drayage.compressor.Compressor} for each way. */
@NullMarked
package io.drayage.compressor;

import org.jspecify.annotations.NullMarked;
