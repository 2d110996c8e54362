package io.drayage.send;

import io.drayage.cargo.ChangeCargo;
import io.drayage.frame.CommitOptions;
import io.drayage.frame.ShipmentException;
import io.drayage.metrics.DrayageMetrics;

/** Ships cargoes to one transactor. Thread-safe. */
public interface CargoSender extends AutoCloseable {
  /** As the other, with {@link CommitOptions#DEFAULT}. */
  default SendReport send(ChangeCargo cargo) throws ShipmentException, InterruptedException {
    return send(cargo, CommitOptions.DEFAULT);
  }

  /**
   * Ships {@code cargo} and waits until it has taken effect. There are three outcomes: it was
   * applied if this returns, and otherwise either {@linkplain ShipmentException.Outcome#NOT_APPLIED
   * not applied} or {@linkplain ShipmentException.Outcome#UNKNOWN unknown}, if the answer was lost
   * by whatever means: the connection, a side that was closed, an interrupt, a committer that
   * failed halfway. Then send the same transaction again, with the same id, until it is applied or
   * {@linkplain io.drayage.frame.Fault#isVerdict rejected}. The receiver applies it once: see
   * {@link io.drayage.receive.TransactionLedger}.
   *
   * @param options when the transactor is to answer, and what to do about conflicts
   * @throws ShipmentException if there is no such answer; tells what was wrong and the outcome. If
   *     the thread was interrupted when the whole cargo had been sent, then {@code CANCELLED} and
   *     unknown, with the thread's interrupt status set
   * @throws InterruptedException if the thread was interrupted before that: not applied
   * @throws IllegalArgumentException if a text is longer than {@link
   *     io.drayage.segment.SegmentPlanner#MAX_TEXT_BYTES} bytes, naming its column and row: not
   *     applied
   */
  SendReport send(ChangeCargo cargo, CommitOptions options)
      throws ShipmentException, InterruptedException;

  /** What this sender counts; also after it was closed. */
  DrayageMetrics metrics();

  /**
   * Closes the connections and threads of this sender. What is under way ends with {@code
   * CANCELLED}; if its whole cargo was sent, its outcome is unknown.
   */
  @Override
  void close();
}
