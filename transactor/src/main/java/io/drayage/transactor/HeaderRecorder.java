package io.drayage.transactor;

import io.drayage.frame.Seal;
import io.drayage.frame.ShipmentException;
import io.drayage.frame.ShipmentHeader;
import io.drayage.memory.Lease;
import io.drayage.receive.ShipmentRecorder;
import io.drayage.receive.ShipmentRecording;
import io.drayage.snapshot.SnapshotContents;
import io.drayage.snapshot.SnapshotRecorder;
import io.drayage.snapshot.SnapshotRecording;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/** Records shipments for snapshots, and keeps their headers for the commit. */
final class HeaderRecorder implements ShipmentRecorder {
  private final SnapshotRecorder recorder;

  HeaderRecorder(SnapshotRecorder recorder) {
    this.recorder = recorder;
  }

  @Override
  public ShipmentRecording begin(ShipmentHeader header, Consumer<ShipmentException> onFailed)
      throws ShipmentException {
    CrashPoint.REQUESTED.reach();
    return new Recorded(header, recorder.begin(header, onFailed));
  }

  /** One shipment. */
  static final class Recorded implements ShipmentRecording {
    private final ShipmentHeader header;
    private final SnapshotRecording recording;
    private volatile long heldNs;

    private Recorded(ShipmentHeader header, SnapshotRecording recording) {
      this.header = header;
      this.recording = recording;
    }

    ShipmentHeader header() {
      return header;
    }

    /** When the cargo was whole, by {@link System#nanoTime}: it may have waited since. */
    long heldNs() {
      return heldNs;
    }

    /** What was recorded, once it is in the object store. */
    CompletableFuture<SnapshotContents> stored() {
      return recording.stored();
    }

    @Override
    public void onFrame(Lease frame) {
      CrashPoint.ARRIVING.reach();
      recording.onFrame(frame);
    }

    @Override
    public void seal(Seal seal) {
      heldNs = System.nanoTime();
      recording.seal(seal);
    }

    @Override
    public void discard() {
      recording.discard();
    }
  }
}
