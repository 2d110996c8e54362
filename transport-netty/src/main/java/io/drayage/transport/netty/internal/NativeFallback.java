package io.drayage.transport.netty.internal;

import java.lang.System.Logger.Level;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Says, once in a process, that a part of the JDK takes the place of native code. Thread-safe. */
public final class NativeFallback {
  private static final System.Logger LOG = System.getLogger(NativeFallback.class.getName());
  private static final Set<String> TOLD = ConcurrentHashMap.newKeySet();

  private NativeFallback() {}

  /**
   * Logs a warning on Linux, the only system that native code is brought for.
   *
   * @param code that cannot be used
   * @param instead what is used in its place
   */
  public static void tell(String code, String instead, Throwable cause) {
    if (System.getProperty("os.name").equals("Linux") && TOLD.add(code)) {
      LOG.log(Level.WARNING, "{0} cannot be used, {1}: {2}", code, instead, rootMessage(cause));
    }
  }

  /** The innermost reason: outer ones only say that something failed. */
  public static String rootMessage(Throwable cause) {
    Throwable root = cause;
    while (root.getCause() != null) {
      root = root.getCause();
    }
    return String.valueOf(root.getMessage());
  }
}
