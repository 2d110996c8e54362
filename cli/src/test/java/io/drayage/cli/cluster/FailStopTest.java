package io.drayage.cli.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.drayage.testing.ChildJvm;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests processes that end by themselves, and print the reason. */
@Tag("ci")
@Timeout(120)
class FailStopTest {
  private static final long DEADLINE_S = 60;

  @TempDir private Path folder;

  @ParameterizedTest
  @CsvSource({
    "thrown, java.lang.OutOfMemoryError: Java heap space",
    "caught, java.lang.OutOfMemoryError: Java heap space",
    "invariant, java.lang.AssertionError: one and one is three",
    "mistake, java.lang.AssertionError: after that"
  })
  void theLastLineHasTheReason(String how, String reason) {
    AssertionError ended =
        catchThrowableOfType(
            AssertionError.class,
            () -> ChildJvm.run(folder, DEADLINE_S, List.of("-Xmx24m"), FailStopMain.class, how));

    assertThat(ended).hasMessageContaining("ended with 3:");
    assertThat(String.valueOf(ended.getMessage()).lines().reduce((before, line) -> line))
        .hasValue(
            "drayage: %s in thread encode-0: this node ends, with exit code 3".formatted(reason));
  }
}
