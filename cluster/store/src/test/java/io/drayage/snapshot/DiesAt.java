package io.drayage.snapshot;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicInteger;

/** The main class of a process that dies at a {@link CrashPoint} as if by {@code kill -9}. */
public final class DiesAt {
  /** The exit code of a process that was killed by signal 9. */
  public static final int EXIT_CODE = 137;

  private DiesAt() {}

  /**
   * Runs another main class until the point is reached: no hook runs then, nothing is flushed.
   *
   * @param args the point: {@code applied}, or {@code applied:3} for the third time; the main
   *     class; its arguments
   */
  public static void main(String[] args) throws ReflectiveOperationException {
    String[] parts = args[0].split(":", 2);
    CrashPoint chosen = CrashPoint.valueOf(parts[0].toUpperCase(Locale.ROOT));
    AtomicInteger left = new AtomicInteger(parts.length == 1 ? 1 : Integer.parseInt(parts[1]));
    CrashPoint.observe(
        reached -> {
          if (reached == chosen && left.decrementAndGet() == 0) {
            System.err.println("dying at crash point " + reached);
            Runtime.getRuntime().halt(EXIT_CODE);
          }
        });
    Method main = Class.forName(args[1]).getDeclaredMethod("main", String[].class);
    main.setAccessible(true);
    main.invoke(null, (Object) Arrays.copyOfRange(args, 2, args.length));
  }
}
