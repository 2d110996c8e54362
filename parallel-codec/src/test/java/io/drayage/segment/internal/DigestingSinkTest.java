package io.drayage.segment.internal;

import static io.drayage.testing.Refusals.assertFault;
import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.cargo.CargoDigest;
import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.ColumnType;
import io.drayage.cargo.RandomCargo;
import io.drayage.frame.Fault;
import io.drayage.frame.FrameHeader;
import io.drayage.frame.ShipmentException;
import io.drayage.segment.ManifestCodec;
import io.drayage.testing.CargoBytes;
import io.drayage.testing.WireFrames;
import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.Test;

final class DigestingSinkTest {
  private static final ChangeCargo CARGO = RandomCargo.of(1, 100_000);

  /** Decodes all segments, on several threads. */
  private static long digestOf(List<ByteBuffer> frames) throws ShipmentException {
    DigestingSink sink = sinkOf(frames);
    frames.subList(1, frames.size() - 1).parallelStream()
        .forEach(
            frame -> {
              try {
                CargoBytes.decode(frame, sink);
              } catch (ShipmentException e) {
                throw new AssertionError(e);
              }
            });
    return sink.digest();
  }

  private static DigestingSink sinkOf(List<ByteBuffer> frames) throws ShipmentException {
    return new DigestingSink(
        ManifestCodec.ofPayload(FrameHeader.verify(frames.get(0)), Long.MAX_VALUE));
  }

  @Test
  void hasTheDigestOfTheCargo() throws Exception {
    assertThat(digestOf(CargoBytes.framesOf(CARGO))).isEqualTo(CargoDigest.of(CARGO));
  }

  @Test
  void takesSeveralSegmentsInAFrame() throws Exception {
    assertThat(digestOf(CargoBytes.gatheredFramesOf(CARGO))).isEqualTo(CargoDigest.of(CARGO));
  }

  @Test
  void namesUndecodableSegmentWithItsOwnRows() throws Exception {
    ChangeCargo longs = CargoBytes.cargoOf(RandomCargo.column(1, ColumnType.LONG, 200_000, false));
    List<ByteBuffer> frames = CargoBytes.framesOf(longs);
    ByteBuffer segment = frames.get(2);
    segment.limit(segment.limit() - 8);
    segment.putInt(FrameHeader.BYTES + 8, segment.limit() - FrameHeader.BYTES - 16);
    DigestingSink sink = sinkOf(frames);
    assertFault(Fault.DECODE, () -> CargoBytes.decode(WireFrames.mended(segment), sink))
        .hasMessageContaining("segment 1 (inserted values of t.c, rows 131,072 to 199,999) has");
  }
}
