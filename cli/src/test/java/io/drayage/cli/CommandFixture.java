package io.drayage.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;

/** A folder for tests of commands, and the output of the commands. */
public abstract class CommandFixture {
  @TempDir protected Path folder;

  protected final StringWriter out = new StringWriter();
  protected final StringWriter err = new StringWriter();

  /** Runs a command, and returns its exit code. */
  protected final int run(String... arguments) {
    return Drayage.commandLine()
        .setOut(new PrintWriter(out))
        .setErr(new PrintWriter(err))
        .execute(arguments);
  }

  /** Runs a command, and requires its exit code. */
  protected final void exits(int code, String... arguments) {
    assertThat(run(arguments)).as("%s", err).isEqualTo(code);
  }

  /** Runs the words of a line, in which {@code ~} is the folder. */
  protected final int runLine(String line) {
    return run(line.replace("~", folder.toString()).split(" ", -1));
  }

  /** Clears the earlier output, runs a line, requires the exit code, and returns all output. */
  protected final String said(int code, String line) {
    out.getBuffer().setLength(0);
    err.getBuffer().setLength(0);
    int ended = runLine(line);
    String all = out.toString() + err;
    assertThat(ended).as("%s: %s", line, all).isEqualTo(code);
    return all;
  }

  /** Returns the lines on standard output. */
  protected final List<String> lines() {
    return out.toString().lines().toList();
  }

  protected final String lastLine() {
    return lines().get(lines().size() - 1);
  }

  /** Returns the lines on standard error. */
  protected final List<String> errors() {
    return err.toString().lines().toList();
  }

  protected static JsonNode json(Path file) throws IOException {
    return new ObjectMapper().readTree(file.toFile());
  }
}
