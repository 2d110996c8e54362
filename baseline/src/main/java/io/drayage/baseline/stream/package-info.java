/**
 * The published pipeline, and the baseline of every comparison: one thread serializes the cargo
 * into a byte stream, which is cut into chunks of 63 kB; one thread sends them; one thread on the
 * other side deserializes them.
 *
 * <pre>
 *   worker       serializer -> compressor -> ChunkOutputStream -> TransferQueue -> Shipment
 *   transactor   ShipmentHandler -> ReceiveQueue -> ChunkInputStream -> decompressor -> deserializer
 * </pre>
 */
@NullMarked
package io.drayage.baseline.stream;

import org.jspecify.annotations.NullMarked;
