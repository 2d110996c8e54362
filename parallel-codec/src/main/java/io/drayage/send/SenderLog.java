package io.drayage.send;

import io.drayage.frame.Fault;
import io.drayage.frame.ShipmentException;
import java.lang.System.Logger.Level;

/** Where a sender writes what its codecs and page sources throw. */
final class SenderLog {
  private static final System.Logger LOG = System.getLogger(SenderLog.class.getName());

  private SenderLog() {}

  /**
   * Logs what nobody foresaw with its stack, and names it to both ends. Also if there is hardly any
   * memory: then the message is a general one, or nothing is logged.
   */
  static ShipmentException unexpected(String what, Throwable thrown) {
    try {
      LOG.log(Level.ERROR, what, thrown);
      return new ShipmentException(
          Fault.INTERNAL, "%s: %s; the worker's log has the stack".formatted(what, thrown), thrown);
    } catch (Throwable e) { // For want of memory, or the failure or the logger fails in turn.
      return ShipmentException.of(Fault.INTERNAL, what, thrown);
    }
  }
}
