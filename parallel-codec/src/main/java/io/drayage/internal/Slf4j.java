package io.drayage.internal;

import java.util.ServiceLoader;

/**
 * ZooKeeper, the client of S3 and Netty log by SLF4J where it is on the class path. This library
 * does not, so that a program need not have one of its providers, and is not told that it has none.
 */
public final class Slf4j {
  private static final String FACTORY = "org.slf4j.LoggerFactory";

  /** Not of SLF4J 1, which says so itself. */
  private static final String PROVIDER = "org.slf4j.spi.SLF4JServiceProvider";

  /** What SLF4J says of itself; read once. */
  private static final String VERBOSITY = "slf4j.internal.verbosity";

  private static final String CHOSEN_PROVIDER = "slf4j.provider";

  private Slf4j() {}

  /**
   * Prepares SLF4J before one of them uses it: it says nothing if it has no provider, unless {@code
   * slf4j.internal.verbosity} is set. Without effect if the program has used it already.
   */
  public static void prepare() {
    Prepared.once();
  }

  private static final class Prepared {
    static {
      try {
        if (System.getProperty(VERBOSITY) == null && System.getProperty(CHOSEN_PROVIDER) == null) {
          beginWithoutProvider();
        }
      } catch (ReflectiveOperationException | LinkageError e) {
        // There is none, or another version: what the program has chosen is its own.
      }
    }

    private Prepared() {}

    static void once() {}

    private static void beginWithoutProvider() throws ReflectiveOperationException {
      ClassLoader loader = Slf4j.class.getClassLoader();
      Class<?> factory = Class.forName(FACTORY, false, loader);
      Class<?> provider = Class.forName(PROVIDER, false, loader);
      if (ServiceLoader.load(provider, factory.getClassLoader()).stream().findAny().isPresent()) {
        return;
      }
      System.setProperty(VERBOSITY, "ERROR");
      try {
        Object unused = factory.getMethod("getILoggerFactory").invoke(null);
      } finally {
        System.clearProperty(VERBOSITY);
      }
    }
  }
}
