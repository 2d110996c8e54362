package io.drayage.codec;

import static io.drayage.internal.Texts.format;

import io.drayage.frame.Fault;
import io.drayage.frame.ShipmentException;
import org.jspecify.annotations.Nullable;

/** The decompression of one segment to its stated size; makes the errors about it. */
record Decompression(String compressor, int compressedBytes, int expectedBytes) {
  ShipmentException failed(String reason, @Nullable Throwable cause) {
    String message =
        format(
            "%,d bytes of %s do not decompress to %,d bytes: %s",
            compressedBytes, compressor, expectedBytes, reason);
    return cause == null
        ? new ShipmentException(Fault.DECODE, message)
        : new ShipmentException(Fault.DECODE, message, cause);
  }

  void requireAll(int bytes) throws ShipmentException {
    if (bytes != expectedBytes) {
      throw failed(format("the data ends after %,d", bytes), null);
    }
  }
}
