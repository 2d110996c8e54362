package io.drayage.codec;

import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.testing.ChildJvm;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Runs {@link HostileBytes} in a JVM that cannot allocate a large array. */
class HostileBytesTest {
  private static final int DEADLINE_S = 300;

  /** One of so many bits is flipped, if both codecs of a pair were already tested alone. */
  private static final int STEP = 61;

  @TempDir Path folder;

  Class<?> main() {
    return HostileBytes.class;
  }

  @Test
  @Timeout(DEADLINE_S + 20)
  void brokenBytesAreRefusedWithinASmallHeap() throws Exception {
    String output =
        ChildJvm.run(
            folder,
            DEADLINE_S,
            List.of("-Xmx64m", "-XX:MaxDirectMemorySize=32m", "-XX:+UseSerialGC"),
            main(),
            Integer.toString(STEP));

    assertThat(output).endsWith("done" + System.lineSeparator());
  }
}
