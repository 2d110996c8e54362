package io.drayage.bench.environment;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Facts from Linux's small files. On other systems, or if a file cannot be read, they are unknown:
 * a missing fact never fails a run.
 */
public final class ProcFiles {
  private static final String UNKNOWN = "unknown";

  private ProcFiles() {}

  /** Returns the text of a one-line file, without its line end; null if it cannot be read. */
  public static @Nullable String line(String file) {
    List<String> lines = lines(Path.of(file));
    return lines.isEmpty() ? null : lines.get(0).strip();
  }

  /** TCP's congestion control for new sockets; null if it cannot be read. */
  public static @Nullable String congestionControl() {
    return line("/proc/sys/net/ipv4/tcp_congestion_control");
  }

  /** Returns the cores of this process, as Linux writes lists: {@code 0-2,5}; empty if unknown. */
  public static String allowedCores() {
    return value(lines(Path.of("/proc/self/status")), "Cpus_allowed_list", ':').orElse("");
  }

  /** Returns the CPU's model; its architecture if the kernel names no model, as on most ARMs. */
  static String cpuModel() {
    return value(lines(Path.of("/proc/cpuinfo")), "model name", ':')
        .orElseGet(() -> System.getProperty("os.arch"));
  }

  /** The distribution's name and version. */
  static String distribution() {
    return value(lines(Path.of("/etc/os-release")), "PRETTY_NAME", '=')
        .map(name -> name.replace("\"", ""))
        .orElse(UNKNOWN);
  }

  /** Returns the value of the first line {@code key separator value}. */
  static Optional<String> value(List<String> lines, String key, char separator) {
    return lines.stream()
        .filter(line -> line.startsWith(key) && line.indexOf(separator) > 0)
        .map(line -> line.substring(line.indexOf(separator) + 1).strip())
        .findFirst();
  }

  private static List<String> lines(Path file) {
    try {
      return Files.readAllLines(file);
    } catch (IOException e) {
      return List.of();
    }
  }
}
