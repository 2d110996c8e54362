package io.drayage.bench.environment;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Whether the native code of libraries can be loaded: DuckDB's, Zstandard's, LZ4's, Netty's, the
 * profiler's. Each unpacks it into the JVM's temporary folder, and has its own error message if
 * that is mounted noexec.
 */
public final class NativeCode {
  private static final Path MOUNTS = Path.of("/proc/self/mounts");
  private static final int FOLDER = 1;
  private static final int OPTIONS = 3;

  private NativeCode() {}

  /** Returns the reason and the remedy if it cannot be loaded; null if it can, or if unknown. */
  public static @Nullable String whyNotLoadable() {
    String named = System.getProperty("java.io.tmpdir");
    try {
      return isNoExec(Path.of(named).toRealPath(), Files.readAllLines(MOUNTS))
          ? "the temporary folder "
              + named
              + " is mounted noexec, so that no native code can be loaded from it (DuckDB, Zstandard,"
              + " LZ4, Netty, the profiler): name another one, DRAYAGE_JAVA_OPTS=-Djava.io.tmpdir=DIR"
          : null;
    } catch (IOException e) {
      return null; // Not Linux, or no folder: the first use will report it.
    }
  }

  /** Whether a folder is on a mount with that option, by the lines of the kernel's list. */
  static boolean isNoExec(Path folder, List<String> mounts) {
    Path longest = null;
    boolean isNoExec = false;
    for (String line : mounts) {
      String[] fields = line.split(" ", -1);
      if (fields.length > OPTIONS) {
        Path mounted = Path.of(unescaped(fields[FOLDER]));
        boolean isNearer =
            longest == null || mounted.getNameCount() >= longest.getNameCount(); // last mount wins
        if (folder.startsWith(mounted) && isNearer) {
          longest = mounted;
          isNoExec = Arrays.asList(fields[OPTIONS].split(",", -1)).contains("noexec");
        }
      }
    }
    return isNoExec;
  }

  private static String unescaped(String field) {
    return field
        .replace("\\040", " ")
        .replace("\\011", "\t")
        .replace("\\012", "\n")
        .replace("\\134", "\\");
  }
}
