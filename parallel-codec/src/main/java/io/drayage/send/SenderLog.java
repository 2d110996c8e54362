package io.drayage.send;

import io.drayage.frame.Fault;
import io.drayage.frame.ShipmentException;
import java.lang.System.Logger.Level;

/** The log of a sender for exceptions of its codecs and page sources. */
final class SenderLog {
  private static final System.Logger LOG = System.getLogger(SenderLog.class.getName());

  private SenderLog() {}

  /**
   * Logs an unexpected failure with its stack, and creates the exception that names it to both
   * ends. Works without memory too, with a general message and perhaps no log.
   */
  static ShipmentException unexpected(String what, Throwable thrown) {
    try {
      LOG.log(Level.ERROR, what, thrown);
      return new ShipmentException(
          Fault.INTERNAL, "%s: %s; the worker's log has the stack".formatted(what, thrown), thrown);
    } catch (Throwable e) { // There is no memory, or the logger or the message fails too.
      return ShipmentException.of(Fault.INTERNAL, what, thrown);
    }
  }
}
