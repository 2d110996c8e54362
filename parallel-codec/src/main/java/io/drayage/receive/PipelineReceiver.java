package io.drayage.receive;

import io.drayage.frame.ShipmentHeader;
import io.drayage.transport.ShipmentHandler;

/**
 * Receives the shipments of a pipeline other than segments, which this library receives itself.
 * Found by {@link java.util.ServiceLoader}. Thread-safe.
 */
public interface PipelineReceiver {
  /** The pipeline whose shipments this receives. */
  ShipmentHeader.Pipeline pipeline();

  /**
   * Begins to receive a shipment whose codecs are known and allowed.
   *
   * @return gets the frames of the shipment; owns each, and tells the outcome
   */
  ShipmentHandler receive(Reception reception);
}
