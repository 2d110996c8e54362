package io.drayage.spark;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;

/** Files in a folder, by which processes of a test report their progress to each other. */
final class Beacon {
  private static final Duration PATIENCE = Duration.ofMinutes(4);
  private static final long PAUSE_MS = 20;

  private Beacon() {}

  /** Reports a step, and the process that has reached it. */
  static void light(String folder, String name) {
    try {
      Path file = Path.of(folder, name);
      Path made = Files.createTempFile(Path.of(folder), "made", null);
      Files.writeString(made, Long.toString(ProcessHandle.current().pid()));
      Files.move(made, file, StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static boolean isLit(String folder, String name) {
    return Files.exists(Path.of(folder, name));
  }

  /** Waits for a step; returns the process that has reached it. */
  static long await(String folder, String name) {
    await(name, () -> isLit(folder, name));
    try {
      return Long.parseLong(Files.readString(Path.of(folder, name)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The condition to wait for. */
  interface Condition {
    boolean holds() throws IOException;
  }

  static void await(String what, Condition condition) {
    long endNs = System.nanoTime() + PATIENCE.toNanos();
    try {
      while (!condition.holds()) {
        if (System.nanoTime() > endNs) {
          throw new IllegalStateException("not seen within " + PATIENCE + ": " + what);
        }
        Thread.sleep(PAUSE_MS);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }

  /** Sends KILL, which leaves a process no time, or STOP or CONT. */
  static void signal(long pid, String name) throws IOException, InterruptedException {
    int exit = new ProcessBuilder("kill", "-" + name, Long.toString(pid)).start().waitFor();
    if (exit != 0) {
      throw new IOException("kill -" + name + " " + pid + " ended with " + exit);
    }
  }
}
