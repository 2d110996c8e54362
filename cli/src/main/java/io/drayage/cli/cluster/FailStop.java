package io.drayage.cli.cluster;

import static io.drayage.internal.Texts.format;

import io.drayage.internal.FatalErrors;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;

/**
 * Ends the process of a node at once after a {@linkplain FatalErrors fatal error}. No shutdown hook
 * runs, and nothing more is stored or acknowledged. All acknowledged commits are in the log.
 */
public final class FailStop implements Thread.UncaughtExceptionHandler {
  /** The exit code of {@code -XX:+ExitOnOutOfMemoryError} too. */
  static final int EXIT_CODE = 3;

  private static final System.Logger LOG = System.getLogger(FailStop.class.getName());

  /** Created before memory runs out. */
  private static final byte[] LAST_WORDS =
      format("drayage: out of memory: this node ends, with exit code %d%n", EXIT_CODE)
          .getBytes(StandardCharsets.UTF_8);

  private static final FileOutputStream ERR = new FileOutputStream(FileDescriptor.err);

  private FailStop() {}

  /** Covers all threads of this process. */
  public static void install() {
    Thread.setDefaultUncaughtExceptionHandler(new FailStop());
  }

  @Override
  public void uncaughtException(Thread thread, Throwable thrown) {
    Error fatal = FatalErrors.in(thrown);
    if (fatal != null) {
      end(thread, fatal);
    }
    LOG.log(Level.ERROR, "thread " + thread.getName() + " failed", thrown);
  }

  private static synchronized void end(Thread thread, Error fatal) {
    try {
      ERR.write(lastWords(thread, fatal));
    } catch (IOException e) {
      // Nobody reads standard error.
    } finally {
      Runtime.getRuntime().halt(EXIT_CODE);
    }
  }

  private static byte[] lastWords(Thread thread, Error fatal) {
    try {
      LOG.log(Level.ERROR, "thread " + thread.getName() + " failed", fatal);
      return format(
              "drayage: %s in thread %s: this node ends, with exit code %d%n",
              fatal, thread.getName(), EXIT_CODE)
          .getBytes(StandardCharsets.UTF_8);
    } catch (OutOfMemoryError e) {
      return LAST_WORDS;
    }
  }
}
