package io.drayage.receive;

import io.drayage.cargo.ChangeCargo;
import io.drayage.codec.Compressor;
import io.drayage.codec.Serializer;
import io.drayage.frame.Seal;
import io.drayage.frame.ShipmentException;
import io.drayage.frame.ShipmentHeader;
import io.drayage.memory.Lease;
import io.drayage.memory.MemoryCharge;
import io.drayage.metrics.DrayageMetrics;

/**
 * The context of one shipment for a {@link PipelineReceiver}. Public for authors of pipelines.
 *
 * @param header the worker's announcement
 * @param serializer the serializer of the header
 * @param compressor the compressor of the header
 * @param maxCargoBytes maximum memory of the cargo in bytes
 * @param memory to be charged with the memory of decompression and of the cargo, until the shipment
 *     is over
 * @param metrics counts the decoding
 * @param outcome is notified of the end
 */
public record Reception(
    ShipmentHeader header,
    Serializer serializer,
    Compressor compressor,
    long maxCargoBytes,
    MemoryCharge memory,
    DrayageMetrics metrics,
    ReceptionListener outcome) {
  /** The listener for the progress. After the end, further calls have no effect. Thread-safe. */
  public interface ReceptionListener {
    /** The number of the shipment. */
    long shipmentId();

    /**
     * Records a verified frame of the cargo. Call this for each frame but the seal, in the order of
     * reading, before {@link #received}. Otherwise the recording differs from the cargo, and the
     * shipment fails. Does not block.
     *
     * @param frame only to be read; a callee that keeps the frame retains it
     */
    default void decoded(Lease frame) {}

    /** Passes on the complete, verified cargo, which the receiver owns then. Does not block. */
    void received(ChangeCargo cargo, Seal seal);

    /** Ends the shipment, which cannot be received for this reason. */
    void failed(ShipmentException cause);
  }
}
