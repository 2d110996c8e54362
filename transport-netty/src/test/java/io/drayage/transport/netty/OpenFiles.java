package io.drayage.transport.netty;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/**
 * The files, sockets and selectors that this process has open, by what they are; none where the
 * system does not say. Without those that the JVM opens for itself: jars, native libraries, and
 * what the kernel says of the machine.
 *
 * @param counts how many of each
 */
record OpenFiles(Map<String, Integer> counts) {
  private static final Path DESCRIPTORS = Path.of("/proc/self/fd");

  static OpenFiles now() {
    Map<String, Integer> counts = new HashMap<>();
    String[] descriptors = DESCRIPTORS.toFile().list();
    for (String descriptor : descriptors == null ? new String[0] : descriptors) {
      String target = targetOf(descriptor);
      if (!isOfTheJvm(target)) {
        counts.merge(withoutNumber(target), 1, Integer::sum);
      }
    }
    return new OpenFiles(counts);
  }

  /** What a descriptor stands for; the folder of them all if it was closed meanwhile. */
  private static String targetOf(String descriptor) {
    try {
      return Files.readSymbolicLink(DESCRIPTORS.resolve(descriptor)).toString();
    } catch (IOException closedMeanwhile) {
      return DESCRIPTORS.toString();
    }
  }

  private static boolean isOfTheJvm(String target) {
    String file = target.replace(" (deleted)", "");
    return file.endsWith(".jar")
        || file.endsWith(".so")
        || file.endsWith("modules")
        || file.startsWith("/proc/")
        || file.startsWith("/sys/");
  }

  /** {@code socket:[12345]}: the number is a new one for each. */
  private static String withoutNumber(String target) {
    return target.replaceAll(":\\[\\d+]", "");
  }

  /** What there is more of than there was. */
  Map<String, Integer> minus(OpenFiles before) {
    Map<String, Integer> more = new HashMap<>();
    counts.forEach(
        (what, count) -> {
          int growth = count - before.counts.getOrDefault(what, 0);
          if (growth > 0) {
            more.put(what, growth);
          }
        });
    return more;
  }
}
