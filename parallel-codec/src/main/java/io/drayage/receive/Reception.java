package io.drayage.receive;

import io.drayage.cargo.ChangeCargo;
import io.drayage.codec.Compressor;
import io.drayage.codec.MemoryCharge;
import io.drayage.codec.Serializer;
import io.drayage.frame.ShipmentHeader;
import io.drayage.metrics.DrayageMetrics;
import io.drayage.transport.ShipmentReplies;
import java.util.function.Consumer;

/**
 * What a {@link PipelineReceiver} is given for one shipment.
 *
 * @param header what the worker announced
 * @param serializer the serializer of the header
 * @param compressor the compressor of the header
 * @param maxCargoBytes the most memory that the cargo may take
 * @param memory is charged with what decompression takes, until the shipment is over
 * @param replies where the shipment is answered: received, or failed
 * @param metrics counts what is decoded
 * @param whenReceived gets a cargo that is complete and verified, after {@link
 *     ShipmentReplies#held}; must not block for long
 */
public record Reception(
    ShipmentHeader header,
    Serializer serializer,
    Compressor compressor,
    long maxCargoBytes,
    MemoryCharge memory,
    ShipmentReplies replies,
    DrayageMetrics metrics,
    Consumer<ChangeCargo> whenReceived) {}
