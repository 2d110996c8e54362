package io.drayage.segment.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.cargo.CargoDigest;
import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.ColumnType;
import io.drayage.cargo.RandomCargo;
import io.drayage.frame.Fault;
import io.drayage.frame.FrameHeader;
import io.drayage.frame.ShipmentException;
import io.drayage.memory.Lease;
import io.drayage.testing.CargoBytes;
import io.drayage.testing.DigestingReceiver;
import io.drayage.testing.WireFrames;
import io.drayage.transport.RecordingReplies;
import io.drayage.transport.ShipmentHandler;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.UUID;
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
    ChangeCargo longs =
        ChangeCargo.builder(new UUID(1, 2), 3)
            .table(
                "t",
                table -> table.insert("c", RandomCargo.column(1, ColumnType.LONG, 200_000, false)))
            .build();
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
}
