package io.drayage.receive;

import io.drayage.cargo.ChangeCargo;
import io.drayage.frame.ShipmentException;
import io.drayage.frame.ShipmentHeader;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/** What one shipment is recorded in, and the committer that will want it. */
record SessionRecording<R extends ShipmentRecording>(RecordedCommitter<R> committer, R recording) {
  CompletableFuture<Long> commit(ShipmentHeader header, ChangeCargo cargo)
      throws ShipmentException {
    return committer.commit(new RecordedCargo<>(header, cargo, recording));
  }

  /** A committer and the recorder whose recordings it commits. */
  record Source<R extends ShipmentRecording>(
      RecordedCommitter<R> committer, ShipmentRecorder<R> recorder) {
    SessionRecording<R> begin(ShipmentHeader header, Consumer<ShipmentException> onFailed)
        throws ShipmentException {
      return new SessionRecording<>(committer, recorder.begin(header, onFailed));
    }
  }
}
