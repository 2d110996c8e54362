package org.apache.arrow.flight;

import org.apache.arrow.flight.FlightClient.ClientStreamListener;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.VectorUnloader;
import org.apache.arrow.vector.compression.CompressionCodec;

/**
 * Compresses the bodies of a put's record batches. The format allows this, and Flight can read it.
 * But Flight writes them by an internal unloader without a codec, and has no option for another
 * one.
 */
public final class CompressedPut {
  private CompressedPut() {}

  /**
   * Compresses the later batches.
   *
   * @param put was started with {@code root}
   */
  public static void use(ClientStreamListener put, VectorSchemaRoot root, CompressionCodec codec) {
    ((OutboundStreamListenerImpl) put).unloader = new VectorUnloader(root, true, codec, true);
  }
}
