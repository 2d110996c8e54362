package io.drayage.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

final class ShipCargoTest {
  private static final Path README = Path.of("..", "README.md");
  private static final Path SOURCE =
      Path.of("src", "main", "java", "io", "drayage", "examples", "ShipCargo.java");

  @Test
  void shipsAndPrintsTheSnapshot() throws Exception {
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    PrintStream stdout = System.out;
    System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
    try {
      ShipCargo.main();
    } finally {
      System.setOut(stdout);
    }

    assertThat(printed.toString(StandardCharsets.UTF_8)).matches("[0-9,]+ bytes, snapshot 42\\R");
  }

  @Test
  void readmeShowsTheMarkedLines() throws IOException {
    String source = Files.readString(SOURCE);
    int begin = source.indexOf("// README begin\n") + "// README begin\n".length();
    int end = source.lastIndexOf("\n", source.indexOf("// README end"));
    String snippet = source.substring(begin, end).stripIndent() + "\n";

    assertThat(Files.readString(README))
        .as("copy the lines between the marks of %s into the README", SOURCE)
        .contains("\n```java\n" + snippet + "```\n");
  }
}
