package io.drayage.testing;

import static io.drayage.internal.Texts.format;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** A JDK that may deny Unsafe, for tests that older ones cannot run: this one, or one beside it. */
public final class NewJdk {
  private static final int MIN_FEATURE = 24;

  private NewJdk() {}

  /** The {@code java} of the JDK. If there is none, the test is skipped with the reason. */
  public static Path java() throws IOException {
    Path java =
        Runtime.version().feature() >= MIN_FEATURE
            ? in(Path.of(System.getProperty("java.home")))
            : beside();
    assumeTrue(
        Files.isExecutable(java),
        () -> format("no JDK %d or later; run the tests on one or set JAVA_HOME_25", MIN_FEATURE));
    return java;
  }

  private static Path beside() throws IOException {
    String home = System.getenv("JAVA_HOME_25");
    Path jdks = Path.of("/usr/lib/jvm");
    if (home != null || !Files.isDirectory(jdks)) {
      return in(Path.of(home == null ? "" : home));
    }
    try (Stream<Path> homes = Files.list(jdks)) {
      return homes
          .filter(folder -> folder.getFileName().toString().contains("25"))
          .map(NewJdk::in)
          .filter(Files::isExecutable)
          .findFirst()
          .orElse(in(jdks));
    }
  }

  private static Path in(Path home) {
    return home.resolve("bin/java");
  }
}
