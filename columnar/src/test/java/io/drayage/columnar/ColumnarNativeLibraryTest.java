package io.drayage.columnar;

import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.cargo.ColumnValues;
import io.drayage.testing.ChildJvm;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests columns of texts without Zstandard's native library, which cannot be loaded. */
@Tag("ci")
@Timeout(120)
final class ColumnarNativeLibraryTest {
  private static final long DEADLINE_S = 100;

  @TempDir private Path folder;

  @Test
  void zstdsIsNamedAtEachUseAndFastDoesWithoutIt() throws Exception {
    ColumnCodec.Encoded encoded =
        ColumnCodec.encode(Main.texts(), ColumnarOptions.of(ColumnarMode.BALANCED));
    Path balanced = Files.write(folder.resolve("balanced"), encoded.bytes());
    Path none = folder.resolve("none.so");
    String why = "Zstandard's native library cannot be loaded from %s ".formatted(none);

    String said =
        ChildJvm.run(
            folder,
            DEADLINE_S,
            List.of("-DZstdNativePath=" + none),
            Main.class,
            balanced.toString());

    assertThat(said)
        .contains("encode 0: " + why, "encode 1: " + why)
        .contains("decode 0: " + why, "decode 1: " + why)
        .contains("FAST has 10000 rows");
  }

  /** Encodes and decodes texts without the library. */
  static final class Main {
    private Main() {}

    static ColumnValues texts() {
      String[] texts = new String[10_000];
      for (int row = 0; row < texts.length; row++) {
        texts[row] = "a text like others, number " + Integer.toHexString(row * 0x9e3779b9);
      }
      return ColumnValues.ofTexts(texts);
    }

    public static void main(String[] args) throws Exception {
      byte[] balanced = Files.readAllBytes(Path.of(args[0]));
      for (int use = 0; use < 2; use++) {
        try {
          ColumnCodec.encode(texts(), ColumnarOptions.of(ColumnarMode.BALANCED));
          System.out.println("encoded");
        } catch (UnsupportedOperationException e) {
          System.out.println("encode " + use + ": " + e.getMessage());
        }
        try {
          ColumnCodec.decode(balanced, 1 << 30);
          System.out.println("decoded");
        } catch (UnsupportedOperationException e) {
          System.out.println("decode " + use + ": " + e.getMessage());
        }
      }
      byte[] fast = ColumnCodec.encode(texts(), ColumnarOptions.of(ColumnarMode.FAST)).bytes();
      System.out.println("FAST has " + ColumnCodec.decode(fast, 1 << 30).rowCount() + " rows");
    }
  }
}
