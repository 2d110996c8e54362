package io.drayage.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;

/** Runs the lines of {@code wrong-usage.txt}. */
final class WrongUsageTest extends CommandFixture {
  private static final String SEPARATOR = " | ";

  static Stream<String> wrongUsage() throws Exception {
    try (InputStream file = WrongUsageTest.class.getResourceAsStream("wrong-usage.txt")) {
      String text = new String(Objects.requireNonNull(file).readAllBytes(), StandardCharsets.UTF_8);
      return text.lines().filter(line -> line.contains(SEPARATOR) && !line.startsWith("#"));
    }
  }

  @ParameterizedTest
  @MethodSource("wrongUsage")
  void endsWithCode2AndOneLineThatSaysWhatWouldBeRight(String line) {
    int end = line.indexOf(SEPARATOR);
    String arguments = line.substring(0, end).replace("~", folder.resolve("none").toString());
    String hint = line.substring(end + SEPARATOR.length());
    int code = arguments.isEmpty() ? run() : run(arguments.split(" ", -1));

    assertThat(code).as("%s", err).isEqualTo(CommandLine.ExitCode.USAGE);
    assertThat(err.toString().lines()).hasSize(1);
    assertThat(err.toString()).startsWith("drayage: ").contains(hint).contains("--help");
    assertThat(out.toString()).isEmpty();
    assertThat(folder).as("nothing is made").isEmptyDirectory();
    assertThat(Path.of("d")).as("nothing is made").doesNotExist();
  }
}
