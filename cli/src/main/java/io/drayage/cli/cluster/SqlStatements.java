package io.drayage.cli.cluster;

import io.drayage.cli.tables.QueryFormat;
import io.drayage.cli.tables.TableException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Spec.Target;

/** The SQL of a command: its arguments, or the lines of standard input. */
final class SqlStatements {
  @Option(
      names = "--format",
      paramLabel = "FORMAT",
      defaultValue = "text",
      description = "${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}).")
  private QueryFormat format = QueryFormat.TEXT;

  @Option(names = "--timing", description = "After each statement, how long it took.")
  private boolean timing;

  @Parameters(
      paramLabel = "SQL",
      description = "Statements of DuckDB (default: those of standard input, one a line).")
  private List<String> statements = List.of();

  @Spec(Target.MIXEE)
  private CommandSpec spec;

  /** Runs one statement. */
  @FunctionalInterface
  interface Run {
    void run(String sql, QueryFormat format, PrintWriter out) throws IOException;
  }

  /**
   * Runs all of them. One of standard input that is wrong is told, and the next one run.
   *
   * @return the exit code
   */
  int run(Run run) throws IOException {
    for (String statement : statements) {
      run(statement, run);
    }
    if (!statements.isEmpty()) {
      return 0;
    }
    int code = 0;
    BufferedReader lines =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      if (!line.isBlank()) {
        try {
          run(line, run);
        } catch (TableException e) {
          spec.commandLine().getErr().println("drayage: " + e.getMessage());
          spec.commandLine().getErr().flush();
          code = 1;
        }
      }
    }
    return code;
  }

  private void run(String statement, Run run) throws IOException {
    long startNs = System.nanoTime();
    PrintWriter out = spec.commandLine().getOut();
    run.run(statement, format, out);
    if (timing) {
      out.printf("%.3f s%n", (System.nanoTime() - startNs) / 1e9);
    }
    out.flush();
  }
}
