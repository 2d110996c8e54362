package io.drayage.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

final class CountedTest {
  /** A number and what is counted, in a format: {@code %,d raw bytes}. */
  private static final Pattern COUNTED = Pattern.compile("%,?d (?:raw |full )?([a-z]+s)\\b");

  /** What may stand behind a number that is not counted, or has no plural. */
  private static final Set<String> OTHERS =
      Set.of("s", "ms", "is", "was", "has", "keeps", "leaves");

  @Test
  void oneHasNoPlural() {
    assertThat(Counted.of(0, "row")).isEqualTo("0 rows");
    assertThat(Counted.of(1, "row")).isEqualTo("1 row");
    assertThat(Counted.of(2_000, "raw byte")).isEqualTo("2,000 raw bytes");
    assertThat(Counted.of(1, "entry")).isEqualTo("1 entry");
    assertThat(Counted.of(3, "entry")).isEqualTo("3 entries");
  }

  /** Messages that say "1 rows" are seen by users alone. */
  @Test
  @Tag("ci")
  void noMessageCountsByItself() throws IOException {
    List<String> found = new ArrayList<>();
    for (String module : List.of("cli", "connectors/duckdb")) {
      try (Stream<Path> files = Files.walk(Path.of("..", module, "src", "main", "java"))) {
        for (Path file : files.filter(each -> each.toString().endsWith(".java")).toList()) {
          Matcher counted = COUNTED.matcher(Files.readString(file));
          while (counted.find()) {
            if (!OTHERS.contains(counted.group(1))) {
              found.add(file.getFileName() + ": " + counted.group());
            }
          }
        }
      }
    }
    assertThat(found).as("numbers with a noun: use Counted").isEmpty();
  }
}
