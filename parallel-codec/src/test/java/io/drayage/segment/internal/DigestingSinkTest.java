package io.drayage.segment.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.cargo.CargoDigest;
import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.ColumnType;
import io.drayage.cargo.RandomCargo;
import io.drayage.codec.Compressors;
import io.drayage.codec.Serializers;
import io.drayage.codec.pool.CodecPool;
import io.drayage.frame.Fault;
import io.drayage.frame.FrameHeader;
import io.drayage.frame.Seal;
import io.drayage.frame.ShipmentException;
import io.drayage.frame.ShipmentHeader;
import io.drayage.memory.Lease;
import io.drayage.metrics.DrayageMetrics;
import io.drayage.receive.internal.CargoIntake;
import io.drayage.receive.internal.SegmentsDecoding;
import io.drayage.segment.CargoSink;
import io.drayage.segment.Manifest;
import io.drayage.testing.CargoBytes;
import io.drayage.testing.WireFrames;
import io.drayage.transport.RecordingReplies;
import io.drayage.transport.ShipmentAcceptor;
import io.drayage.transport.ShipmentHandler;
import io.drayage.transport.ShipmentReplies;
import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class DigestingSinkTest {
  private static final ChangeCargo CARGO = RandomCargo.of(1, 100_000);

  private final DigestingReceiver receiver = new DigestingReceiver();
  private final RecordingReplies replies = new RecordingReplies(7);

  @AfterEach
  void close() {
    receiver.close();
  }

  @Test
  void hasTheDigestOfTheCargo() throws Exception {
    receive(CARGO, CargoBytes.framesOf(CARGO));
    replies.whenCommitted().get();
    assertThat(receiver.digest()).isEqualTo(CargoDigest.of(CARGO));
  }

  @Test
  void takesSeveralSegmentsInAFrame() throws Exception {
    receive(CARGO, CargoBytes.gatheredFramesOf(CARGO));
    replies.whenCommitted().get();
    assertThat(receiver.digest()).isEqualTo(CargoDigest.of(CARGO));
  }

  @Test
  void namesUndecodableSegmentWithItsOwnRows() throws Exception {
    ChangeCargo longs = CargoBytes.cargoOf(RandomCargo.column(1, ColumnType.LONG, 200_000, false));
    List<ByteBuffer> frames = CargoBytes.framesOf(longs);
    ByteBuffer segment = frames.get(2);
    segment.limit(segment.limit() - 8);
    segment.putInt(FrameHeader.BYTES + 8, segment.limit() - FrameHeader.BYTES - 16);
    WireFrames.mended(segment);
    receive(longs, frames);
    ShipmentException failure = replies.whenFailed().get();
    assertThat(failure.fault()).isEqualTo(Fault.DECODE);
    assertThat(failure)
        .hasMessageContaining("segment 1 (inserted values of t.c, rows 131,072 to 199,999) has");
  }

  private void receive(ChangeCargo cargo, List<ByteBuffer> frames) throws ShipmentException {
    ShipmentHandler handler = receiver.accept(CargoBytes.headerOf(cargo), replies);
    frames.forEach(frame -> handler.onFrame(Lease.ofHeap(frame)));
  }

  /** Receives cargoes in segments of any size, and keeps only the digest of the last cargo. */
  private static final class DigestingReceiver implements ShipmentAcceptor, AutoCloseable {
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

    /** The digest of the last received cargo. */
    long digest() {
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
}
