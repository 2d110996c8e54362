package io.drayage.codec;

import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.cargo.RandomCargo;
import io.drayage.frame.ShipmentException;
import io.drayage.testing.CargoBytes;
import io.drayage.testing.ChildJvm;
import io.drayage.testing.Ends;
import io.drayage.transport.LoopbackTransport;
import io.drayage.transport.TransportOptions;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A native library that cannot be loaded: each use names it. */
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

    String said = ChildJvm.run(folder, DEADLINE_S, List.of("-DZstdNativePath=" + none), Main.class);

    assertThat(said)
        .contains("use 0: " + why)
        .contains("use 1: " + why)
        .containsPattern("a worker without it: INTERNAL: .*\\Q" + why)
        .containsPattern("a transactor without it: INTERNAL: .*\\Q" + why)
        .doesNotContain("NoClassDefFoundError");
  }

  /** Uses Zstandard in every way in a JVM that cannot load its native library. */
  static final class Main {
    private static final Compressor ZSTD = Compressors.ofName("zstd");

    /** The compressor of a worker that can load the library. Nothing became smaller. */
    private static final Compressor OF_ANOTHER_MACHINE =
        new Compressor() {
          @Override
          public int id() {
            return ZSTD.id();
          }

          @Override
          public String name() {
            return ZSTD.name();
          }

          @Override
          public int maxRatio() {
            return ZSTD.maxRatio();
          }

          @Override
          public SegmentCompressor newSegmentCompressor() {
            return Compressors.ofName("none").newSegmentCompressor();
          }
        };

    private Main() {}

    public static void main(String[] args) throws Exception {
      for (int use = 0; use < 2; use++) {
        try (SegmentCompressor made = ZSTD.newSegmentCompressor()) {
          System.out.println("made " + made);
        } catch (UnsupportedOperationException e) {
          System.out.println("use " + use + ": " + e.getMessage());
        }
      }
      ship("worker", ZSTD);
      ship("transactor", OF_ANOTHER_MACHINE);
    }

    private static void ship(String without, Compressor compressor) throws Exception {
      try (Ends ends = new Ends(new LoopbackTransport(), TransportOptions.DEFAULT)) {
        ends.receive(cargo -> 1);
        System.out.println(
            "committed " + ends.sender(CargoBytes.RAW, compressor).send(RandomCargo.of(1, 100)));
      } catch (ShipmentException e) {
        System.out.println("a " + without + " without it: " + e.fault() + ": " + e.getMessage());
      }
    }
  }
}
