package io.drayage.receive;

import io.drayage.cargo.ChangeCargo;
import io.drayage.frame.Seal;
import io.drayage.frame.ShipmentException;
import io.drayage.frame.ShipmentHeader;
import io.drayage.memory.Lease;
import io.drayage.segment.Manifest;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * The committer of one shipment's cargo, with the recording that it wants of its frames, if it
 * wants one. Thread-safe.
 */
sealed interface SessionCommit {
  /**
   * A verified frame is part of the cargo.
   *
   * @param frame stays the caller's
   */
  void keep(Lease frame);

  /** As {@link ShipmentRecording#seal}. */
  void seal(Seal seal) throws ShipmentException;

  /** Whether frames have come that are not kept yet. */
  boolean isBehind();

  /** As {@link CargoCommitter#commit}: from now on the recording is the committer's. */
  CompletableFuture<Long> commit(ChangeCargo cargo) throws ShipmentException;

  /** There is no commit. May be called more than once. */
  void discard();

  /** Makes those of a receiver's shipments. */
  interface Source {
    /** As {@link Committer#requireRoom}. */
    void requireRoom(Manifest manifest) throws ShipmentException;

    /**
     * Begins to record, if the committer wants that.
     *
     * @param onFailed hears that the recording failed
     * @throws ShipmentException {@code REFUSED} if the shipment cannot be recorded
     */
    SessionCommit begin(ShipmentHeader header, Consumer<ShipmentException> onFailed)
        throws ShipmentException;
  }

  /** Of a committer that wants no recording. */
  record Plain(ShipmentHeader header, CargoCommitter committer) implements SessionCommit {
    @Override
    public void keep(Lease frame) {}

    @Override
    public void seal(Seal seal) {}

    @Override
    public boolean isBehind() {
      return false;
    }

    @Override
    public CompletableFuture<Long> commit(ChangeCargo cargo) throws ShipmentException {
      return committer.commit(new ReceivedCargo(header, cargo));
    }

    @Override
    public void discard() {}
  }

  /** Of a committer that wants one. */
  record Recorded<R extends ShipmentRecording>(
      ShipmentHeader header, RecordedCommitter<R> committer, R recording) implements SessionCommit {
    @Override
    public void keep(Lease frame) {
      recording.keep(frame.retain());
    }

    @Override
    public void seal(Seal seal) throws ShipmentException {
      recording.seal(seal);
    }

    @Override
    public boolean isBehind() {
      return recording.isBehind();
    }

    @Override
    public CompletableFuture<Long> commit(ChangeCargo cargo) throws ShipmentException {
      return committer.commit(new RecordedCargo<>(header, cargo, recording));
    }

    @Override
    public void discard() {
      recording.discard();
    }
  }

  /** Makes {@link Plain} ones. */
  record PlainSource(CargoCommitter committer) implements Source {
    @Override
    public void requireRoom(Manifest manifest) throws ShipmentException {
      committer.requireRoom(manifest);
    }

    @Override
    public SessionCommit begin(ShipmentHeader header, Consumer<ShipmentException> onFailed) {
      return new Plain(header, committer);
    }
  }

  /** Makes {@link Recorded} ones. */
  record RecordedSource<R extends ShipmentRecording>(
      RecordedCommitter<R> committer, ShipmentRecorder<R> recorder) implements Source {
    @Override
    public void requireRoom(Manifest manifest) throws ShipmentException {
      committer.requireRoom(manifest);
    }

    @Override
    public SessionCommit begin(ShipmentHeader header, Consumer<ShipmentException> onFailed)
        throws ShipmentException {
      return new Recorded<>(header, committer, recorder.begin(header, onFailed));
    }
  }
}
