package io.drayage.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

final class EncodeColumnTest {
  private static final Path DOCUMENT = Path.of("..", "docs", "embedding.md");
  private static final Path SOURCE =
      Path.of("src", "main", "java", "io", "drayage", "examples", "EncodeColumn.java");

  @Test
  void printsWhatTheDocumentShows() throws Exception {
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    PrintStream stdout = System.out;
    System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
    try {
      EncodeColumn.main();
    } finally {
      System.setOut(stdout);
    }
    String lines = printed.toString(StandardCharsets.UTF_8).replace("\r\n", "\n");
    assertThat(lines).contains("equal: true\n").endsWith("1,000,000 rows\n");
    assertThat(Files.readString(DOCUMENT)).contains("```\n" + lines + "```\n");
  }

  @Test
  void theDocumentShowsTheMarkedLines() throws IOException {
    for (String mark : new String[] {"column", "file"}) {
      String source = Files.readString(SOURCE);
      String begins = "// " + mark + " begin\n";
      int begin = source.indexOf(begins) + begins.length();
      int end = source.lastIndexOf("\n", source.indexOf("// " + mark + " end"));
      String snippet = source.substring(begin, end).stripIndent() + "\n";
      assertThat(Files.readString(DOCUMENT))
          .as("copy the lines between the marks of %s", SOURCE)
          .contains("\n```java\n" + snippet + "```\n");
    }
  }
}
