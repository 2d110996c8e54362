package io.drayage.internal;

import java.util.ServiceLoader;

/**
 * Silences SLF4J if it has no provider. ZooKeeper, the client of S3 and Netty log by SLF4J if it is
 * on the class path. Drayage itself does not: so a program needs no provider, and no warning.
 */
public final class Slf4j {
  private static final String FACTORY = "org.slf4j.LoggerFactory";

  /** Missing in SLF4J 1, which warns anyway. */
  private static final String PROVIDER = "org.slf4j.spi.SLF4JServiceProvider";

  /** The property for SLF4J's messages about itself; SLF4J reads it once. */
  private static final String VERBOSITY = "slf4j.internal.verbosity";

  private static final String CHOSEN_PROVIDER = "slf4j.provider";

  private Slf4j() {}

  /**
   * Prepares SLF4J before a library uses it: SLF4J prints nothing if it has no provider, unless
   * {@code slf4j.internal.verbosity} is set. Without effect if the program has used SLF4J already.
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
        // SLF4J is missing, or of another version: the program's choice stays.
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
