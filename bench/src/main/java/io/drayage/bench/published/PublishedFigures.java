package io.drayage.bench.published;

import io.drayage.bench.ByteSize;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One column of the study's tables of combinations, by size, serializer and compressor. The build
 * packages the tables out of {@code docs/published}. Immutable.
 */
public final class PublishedFigures {
  /** The serializers that the study measured, in its order. */
  public static final List<String> SERIALIZERS = List.of("java", "kryo", "kryo-unsafe", "msgpack");

  /** The compressors that the study measured, in its order. */
  public static final List<String> COMPRESSORS = List.of("none", "lz4", "zstd", "deflate", "xz");

  private static final String FOLDER = "/io/drayage/bench/published/";

  private record Key(long sizeBytes, String serializer, String compressor) {}

  private final Map<Key, Double> figures;

  private PublishedFigures(Map<Key, Double> figures) {
    this.figures = Map.copyOf(figures);
  }

  /** Figures for no cargo: nothing was published for it. */
  public static PublishedFigures none() {
    return new PublishedFigures(Map.of());
  }

  /** A column of one of the tables: {@code size.csv}, {@code serialized_MB}. */
  public static PublishedFigures of(String file, String column) {
    List<String[]> rows = read(file);
    int figure = indexOf(rows.get(0), column, file);
    Map<Key, Double> figures = new HashMap<>();
    for (String[] row : rows.subList(1, rows.size())) {
      Key key = new Key(ByteSize.parse(row[0]).bytes(), row[1], row[2]);
      figures.put(key, Double.valueOf(row[figure]));
    }
    return new PublishedFigures(figures);
  }

  /** The figure for an input of this size, by the study's names; null if none was published. */
  public @Nullable Double figure(long sizeBytes, String serializer, String compressor) {
    return figures.get(new Key(sizeBytes, serializer, compressor));
  }

  /** What the study's input of this size really had, in MB of 10^6 bytes; null if it had none. */
  public static @Nullable Double inputMegabytes(long sizeBytes) {
    List<String[]> rows = read("input_sizes.csv");
    int actual = indexOf(rows.get(0), "actual_MB", "input_sizes.csv");
    for (String[] row : rows.subList(1, rows.size())) {
      if (ByteSize.parse(row[0]).bytes() == sizeBytes) {
        return Double.valueOf(row[actual]);
      }
    }
    return null;
  }

  private static List<String[]> read(String file) {
    InputStream resource = PublishedFigures.class.getResourceAsStream(FOLDER + file);
    if (resource == null) {
      throw new IllegalStateException("%s%s is not on the class path".formatted(FOLDER, file));
    }
    try (BufferedReader reader =
        new BufferedReader(new InputStreamReader(resource, StandardCharsets.UTF_8))) {
      return reader.lines().map(line -> line.split(",", -1)).toList();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + file, e);
    }
  }

  private static int indexOf(String[] headings, String column, String file) {
    int index = List.of(headings).indexOf(column);
    if (index < 0) {
      throw new IllegalStateException("%s has no column %s".formatted(file, column));
    }
    return index;
  }
}
