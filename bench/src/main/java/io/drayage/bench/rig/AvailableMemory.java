package io.drayage.bench.rig;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** How much memory new processes may take before the machine swaps or kills. */
public final class AvailableMemory {
  private static final Path MEMINFO = Path.of("/proc/meminfo");
  private static final Pattern AVAILABLE = Pattern.compile("MemAvailable:\\s+(\\d{1,15}) kB");

  private AvailableMemory() {}

  /**
   * The bytes that are available now: the kernel's estimate, which counts the page cache as free,
   * within the container's limit. Without /proc, the free memory.
   */
  public static long bytes() {
    OperatingSystemMXBean system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
    try {
      Matcher matcher = AVAILABLE.matcher(Files.readString(MEMINFO));
      if (matcher.find()) {
        long bytes = Long.parseLong(matcher.group(1)) * 1024;
        return Math.min(bytes, system.getTotalMemorySize());
      }
    } catch (IOException e) {
      // No Linux: the next best.
    }
    return system.getFreeMemorySize();
  }
}
