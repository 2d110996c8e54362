package io.drayage.bench.child;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The processor time of this process's JIT compiler. No bean of the JVM tells it: {@link
 * java.lang.management.CompilationMXBean} counts the time that compilations took, with all that
 * they waited for a processor. Not thread-safe.
 */
final class CompilerThreads {
  private static final Path TASKS = Path.of("/proc/self/task");

  /** How the kernel cuts "C1 CompilerThread0" and its like. */
  private static final String NAME = "C[12] CompilerThre.*\\s*";

  /** The steps in which Linux tells processor time to user space. */
  private static final double TICKS_PER_S = 100;

  /** Where user and system time stand behind the name in {@code stat}. */
  private static final int USER = 11;

  private final List<Path> threads = new ArrayList<>();

  /** Those that there are now: the rig's JVMs start all of them at once. */
  CompilerThreads() {
    try (DirectoryStream<Path> tasks = Files.newDirectoryStream(TASKS)) {
      for (Path task : tasks) {
        if (Files.readString(task.resolve("comm")).matches(NAME)) {
          threads.add(task.resolve("stat"));
        }
      }
    } catch (IOException e) {
      // No Linux, or a thread that has just ended: the rest counts.
    }
  }

  /** Seconds since they started; 0 where there is no /proc. */
  double cpuS() {
    long ticks = 0;
    for (Path thread : threads) {
      try {
        String stat = Files.readString(thread);
        String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
        ticks += Long.parseLong(fields[USER]) + Long.parseLong(fields[USER + 1]);
      } catch (IOException e) {
        // It has ended.
      }
    }
    return ticks / TICKS_PER_S;
  }
}
