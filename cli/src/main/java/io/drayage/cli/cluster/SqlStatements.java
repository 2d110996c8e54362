package io.drayage.cli.cluster;

import io.drayage.tables.QueryFormat;
import io.drayage.tables.TableEngine;
import io.drayage.tables.TableException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Spec.Target;

/** The SQL statements of a command: its arguments, or the lines of standard input. */
public final class SqlStatements {
  @Option(
      names = "--format",
      paramLabel = "FORMAT",
      defaultValue = "text",
      description = "${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}).")
  private QueryFormat format = QueryFormat.TEXT;

  @Option(names = "--timing", description = "Print the time of each statement after it.")
  private boolean timing;

  @Option(
      names = "--allow-files",
      description =
          "Let SQL read and write files with your rights, attach databases, load extensions and"
              + " change settings. Without this option, SQL sees only the snapshot.")
  private boolean allowFiles;

  @Parameters(
      paramLabel = "SQL",
      description =
          "Statements of DuckDB, separated by semicolons (default: the lines of standard input,"
              + " each with one or several statements).")
  private List<String> texts = List.of();

  @Spec(Target.MIXEE)
  private CommandSpec spec;

  /** Runs one statement. */
  public interface Run {
    void run(String sql, QueryFormat format, PrintWriter out) throws IOException;
  }

  /** Whether statements may reach more than the snapshot. */
  public boolean allowFiles() {
    return allowFiles;
  }

  /**
   * Runs all statements. It reports a wrong statement of standard input, and goes on.
   *
   * @param engine of the statements
   * @return the exit code
   */
  public int run(TableEngine engine, Run run) throws IOException {
    for (String text : texts) {
      List<String> statements = engine.statements(text);
      if (statements.isEmpty()) {
        throw new ParameterException(
            spec.commandLine(), "there is no statement in '%s'".formatted(text));
      }
      for (String statement : statements) {
        run(statement, run);
      }
    }
    if (!texts.isEmpty()) {
      return 0;
    }
    int code = 0;
    BufferedReader lines =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8.newDecoder()));
    for (String line = next(lines); line != null; line = next(lines)) {
      for (String statement : engine.statements(line)) {
        try {
          run(statement, run);
        } catch (TableException e) {
          spec.commandLine().getErr().println("drayage: " + e.getMessage());
          spec.commandLine().getErr().flush();
          code = 1;
        }
      }
    }
    return code;
  }

  private static @Nullable String next(BufferedReader lines) throws IOException {
    try {
      return lines.readLine();
    } catch (CharacterCodingException e) {
      throw new IOException("standard input is not in UTF-8: convert it with iconv", e);
    } catch (IOException e) {
      throw new IOException("standard input: " + e.getMessage(), e);
    }
  }

  private void run(String statement, Run run) throws IOException {
    long startNs = System.nanoTime();
    PrintWriter out = spec.commandLine().getOut();
    run.run(statement, format, out);
    if (timing) {
      out.printf(Locale.ROOT, "%.3f s%n", (System.nanoTime() - startNs) / 1e9);
    }
    out.flush();
  }
}
