package io.drayage.columnar;

import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.testing.ChildJvm;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The same values make the same bytes, whatever the JVM makes of the code. */
@Timeout(120)
class SameBytesEverywhereTest {
  private static final int COUNT = 20_000;

  @TempDir Path folder;

  @ParameterizedTest
  @ValueSource(strings = {"-Xint", "-XX:UseAVX=0", "-XX:UseAVX=2", "-XX:-UseSuperWord"})
  void underEveryOption(String option) throws Exception {
    List<String> options = List.of("-XX:+IgnoreUnrecognizedVMOptions", "-Xmx512m", option);

    String output = ChildJvm.run(folder, 100, options, SameBytesEverywhereTest.class);

    assertThat(output).contains("bytes %08x".formatted(checksum()));
  }

  public static void main(String[] args) {
    System.out.printf("bytes %08x%n", checksum());
  }

  private static int checksum() {
    CRC32C checksum = new CRC32C();
    for (ColumnarMode mode : ColumnarMode.values()) {
      StreamWriter writer = new StreamWriter(0, ColumnarOptions.of(mode), new Words());
      for (Kind kind : Kind.values()) {
        for (Shape shape : Shape.values()) {
          ByteBuffer bytes = EncodedStreams.buffer(COUNT);
          long[] bits = EncodedStreams.bits(kind, shape, COUNT, 11);
          writer.write(EncodedStreams.values(kind, bits), bytes);
          checksum.update(bytes.flip());
        }
      }
    }
    return (int) checksum.getValue();
  }
}
