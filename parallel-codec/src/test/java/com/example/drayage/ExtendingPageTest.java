package com.example.drayage;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Compiles and tests the codecs on the page CONTRIBUTING.md. */
class ExtendingPageTest {
  private static final Path PAGE = Path.of("..", "CONTRIBUTING.md");
  private static final Path SOURCES = Path.of("src", "test", "java", "com", "example", "drayage");
  private static final Path SERVICES = Path.of("src", "test", "resources", "META-INF", "services");

  @Test
  void showsTheSourceThatIsTested() throws IOException {
    String source = Files.readString(SOURCES.resolve("HuffmanCompressor.java"));

    assertThat(Files.readString(PAGE))
        .as("copy it into %s", PAGE)
        .contains("\n```java\n" + source + "```\n")
        .contains("](parallel-codec/" + SOURCES.resolve("DeltaSerializer.java"));
  }

  @ParameterizedTest
  @CsvSource({
    "io.drayage.codec.Compressor, com.example.drayage.HuffmanCompressor",
    "io.drayage.codec.Serializer, com.example.drayage.DeltaSerializer"
  })
  void showsTheServiceFilesThatAreTested(String file, String line) throws IOException {
    assertThat(Files.readString(SERVICES.resolve(file)).strip()).isEqualTo(line);
    assertThat(Files.readString(PAGE))
        .containsPattern("META-INF/services/%s +%s\n".formatted(file, line));
  }
}
