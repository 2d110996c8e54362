package io.drayage.snapshot;

import static io.drayage.testing.Refusals.assertFault;
import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.RandomCargo;
import io.drayage.frame.Fault;
import io.drayage.frame.FrameType;
import io.drayage.frame.Seal;
import io.drayage.frame.ShipmentException;
import io.drayage.memory.Lease;
import io.drayage.objectstore.MemoryObjects;
import io.drayage.testing.CargoBytes;
import io.drayage.testing.Waiting;
import io.drayage.testing.WireFrames;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests the frames of a recording, and its end. */
final class CargoUploadTest {
  private static final ChangeCargo CARGO = RandomCargo.of(1, 100);

  private final MemoryObjects store = new MemoryObjects("memory:");
  private final SnapshotRecorder recorder = new SnapshotRecorder(store, Duration.ofMinutes(1));
  private final List<ShipmentException> failures = new CopyOnWriteArrayList<>();
  private List<ByteBuffer> frames = List.of();
  private Seal seal = new Seal(0, 0);

  @BeforeEach
  void makeFrames() throws IOException {
    frames = new ArrayList<>(CargoBytes.framesOf(CARGO));
    seal = WireFrames.seal(frames.remove(frames.size() - 1));
  }

  @AfterEach
  void nothingIsLeft() {
    Waiting.await(() -> recorder.underWay() == 0 && store.list("").isEmpty());
    recorder.close();
  }

  private CargoUpload recordingOf(List<ByteBuffer> kept) throws ShipmentException {
    CargoUpload recording = recorder.begin(CargoBytes.headerOf(CARGO), failures::add);
    kept.forEach(frame -> recording.keep(new Lease(frame, () -> {})));
    return recording;
  }

  @Test
  void refusesTheSealOfAnythingElseThanWhatWasKept() throws Exception {
    List<List<ByteBuffer>> wrong = new ArrayList<>();
    wrong.add(frames.subList(1, frames.size()));
    wrong.add(frames.subList(0, frames.size() - 1));
    wrong.add(with(frames.get(0)));
    wrong.add(with(frames.get(1)));
    wrong.add(with(WireFrames.of(FrameType.CHUNK, 0)));
    for (List<ByteBuffer> kept : wrong) {
      CargoUpload recording = recordingOf(kept);
      assertFault(Fault.INTERNAL, () -> recording.seal(seal))
          .hasMessageContaining("the recording of transaction %s".formatted(CARGO.transactionId()))
          .hasMessageContaining("%s were decoded".formatted(seal));
      recording.discard();
    }
  }

  private List<ByteBuffer> with(ByteBuffer surplus) {
    List<ByteBuffer> more = new ArrayList<>(frames);
    more.add(surplus);
    return more;
  }

  /** Otherwise nobody would delete the data. */
  @Test
  void whatIsStoredDoesNotFailAnyMore() throws Exception {
    CargoUpload recording = recordingOf(frames);
    // The writing thread is still busy then.
    var stalled =
        recording
            .stored()
            .thenAccept(contents -> recording.failIfStalled(Duration.ofNanos(Long.MIN_VALUE)));
    recording.seal(seal);
    stalled.get();
    assertThat(store.list("")).hasSize(1);
    assertThat(failures).isEmpty();

    recording.discard();
  }
}
