package io.drayage.transport.netty.internal;

import java.lang.System.Logger.Level;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Logs, once in a process, that a part of the JDK replaces native code. Thread-safe. */
public final class NativeFallback {
  private static final System.Logger LOG = System.getLogger(NativeFallback.class.getName());
  private static final Set<String> TOLD = ConcurrentHashMap.newKeySet();

  private NativeFallback() {}

  /**
   * Logs a warning on Linux, the only system for which there is native code.
   *
   * @param code the native code that cannot be used
   * @param instead the replacement
   */
  public static void tell(String code, String instead, Throwable cause) {
    if (System.getProperty("os.name").equals("Linux") && TOLD.add(code)) {
      LOG.log(Level.WARNING, "{0} cannot be used, {1}: {2}", code, instead, rootMessage(cause));
    }
  }

  /** Returns the message of the root cause: the outer messages only say that something failed. */
  public static String rootMessage(Throwable cause) {
    Throwable root = cause;
    while (root.getCause() != null) {
      root = root.getCause();
    }
    return String.valueOf(root.getMessage());
  }
}
