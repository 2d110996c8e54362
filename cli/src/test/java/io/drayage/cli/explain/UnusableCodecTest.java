package io.drayage.cli.explain;

import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.cli.Drayage;
import io.drayage.testing.NewJdk;
import io.drayage.testing.ProcessResult;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests the codec with Unsafe, the only one of this JVM that another JVM may lack. */
@Tag("ci")
final class UnusableCodecTest {
  @TempDir private Path folder;

  @Test
  @Timeout(180)
  void saysWhatCannotRunBeforeAnythingIsMeasured() throws Exception {
    ProcessBuilder tune =
        new ProcessBuilder(
            NewJdk.java().toString(),
            "--sun-misc-unsafe-memory-access=deny",
            "-cp",
            System.getProperty("java.class.path"),
            Drayage.class.getName(),
            "tune",
            "--serializer=raw,kryo-unsafe",
            "--compressor=none",
            "--write=" + folder.resolve("drayage.conf"));
    ProcessResult ran = ProcessResult.of(tune, 120);
    assertThat(ran.code()).as("%s", ran).isEqualTo(1);
    assertThat(String.join("\n", ran.lines()))
        .contains("kryo-unsafe+none: kryo-unsafe cannot run on JDK", "leave it out (--serializer")
        .doesNotContain("shipping");
  }
}
