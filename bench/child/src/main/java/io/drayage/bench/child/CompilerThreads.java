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

  private final List<Path> threads = new ArrayList<>();

  /** Those that there are now: the rig's JVMs start all of them at once. */
  CompilerThreads() {
    try (DirectoryStream<Path> tasks = Files.newDirectoryStream(TASKS)) {
      for (Path task : tasks) {
        if (Files.readString(task.resolve("comm")).matches(NAME)) {
          threads.add(task.resolve("schedstat"));
        }
      }
    } catch (IOException e) {
      // No Linux, or a thread that has just ended: the rest counts.
    }
  }

  /** Seconds since they started; 0 where Linux does not tell. */
  double cpuS() {
    long ns = 0;
    for (Path thread : threads) {
      try {
        // The first figure; stat has it too, in steps of 10 ms.
        ns += Long.parseLong(Files.readString(thread).split(" ", -1)[0]);
      } catch (IOException e) {
        // It has ended.
      }
    }
    return ns / 1e9;
  }
}
