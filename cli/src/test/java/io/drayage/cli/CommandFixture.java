package io.drayage.cli;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

/** What tests of commands have: a folder, and what the commands that were given have printed. */
public abstract class CommandFixture {
  @TempDir protected Path folder;

  protected final StringWriter out = new StringWriter();
  protected final StringWriter err = new StringWriter();

  /** Gives a command, and returns its exit code. */
  protected final int run(String... arguments) {
    return Drayage.commandLine()
        .setOut(new PrintWriter(out))
        .setErr(new PrintWriter(err))
        .execute(arguments);
  }
}
