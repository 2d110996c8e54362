package io.drayage.receive;

import io.drayage.frame.ShipmentHeader;
import io.drayage.transport.ShipmentHandler;

/**
 * Receives the shipments of a pipeline other than segments, which this library receives itself.
 * Found by {@link java.util.ServiceLoader}. Thread-safe.
 */
public interface PipelineReceiver {
  /** The pipeline of the shipments that this receives. */
  ShipmentHeader.Pipeline pipeline();

  /**
   * Begins to receive a shipment whose codecs are known and allowed.
   *
   * @return receives the frames of the shipment, owns each, and reports the outcome
   */
  ShipmentHandler receive(Reception reception);
}
