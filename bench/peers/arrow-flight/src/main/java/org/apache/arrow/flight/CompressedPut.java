package org.apache.arrow.flight;

import org.apache.arrow.flight.FlightClient.ClientStreamListener;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.VectorUnloader;
import org.apache.arrow.vector.compression.CompressionCodec;

/**
 * Has a put compress the bodies of its record batches. The format has a place for that, and Flight
 * reads it; but it writes them by an unloader of its own, without a codec, and has no option for
 * another.
 */
public final class CompressedPut {
  private CompressedPut() {}

  /**
   * Compresses what is put from now on.
   *
   * @param put was started with {@code root}
   */
  public static void use(ClientStreamListener put, VectorSchemaRoot root, CompressionCodec codec) {
    ((OutboundStreamListenerImpl) put).unloader = new VectorUnloader(root, true, codec, true);
  }
}
