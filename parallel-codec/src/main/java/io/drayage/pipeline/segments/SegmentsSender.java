package io.drayage.pipeline.segments;

import io.drayage.cargo.ChangeCargo;
import io.drayage.compressor.Compressor;
import io.drayage.frame.ShipmentException;
import io.drayage.frame.ShipmentHeader;
import io.drayage.memory.BufferPool;
import io.drayage.memory.ByteBudget;
import io.drayage.pipeline.CargoSender;
import io.drayage.pipeline.CodecPool;
import io.drayage.pipeline.SendReport;
import io.drayage.pipeline.ShipmentTimer;
import io.drayage.segment.FramePlan;
import io.drayage.segment.SegmentPlanner;
import io.drayage.serializer.Serializer;
import io.drayage.transport.Shipment;
import io.drayage.transport.TransportClient;

/**
 * Ships cargoes as independent segments, encoded by all threads of a codec pool at once.
 *
 * <p>Memory beyond the cargo is bounded: every frame is made in a leased buffer, and all leases of
 * this sender together are charged to one {@link ByteBudget}. A codec thread waits while it is used
 * up, which is how a slow wire or receiver slows the encoding down.
 */
public final class SegmentsSender implements CargoSender {
  /** Bytes of encoded segments that may wait for the wire. */
  public static final long BUDGET_BYTES = 8 << 20;

  private final TransportClient client;
  private final CodecPool pool;
  private final Serializer serializer;
  private final Compressor compressor;
  private final String worker;
  private final SegmentPlanner planner;
  private final BufferPool buffers;

  /**
   * A sender over {@code client}, which it owns and closes. The pool stays the caller's.
   *
   * @param worker names this sender in the transactor's messages
   */
  public SegmentsSender(
      TransportClient client,
      CodecPool pool,
      Serializer serializer,
      Compressor compressor,
      String worker) {
    this.client = client;
    this.pool = pool;
    this.serializer = serializer;
    this.compressor = compressor;
    this.worker = worker;
    int segmentBytes = SegmentPlanner.DEFAULT_SEGMENT_BYTES;
    this.planner = new SegmentPlanner(segmentBytes);
    // A quarter more: room for the validity bits of a segment of bytes, and for headers.
    this.buffers = new BufferPool(segmentBytes * 5 / 4, new ByteBudget(BUDGET_BYTES));
  }

  @Override
  public SendReport send(ChangeCargo cargo) throws ShipmentException, InterruptedException {
    ShipmentHeader header =
        new ShipmentHeader(
            cargo.transactionId(),
            cargo.baseSnapshot(),
            ShipmentHeader.Pipeline.SEGMENTS,
            serializer.id(),
            compressor.id(),
            worker);
    long requestedNs = System.nanoTime();
    try (Shipment shipment = client.open(header)) {
      ShipmentTimer timer = new ShipmentTimer(requestedNs);
      FramePlan plan = FramePlan.of(planner.plan(cargo), SegmentPlanner.DEFAULT_SEGMENT_BYTES);
      SegmentsEncoding encoding =
          new SegmentsEncoding(shipment, plan, cargo, serializer, compressor);
      encoding.encodeAll(pool, buffers);
      timer.markSerialized();
      encoding.seal(timer::markDrained);
      return timer.awaitCommit(shipment, encoding.arrivingSeal(), encoding.wireBytes());
    }
  }

  @Override
  public void close() {
    client.close();
  }
}
