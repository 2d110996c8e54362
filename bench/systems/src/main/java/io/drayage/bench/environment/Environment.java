package io.drayage.bench.environment;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The environment of a result, so that a figure can be traced to its machine and commit. Jackson
 * writes it unchanged. It names neither host nor user, unless a JVM flag does.
 *
 * @param timestamp the time of the capture, ISO 8601 in UTC, to the second
 * @param version the project's version
 * @param commit the git commit of the build, or {@code unknown}
 * @param dirty whether the build had changes that are not in the commit; null if unknown
 * @param cpu the CPU's model
 * @param cores CPUs that this JVM may use
 * @param memoryBytes physical memory, or the container's limit if that is lower
 * @param maxHeapBytes the largest heap that this JVM may use
 * @param arch the CPU's architecture, as Java calls it
 * @param os the distribution
 * @param kernel the kernel's name and version
 * @param congestionControl of TCP, by default for new sockets; null where there is no /proc
 * @param jdkVersion the whole version, with the build
 * @param jdkVendor the vendor of the JDK
 * @param jvmFlags the options that this JVM was started with
 * @param libraries the versions of libraries on the class path that affect speed, by name
 * @param othersBusyPercent the part of all cores that other processes and the hypervisor used
 *     during the measurement, in percent; null if that was not watched
 */
public record Environment(
    String timestamp,
    String version,
    String commit,
    @Nullable Boolean dirty,
    String cpu,
    int cores,
    long memoryBytes,
    long maxHeapBytes,
    String arch,
    String os,
    String kernel,
    @Nullable String congestionControl,
    String jdkVersion,
    String jdkVendor,
    List<String> jvmFlags,
    Map<String, String> libraries,
    @Nullable Double othersBusyPercent) {

  /** Captures this process's environment. Unknown facts are {@code unknown} or null. */
  public static Environment capture() {
    return capture(null);
  }

  /**
   * Captures the environment of this process.
   *
   * @param othersBusyPercent the part of all cores that others used; null if not watched
   */
  public static Environment capture(@Nullable Double othersBusyPercent) {
    BuildInfo build = BuildInfo.load();
    Runtime runtime = Runtime.getRuntime();
    return new Environment(
        Instant.now().truncatedTo(ChronoUnit.SECONDS).toString(),
        build.version(),
        build.commit(),
        build.dirty(),
        ProcFiles.cpuModel(),
        runtime.availableProcessors(),
        physicalMemoryBytes(),
        runtime.maxMemory(),
        System.getProperty("os.arch"),
        ProcFiles.distribution(),
        System.getProperty("os.name") + " " + System.getProperty("os.version"),
        ProcFiles.congestionControl(),
        Runtime.version().toString(),
        System.getProperty("java.vendor"),
        ManagementFactory.getRuntimeMXBean().getInputArguments(),
        LibraryVersions.onClassPath(),
        othersBusyPercent);
  }

  /** Physical memory in bytes, or the container's limit if that is lower. */
  public static long physicalMemoryBytes() {
    return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getTotalMemorySize();
  }
}
