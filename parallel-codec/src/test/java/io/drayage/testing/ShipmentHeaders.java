package io.drayage.testing;

import io.drayage.frame.CommitOptions;
import io.drayage.frame.ShipmentHeader;
import io.drayage.frame.ShipmentHeader.Pipeline;
import java.util.UUID;

/** Headers of shipments, of which a test states only the relevant fields. */
public final class ShipmentHeaders {
  private ShipmentHeaders() {}

  public static ShipmentHeader of(
      UUID transactionId,
      long baseSnapshot,
      Pipeline pipeline,
      int serializerId,
      int compressorId,
      String worker) {
    return new ShipmentHeader(
        transactionId,
        baseSnapshot,
        pipeline,
        serializerId,
        compressorId,
        CommitOptions.DEFAULT,
        worker);
  }
}
