package io.drayage.receive.internal;

import io.drayage.frame.Fault;
import io.drayage.frame.ShipmentException;
import io.drayage.frame.ShipmentHeader;
import java.lang.System.Logger.Level;

/** The log of a receiver for exceptions of its committer, its codecs and its other callees. */
public final class ReceiverLog {
  private static final System.Logger LOG = System.getLogger(ReceiverLog.class.getName());

  private ReceiverLog() {}

  /**
   * Logs an unexpected failure with its stack, and creates the exception that names it to the
   * worker. Works without memory too, with a general message and perhaps no log.
   */
  public static ShipmentException unexpected(
      Fault fault, String what, ShipmentHeader header, Throwable thrown) {
    try {
      LOG.log(
          Level.ERROR,
          "%s (transaction %s of %s)".formatted(what, header.transactionId(), header.worker()),
          thrown);
      return new ShipmentException(
          fault, "%s: %s; the transactor's log has the stack".formatted(what, thrown), thrown);
    } catch (Throwable e) { // There is no memory, or the logger or the message fails too.
      return ShipmentException.of(fault, what, thrown);
    }
  }
}
