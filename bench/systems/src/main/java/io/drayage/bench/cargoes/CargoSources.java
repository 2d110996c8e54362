package io.drayage.bench.cargoes;

import static io.drayage.internal.Texts.format;

import io.drayage.frame.FrameHeader;
import io.drayage.frame.ShipmentException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;

/**
 * Parses the specification of a cargo: {@code thesis}, {@code tpch}, {@code tpch:sf=N}, {@code
 * columns}, {@code random} or a file. The same specification, size and seed always make the same
 * cargo.
 */
public final class CargoSources {
  private static final String KNOWN =
      "thesis, tpch, tpch:sf=N (0.01 to 10), columns, random or the path of a file, or of a folder of columns";

  private static final String THESIS = "thesis";
  private static final String TPCH = "tpch";
  private static final String COLUMNS = "columns";
  private static final String RANDOM = "random";
  private static final String TPCH_SCALE = "tpch:sf=";

  private static final long GIB = 1L << 30;

  private CargoSources() {}

  /**
   * Returns the source that {@code spec} names.
   *
   * @param sizeBytes the approximate size; has no effect on a file, or if {@code sf} is given
   * @param seed has no effect on a file
   * @throws IllegalArgumentException if it names none, with one line that says what is valid, or if
   *     a file cannot be read, with the reason
   * @throws IllegalStateException if it names a file that is too large for this JVM's heap
   */
  public static CargoSource parse(String spec, long sizeBytes, long seed) {
    return switch (spec) {
      case THESIS -> new ThesisCargo(sizeBytes, seed);
      case TPCH -> TpchCargo.ofSize(sizeBytes, seed);
      case COLUMNS -> new ColumnsCargo(COLUMNS, ColumnKinds.USUAL, sizeBytes, seed);
      case RANDOM -> new ColumnsCargo(RANDOM, ColumnKinds.RANDOM, sizeBytes, seed);
      default ->
          spec.startsWith(TPCH_SCALE) ? new TpchCargo(scaleFactor(spec), seed) : ofFile(spec);
    };
  }

  /** Whether a cargo is made by size: a file and a scale factor have their own size. */
  public static boolean sizeCounts(String spec) {
    return List.of(THESIS, TPCH, COLUMNS, RANDOM).contains(spec);
  }

  /** Whether {@code spec} names a generated cargo, not a file. */
  public static boolean isGenerated(String spec) {
    return sizeCounts(spec) || spec.startsWith(TPCH_SCALE);
  }

  /**
   * Refuses a cargo that is too large before minutes are spent on filling the heap.
   *
   * @throws IllegalStateException if the largest heap of this JVM is below {@code bytes}
   */
  static void requireHeap(long bytes, String cargo) {
    long maxHeapBytes = Runtime.getRuntime().maxMemory();
    if (bytes > maxHeapBytes) {
      throw new IllegalStateException(
          format(
              "%s needs more than the largest heap of %,d bytes; raise it, for instance with DRAYAGE_JAVA_OPTS=-Xmx%dg",
              cargo, maxHeapBytes, 2 * bytes / GIB + 1));
    }
  }

  private static CargoSource ofFile(String spec) {
    if (!isFile(spec)) {
      throw new IllegalArgumentException(
          "cargo '%s' is neither known nor a file; give %s".formatted(spec, KNOWN));
    }
    try {
      Path path = Path.of(spec);
      if (Files.isDirectory(path)) {
        return ColumnFolder.open(path);
      }
      if (!isCargo(path)) {
        throw new IllegalArgumentException(
            "cargo '%s' is a file of another kind: 'drayage cargo import' makes a cargo of tables"
                .formatted(spec));
      }
      return FileCargoSource.open(path);
    } catch (IOException e) {
      // Messages of other exceptions than our own have no meaning without the exceptions' names.
      String reason = e instanceof ShipmentException ? e.getMessage() : e.toString();
      throw new IllegalArgumentException(
          "cargo '%s' cannot be read: %s".formatted(spec, reason), e);
    }
  }

  /**
   * Whether a file begins like a cargo.
   *
   * @throws IOException if it cannot be read
   */
  public static boolean isCargo(Path file) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      ByteBuffer start =
          ByteBuffer.wrap(in.readNBytes(Integer.BYTES)).order(ByteOrder.LITTLE_ENDIAN);
      return start.limit() == Integer.BYTES && start.getInt(0) == FrameHeader.MAGIC;
    }
  }

  private static boolean isFile(String spec) {
    try {
      Path path = Path.of(spec);
      return Files.isRegularFile(path) || Files.isRegularFile(path.resolve(ColumnFolder.MANIFEST));
    } catch (InvalidPathException e) {
      return false;
    }
  }

  private static double scaleFactor(String spec) {
    try {
      return Double.parseDouble(spec.substring(TPCH_SCALE.length()));
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(
          "cargo '%s' has no number as its scale factor; give %s".formatted(spec, KNOWN), e);
    }
  }
}
