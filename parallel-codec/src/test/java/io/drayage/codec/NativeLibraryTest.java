package io.drayage.codec;

import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.testing.ChildJvm;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A native library that cannot be loaded is named, at each use. */
@Timeout(120)
final class NativeLibraryTest {
  private static final long DEADLINE_S = 100;

  @TempDir private Path folder;

  @Test
  void zstdsIsNamedAtEachUseAndNotTakenForWrongBytes() throws Exception {
    Path none = folder.resolve("none.so");
    String why =
        "Zstandard's native library cannot be loaded from %s (-DZstdNativePath): Can't load library: %s"
            .formatted(none, none);

    String said =
        ChildJvm.run(
            folder, DEADLINE_S, List.of("-DZstdNativePath=" + none), NativeLibraryMain.class);

    assertThat(said)
        .contains("use 0: " + why)
        .contains("use 1: " + why)
        .containsPattern("a worker without it: INTERNAL: .*\\Q" + why)
        .containsPattern("a transactor without it: INTERNAL: .*\\Q" + why)
        .doesNotContain("NoClassDefFoundError");
  }
}
