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
 * What a {@link PipelineReceiver} is given for one shipment. Public as that is: for authors of
 * pipelines.
 *
 * @param header what the worker announced
 * @param serializer the serializer of the header
 * @param compressor the compressor of the header
 * @param maxCargoBytes the most memory that the cargo may take
 * @param memory is to be charged with what decompression and the cargo take, until the shipment is
 *     over
 * @param metrics counts what is decoded
 * @param outcome hears how receiving ends
 */
public record Reception(
    ShipmentHeader header,
    Serializer serializer,
    Compressor compressor,
    long maxCargoBytes,
    MemoryCharge memory,
    DrayageMetrics metrics,
    ReceptionListener outcome) {
  /** Hears how receiving goes; what comes after its end has no effect. Thread-safe. */
  public interface ReceptionListener {
    /** The number of the shipment. */
    long shipmentId();

    /**
     * A verified frame is part of the cargo. To be called for each but the seal, in the order in
     * which they are read, before {@link #received}: else what is recorded is not the cargo, and
     * the shipment fails. Does not block.
     *
     * @param frame only to be read, and retained by who keeps it
     */
    default void decoded(Lease frame) {}

    /** The cargo is complete and verified, and belongs to the receiver. Does not block. */
    void received(ChangeCargo cargo, Seal seal);

    /** The shipment cannot be received for this reason. */
    void failed(ShipmentException cause);
  }
}
