package io.drayage.bench.child;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The CPU time of this process's JIT compiler. No bean of the JVM has this figure: {@link
 * java.lang.management.CompilationMXBean} counts the time of compilations, including the time that
 * they waited for a CPU. Not thread-safe.
 */
final class CompilerThreads {
  private static final Path TASKS = Path.of("/proc/self/task");

  /** The names of compiler threads, such as "C1 CompilerThread0", as the kernel cuts them. */
  private static final String NAME = "C[12] CompilerThre.*\\s*";

  private final List<Path> threads = new ArrayList<>();

  /** Finds the threads that exist now: the rig's JVMs start all compiler threads at once. */
  CompilerThreads() {
    try (DirectoryStream<Path> tasks = Files.newDirectoryStream(TASKS)) {
      for (Path task : tasks) {
        if (Files.readString(task.resolve("comm")).matches(NAME)) {
          threads.add(task.resolve("schedstat"));
        }
      }
    } catch (IOException e) {
      // Not Linux, or a thread that has just ended: the others count.
    }
  }

  /** CPU seconds of the threads since they started; 0 if this is not Linux. */
  double cpuS() {
    long ns = 0;
    for (Path thread : threads) {
      try {
        // The first figure. The file stat has it too, but in steps of 10 ms.
        ns += Long.parseLong(Files.readString(thread).split(" ", -1)[0]);
      } catch (IOException e) {
        // The thread has ended.
      }
    }
    return ns / 1e9;
  }
}
