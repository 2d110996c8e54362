package io.drayage.snapshot;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.drayage.testing.ChildJvm;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class CrashPointTest {
  private static final long DEADLINE_S = 30;

  @TempDir private Path folder;

  /** Reaches all points. */
  static final class ReachesAll {
    private ReachesAll() {}

    /** Takes no arguments. */
    public static void main(String[] args) {
      for (CrashPoint point : CrashPoint.values()) {
        point.reach();
      }
    }
  }

  @Test
  void noPropertyEndsTheProcess() throws Exception {
    ChildJvm.run(
        folder,
        DEADLINE_S,
        List.of("-Ddrayage.crashAt=logged", "-Ddrayage.crash.at=logged"),
        ReachesAll.class);
  }

  @Test
  void whoIsToDieAtAPointDoes() {
    assertThatThrownBy(
            () ->
                ChildJvm.run(
                    folder,
                    DEADLINE_S,
                    List.of(),
                    DiesAt.class,
                    "logged",
                    ReachesAll.class.getName()))
        .hasMessageContaining("ended with " + DiesAt.EXIT_CODE);
  }
}
