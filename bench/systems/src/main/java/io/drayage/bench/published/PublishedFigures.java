package io.drayage.bench.published;

import io.drayage.bench.ByteSize;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * One column of the study's tables of combinations, by size, serializer and compressor. The build
 * packages the tables out of {@code docs/published}. Immutable.
 */
public record PublishedFigures(List<Map<String, String>> rows, String column) {
  /** The serializers that the study measured, in its order. */
  public static final List<String> SERIALIZERS = List.of("java", "kryo", "kryo-unsafe", "msgpack");

  /** The compressors that the study measured, in its order. */
  public static final List<String> COMPRESSORS = List.of("none", "lz4", "zstd", "deflate", "xz");

  private static final String FOLDER = "/io/drayage/bench/published/";

  /** Figures for no cargo: nothing was published for it. */
  public static PublishedFigures none() {
    return new PublishedFigures(List.of(), "");
  }

  /** Reads a column of one of the tables: {@code size.csv}, {@code serialized_MB}. */
  public static PublishedFigures of(String file, String column) {
    return new PublishedFigures(rows(file), column);
  }

  /** Returns the figure for an input size, by the study's names; null if not published. */
  public @Nullable Double figure(long sizeBytes, String serializer, String compressor) {
    return first(
        row ->
            ByteSize.parse(row.get("size")).bytes() == sizeBytes
                && row.get("serializer").equals(serializer)
                && row.get("compressor").equals(compressor));
  }

  /** Real size of the study's input of this size, in MB of 10^6 bytes; null without one. */
  public static @Nullable Double inputMegabytes(long sizeBytes) {
    return of("input_sizes.csv", "actual_MB")
        .first(row -> ByteSize.parse(row.get("target")).bytes() == sizeBytes);
  }

  private @Nullable Double first(Predicate<Map<String, String>> which) {
    return rows.stream()
        .filter(which)
        .findFirst()
        .map(row -> Double.valueOf(row.get(column)))
        .orElse(null);
  }

  /** Returns the rows of a table, by their headings. */
  public static List<Map<String, String>> rows(String file) {
    try (InputStream in = open(file)) {
      List<String[]> lines =
          new String(in.readAllBytes(), StandardCharsets.UTF_8)
              .lines()
              .map(line -> line.split(",", -1))
              .toList();
      String[] headings = lines.get(0);
      return lines.stream()
          .skip(1)
          .map(
              cells ->
                  IntStream.range(0, headings.length)
                      .boxed()
                      .collect(Collectors.toMap(i -> headings[i], i -> cells[i])))
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + file, e);
    }
  }

  /** Opens a file of {@code docs/published} as the build packaged it. */
  public static InputStream open(String file) {
    return Objects.requireNonNull(PublishedFigures.class.getResourceAsStream(FOLDER + file), file);
  }
}
