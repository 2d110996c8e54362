package io.drayage.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** The exit code of a process that has ended, and the lines of its output and standard error. */
public record ProcessResult(int code, List<String> lines) {
  /** Runs a process to its end. It is killed after that many seconds. */
  public static ProcessResult of(ProcessBuilder builder, long deadlineS)
      throws IOException, InterruptedException {
    Process process = builder.redirectErrorStream(true).start();
    CompletableFuture.delayedExecutor(deadlineS, TimeUnit.SECONDS)
        .execute(process::destroyForcibly);
    try (var output = process.inputReader(StandardCharsets.UTF_8)) {
      List<String> lines = output.lines().toList();
      return new ProcessResult(process.waitFor(), lines);
    }
  }

  /** Requires exit code 0. Returns the output. */
  public String succeeded() {
    String text = String.join("\n", lines);
    assertThat(code).as(text).isZero();
    return text;
  }
}
