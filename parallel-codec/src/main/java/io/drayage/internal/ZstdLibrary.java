package io.drayage.internal;

import com.github.luben.zstd.util.Native;

/**
 * The native library of Zstandard. To be required before a class that uses it: such a class that
 * cannot be initialized says why only once.
 */
public final class ZstdLibrary {
  private static final String FILE = "ZstdNativePath";
  private static final String FOLDER = "ZstdTempFolder";
  private static final String DEFAULT_FOLDER = "java.io.tmpdir";

  private ZstdLibrary() {}

  /**
   * Loads it, unless it is loaded.
   *
   * @throws UnusableLibraryException if it cannot be loaded, naming where from and why; so does
   *     each further call until it can
   */
  public static void require() {
    try {
      Native.load();
    } catch (LinkageError | RuntimeException e) {
      String from =
          System.getProperty(FILE) != null
              ? FILE
              : System.getProperty(FOLDER) != null ? FOLDER : DEFAULT_FOLDER;
      throw new UnusableLibraryException(
          "Zstandard's native library cannot be loaded from %s (-D%s): %s"
              .formatted(
                  System.getProperty(from),
                  from,
                  String.valueOf(e.getMessage()).replace('\n', ' ')),
          e);
    }
  }
}
