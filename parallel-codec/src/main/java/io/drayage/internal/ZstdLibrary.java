package io.drayage.internal;

import com.github.luben.zstd.util.Native;

/**
 * The native library of Zstandard. Require it before any class that uses it: such a class reports
 * only its first failed initialization with the reason.
 */
public final class ZstdLibrary {
  private static final String FILE = "ZstdNativePath";
  private static final String FOLDER = "ZstdTempFolder";
  private static final String DEFAULT_FOLDER = "java.io.tmpdir";

  private ZstdLibrary() {}

  /**
   * Loads the library, unless it is loaded.
   *
   * @throws UnusableLibraryException if it cannot be loaded; the message has the folder and the
   *     reason. Each further call fails in the same way until the library can be loaded
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
