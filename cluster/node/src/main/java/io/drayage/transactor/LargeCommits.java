package io.drayage.transactor;

import io.drayage.cargo.CargoSize;
import io.drayage.cargo.ChangeCargo;
import io.drayage.frame.Acknowledgement;
import io.drayage.frame.CommitOptions;
import io.drayage.frame.ShipmentException;
import io.drayage.internal.Begun;
import io.drayage.internal.DaemonThreads;
import io.drayage.internal.FatalErrors;
import io.drayage.metrics.DrayageMetrics;
import io.drayage.metrics.Stage;
import io.drayage.receive.ReceivedCargo;
import io.drayage.snapshot.CargoUpload;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;

/**
 * Commits large cargoes, one after the other, on a thread of its own. The thread applies a cargo,
 * compares it and awaits its data, so that the commit thread and the log serve small cargoes
 * meanwhile. Thread-safe.
 */
final class LargeCommits implements AutoCloseable {
  /** The commit thread applies fewer inserted values in a few milliseconds. */
  static final int MIN_VALUES = 1 << 20;

  /** The log awaits the data of fewer bytes for a few milliseconds, if the disk keeps up. */
  static final int MIN_BYTES = 4 << 20;

  private final CommitMemory memory;
  private final long storeTimeoutMs;
  private final DrayageMetrics metrics;
  private final ExecutorService thread =
      Executors.newSingleThreadExecutor(new DaemonThreads("commit-large"));

  LargeCommits(CommitMemory memory, long storeTimeoutMs, DrayageMetrics metrics) {
    this.memory = memory;
    this.storeTimeoutMs = storeTimeoutMs;
    this.metrics = metrics;
  }

  /**
   * Whether a cargo is large. A worker that wants an answer before its cargo is stored gets the
   * answer earlier from the commit thread.
   *
   * @param dataBytes bytes of the recorded frames
   */
  static boolean isLarge(CommitOptions how, ChangeCargo cargo, long dataBytes) {
    return how.acknowledgement() != Acknowledgement.APPLIED
        && (dataBytes >= MIN_BYTES || CargoSize.valueCount(cargo) >= MIN_VALUES);
  }

  /** Commits a cargo when the previous ones are applied. Does not block. */
  CompletableFuture<Long> commit(ReceivedCargo<CargoUpload> cargo) {
    CompletableFuture<Long> answer = new CompletableFuture<>();
    try (Begun begun = new Begun(cargo.recording()::discard)) {
      thread.execute(() -> commit(cargo, answer));
      begun.keep();
    } catch (RejectedExecutionException e) {
      answer.completeExceptionally(OpenTransactions.over());
    }
    return answer;
  }

  private void commit(ReceivedCargo<CargoUpload> cargo, CompletableFuture<Long> answer) {
    try {
      if (!thread.isShutdown()) { // Otherwise the closing thread fails the rest.
        metrics.threads().join(Stage.COMMIT);
      }
      var unused =
          memory
              .commitBeside(cargo, storeTimeoutMs)
              .whenComplete(
                  (timestamp, failure) -> {
                    if (failure == null) {
                      answer.complete(timestamp);
                    } else {
                      answer.completeExceptionally(failure);
                    }
                  });
    } catch (ShipmentException e) {
      answer.completeExceptionally(e);
    } catch (RuntimeException | Error e) {
      FatalErrors.report(e);
      answer.completeExceptionally(e);
    }
  }

  /** Fails the cargoes that are not applied. Must be called after the end of the term. */
  @Override
  public void close() {
    thread.shutdownNow().forEach(Runnable::run);
  }
}
