package io.drayage.cli.output;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Notices that the reader of standard output has gone while there is nothing to write, as in {@code
 * drayage worker follow | head -1}. Java cannot ask a pipe, but GNU's {@code tail} can. A {@code
 * tail} therefore shares the pipe, writes nothing, and ends with the pipe or with this process. If
 * standard output is no pipe, or there is no such {@code tail}, the next write fails. Thread-safe.
 */
public final class ReaderWatch implements AutoCloseable {
  private static final Path OUTPUT = Path.of("/proc/self/fd/1");

  /** The shell's exit code of a process that a broken pipe has ended. */
  private static final int ENDED_BY_SIGPIPE = 141;

  private final @Nullable Process tail;
  private final CompletableFuture<?> gone;

  /** Begins to watch. */
  public ReaderWatch() {
    tail = isPipe() ? start() : null;
    gone = tail == null ? new CompletableFuture<>() : tail.onExit().thenCompose(ReaderWatch::of);
  }

  private static CompletableFuture<Process> of(Process ended) {
    return ended.exitValue() == ENDED_BY_SIGPIPE
        ? CompletableFuture.completedFuture(ended)
        : new CompletableFuture<>();
  }

  private static boolean isPipe() {
    try {
      return Files.readSymbolicLink(OUTPUT).toString().startsWith("pipe:");
    } catch (IOException | UnsupportedOperationException e) {
      return false; // Another operating system.
    }
  }

  private static @Nullable Process start() {
    try {
      return new ProcessBuilder("tail", "-f", "--pid=" + ProcessHandle.current().pid(), "/dev/null")
          .redirectOutput(ProcessBuilder.Redirect.INHERIT)
          .redirectError(ProcessBuilder.Redirect.DISCARD)
          .start();
    } catch (IOException e) {
      return null;
    }
  }

  /** Returns a future that completes when the reader has gone. */
  public CompletableFuture<?> gone() {
    return gone.copy();
  }

  /**
   * Checks the reader.
   *
   * @throws OutputException if the reader has gone
   */
  public void check() throws OutputException {
    if (gone.isDone()) {
      throw OutputException.pipeClosed();
    }
  }

  @Override
  public void close() {
    if (tail != null) {
      tail.destroy();
    }
  }
}
