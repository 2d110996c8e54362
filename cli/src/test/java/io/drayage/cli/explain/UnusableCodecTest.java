package io.drayage.cli.explain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.drayage.cli.Drayage;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Of codecs that this JVM has, the only one that another may lack is the one with Unsafe. */
final class UnusableCodecTest {
  private static final int FIRST_THAT_MAY_DENY_UNSAFE = 24;

  @TempDir private Path folder;

  @Test
  @Timeout(60)
  void saysWhatCannotRunBeforeAnythingIsMeasured() throws Exception {
    assumeTrue(
        Runtime.version().feature() >= FIRST_THAT_MAY_DENY_UNSAFE,
        "this JDK runs every codec that there is");
    Process tune =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--sun-misc-unsafe-memory-access=deny",
                "-cp",
                System.getProperty("java.class.path"),
                Drayage.class.getName(),
                "tune",
                "--serializer=raw,kryo-unsafe",
                "--compressor=none",
                "--write=" + folder.resolve("drayage.conf"))
            .redirectErrorStream(true)
            .start();
    String said = new String(tune.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(tune.waitFor()).as(said).isEqualTo(1);
    assertThat(said)
        .contains("kryo-unsafe+none: kryo-unsafe cannot run on JDK", "leave it out (--serializer")
        .doesNotContain("shipping");
  }
}
