package io.drayage.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.List;

/** One run of the command line, and what came out. */
public record CommandRun(int code, List<String> out, List<String> err) {
  public static CommandRun of(String... args) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int code =
        Drayage.commandLine()
            .setOut(new PrintWriter(out))
            .setErr(new PrintWriter(err))
            .execute(args);
    return new CommandRun(code, out.toString().lines().toList(), err.toString().lines().toList());
  }

  public String lastLine() {
    return out.get(out.size() - 1);
  }

  public static JsonNode json(Path file) throws IOException {
    return new ObjectMapper().readTree(file.toFile());
  }
}
