package io.drayage.baseline.kryo;

import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.testing.NewJdk;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Needs a JDK that can deny memory access through {@code sun.misc.Unsafe}. */
class KryoUnsafeDeniedTest {
  private static final String OPTION = "--sun-misc-unsafe-memory-access=";

  @Test
  void everyUseOfKryoUnsafeSaysWhatHelpsAndTheOthersWork() throws Exception {
    List<String> lines = probe("deny");

    String refusal = "kryo-unsafe cannot run on JDK";
    assertThat(lines)
        .hasSize(12)
        .contains("kryo stream: ok", "kryo segments: ok", "kryo transactor: ok")
        .contains("kryo-tuned stream: ok", "kryo-tuned segments: ok", "kryo-tuned transactor: ok");
    String unsupported = "java.lang.UnsupportedOperationException: " + refusal;
    assertThat(lines.get(4)).startsWith("kryo-unsafe stream: " + unsupported);
    assertThat(lines.get(5)).startsWith("kryo-unsafe read: " + unsupported);
    assertThat(lines.get(6)).startsWith("kryo-unsafe segments: " + unsupported);
    assertThat(lines.get(7)).startsWith("kryo-unsafe transactor: REFUSED: " + refusal);
    assertThat(lines.subList(4, 8)).allMatch(line -> line.contains(OPTION + "allow"));
  }

  @Test
  void kryoUnsafeWorksWhereItIsAllowed() throws Exception {
    assertThat(probe("allow"))
        .contains(
            "kryo-unsafe stream: ok", "kryo-unsafe segments: ok", "kryo-unsafe transactor: ok");
  }

  private static List<String> probe(String access) throws Exception {
    Path java = NewJdk.java();
    Process process =
        new ProcessBuilder(
                java.toString(),
                OPTION + access,
                "-cp",
                System.getProperty("java.class.path"),
                KryoUnsafeProbe.class.getName())
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    try {
      String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(process.waitFor(50, TimeUnit.SECONDS)).isTrue();
      return out.lines().toList();
    } finally {
      process.destroyForcibly();
    }
  }
}
