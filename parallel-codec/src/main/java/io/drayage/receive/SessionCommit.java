package io.drayage.receive;

import io.drayage.cargo.ChangeCargo;
import io.drayage.frame.ShipmentException;
import io.drayage.frame.ShipmentHeader;
import io.drayage.frame.StoreShare;
import io.drayage.segment.Manifest;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * The committer of one shipment's cargo, with the recording of its frames. Thread-safe.
 *
 * @param store the shipment's share of the store
 */
record SessionCommit<R extends ShipmentRecording>(
    ShipmentHeader header, CargoCommitter<R> committer, R recording, StoreShare store) {
  /** Commits the cargo by {@link CargoCommitter#commit}, which owns the recording from now on. */
  CompletableFuture<Long> commit(ChangeCargo cargo) throws ShipmentException {
    return committer.commit(new ReceivedCargo<>(header, cargo, recording));
  }

  /** Creates the commits of a receiver's shipments. */
  record Source<R extends ShipmentRecording>(
      CargoCommitter<R> committer, ShipmentRecorder<R> recorder) {
    /** Checks the room for a cargo, see {@link CargoCommitter#requireRoom}. */
    void requireRoom(Manifest manifest) throws ShipmentException {
      committer.requireRoom(manifest);
    }

    /** Begins to record, see {@link ShipmentRecorder#begin}. */
    SessionCommit<R> begin(ShipmentHeader header, Consumer<ShipmentException> onFailed)
        throws ShipmentException {
      R recording = recorder.begin(header, onFailed);
      return new SessionCommit<>(header, committer, recording, recorder.share(header));
    }
  }
}
