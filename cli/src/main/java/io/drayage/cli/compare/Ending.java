package io.drayage.cli.compare;

import io.drayage.bench.report.FinishedRun;
import io.drayage.bench.result.Result;
import io.drayage.bench.result.ResultFolder;
import io.drayage.bench.result.Run;
import io.drayage.bench.result.Status;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;

/** How a comparison ends: failed runs and the conclusion are shown, the result is kept. */
record Ending(Result<?> result, ResultFolder folder, @Nullable Path json, CommandSpec command) {
  /**
   * Prints and keeps.
   *
   * @param conclusion the last line
   * @return the exit code
   */
  int end(String conclusion) throws IOException, InterruptedException {
    PrintWriter out = command.commandLine().getOut();
    List<Run> runs = Objects.requireNonNullElse(result.runs(), List.of());
    for (Run run : runs) {
      if (run.status() == Status.FAILED) {
        String which = run.iteration() == 0 ? "a warm-up" : "iteration " + run.iteration();
        out.println("FAILED %s, %s: %s".formatted(run.system(), which, run.error()));
      }
    }
    if (!result.allOk()) {
      out.println("logs: " + folder.logs());
    }
    out.println(conclusion);
    out.flush();
    if (json != null) {
      result.writeTo(json);
    }
    FinishedRun.keep(result, folder, command.commandLine().getErr());
    return result.allOk() ? ExitCode.OK : ExitCode.SOFTWARE;
  }
}
