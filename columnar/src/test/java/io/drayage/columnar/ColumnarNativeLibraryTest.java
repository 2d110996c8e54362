package io.drayage.columnar;

import static org.assertj.core.api.Assertions.assertThat;

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
        ColumnCodec.encode(NativeLibraryMain.texts(), ColumnarOptions.of(ColumnarMode.BALANCED));
    Path balanced = Files.write(folder.resolve("balanced"), encoded.bytes());
    Path none = folder.resolve("none.so");
    String why = "Zstandard's native library cannot be loaded from %s ".formatted(none);

    String said =
        ChildJvm.run(
            folder,
            DEADLINE_S,
            List.of("-DZstdNativePath=" + none),
            NativeLibraryMain.class,
            balanced.toString());

    assertThat(said)
        .contains("encode 0: " + why, "encode 1: " + why)
        .contains("decode 0: " + why, "decode 1: " + why)
        .contains("FAST has 10000 rows");
  }
}
