package io.drayage.testing;

import io.drayage.codec.Compressors;
import io.drayage.codec.Serializers;
import io.drayage.codec.pool.CodecPool;
import io.drayage.frame.Seal;
import io.drayage.frame.ShipmentException;
import io.drayage.frame.ShipmentHeader;
import io.drayage.memory.Lease;
import io.drayage.metrics.DrayageMetrics;
import io.drayage.receive.internal.CargoIntake;
import io.drayage.receive.internal.SegmentsDecoding;
import io.drayage.segment.CargoSink;
import io.drayage.segment.Manifest;
import io.drayage.segment.internal.DigestingSink;
import io.drayage.transport.ShipmentAcceptor;
import io.drayage.transport.ShipmentHandler;
import io.drayage.transport.ShipmentReplies;

/** Receives cargoes in segments of any size, of which it keeps the digest of the last alone. */
public final class DigestingReceiver implements ShipmentAcceptor, AutoCloseable {
  private final CodecPool pool = new CodecPool(2, "decode");
  private volatile long digest;

  @Override
  public ShipmentHandler accept(ShipmentHeader header, ShipmentReplies replies)
      throws ShipmentException {
    return new SegmentsDecoding(
        header,
        Serializers.ofId(header.serializerId()),
        Compressors.ofId(header.compressorId()),
        pool,
        new Intake(replies),
        new DrayageMetrics());
  }

  /** Of the cargo that was received last. */
  public long digest() {
    return digest;
  }

  @Override
  public void close() {
    pool.close();
  }

  private final class Intake implements CargoIntake {
    private final ShipmentReplies replies;
    private volatile DigestingSink sink;

    private Intake(ShipmentReplies replies) {
      this.replies = replies;
    }

    @Override
    public long maxCargoBytes() {
      return Long.MAX_VALUE;
    }

    @Override
    public CargoSink open(Manifest manifest, Lease frame) throws ShipmentException {
      sink = new DigestingSink(manifest);
      return sink;
    }

    @Override
    public void received(Seal seal) {
      digest = sink.digest();
      replies.held(seal);
      replies.committed(1);
    }

    @Override
    public void failed(ShipmentException cause) {
      replies.failed(cause);
    }
  }
}
