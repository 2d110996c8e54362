package io.drayage.bench.codecs;

import io.drayage.bench.published.PublishedFigures;
import io.drayage.codec.Codec;
import io.drayage.codec.Compressor;
import io.drayage.codec.Compressors;
import io.drayage.codec.Levels;
import io.drayage.codec.Serializers;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Which combinations there are, and how a user names them. */
final class Combinations {
  /** Serializers that flush what lies below them whenever their buffer is full. */
  static final List<String> FLUSHING_SERIALIZERS = List.of("kryo", "kryo-unsafe");

  private static final String FORM = "SERIALIZER+COMPRESSOR[:LEVEL], SERIALIZER or +COMPRESSOR";
  private static final Pattern PATTERN =
      Pattern.compile("([^:+@]*)(?:\\+([^:+@]+)(?::(-?\\d{1,9}))?)?");

  private Combinations() {}

  /** The study's combinations of those serializers and compressors that there are. */
  static List<Combination> study() {
    return cross(
        intersection(PublishedFigures.SERIALIZERS, names(Serializers.all())),
        intersection(PublishedFigures.COMPRESSORS, names(Compressors.all())));
  }

  /** All other combinations that there are, in the form of a stream. */
  static List<Combination> additional() {
    List<Combination> all = cross(names(Serializers.all()), names(Compressors.all()));
    all.removeAll(study());
    return all;
  }

  private static List<Combination> cross(List<String> serializers, List<String> compressors) {
    List<Combination> combinations = new ArrayList<>();
    for (String serializer : serializers) {
      for (String compressor : compressors) {
        combinations.add(new Combination(serializer, compressor, null, Form.STREAM));
      }
    }
    return combinations;
  }

  private static List<String> intersection(List<String> ordered, List<String> others) {
    return ordered.stream().filter(others::contains).toList();
  }

  private static List<String> names(List<? extends Codec> codecs) {
    return codecs.stream().map(Codec::name).toList();
  }

  /**
   * The combinations that {@code text} names, as streams: one, or all of a serializer or of a
   * compressor.
   *
   * @throws IllegalArgumentException if it names none, saying in one line what would be right
   */
  static List<Combination> parse(String text) {
    Matcher matcher = PATTERN.matcher(text);
    if (text.isEmpty() || !matcher.matches()) {
      throw new IllegalArgumentException(
          "'%s' is no codec: write %s, such as kryo+lz4".formatted(text, FORM));
    }
    String serializer = matcher.group(1);
    String compressor = matcher.group(2);
    List<String> serializers =
        serializer.isEmpty()
            ? names(Serializers.all())
            : List.of(Serializers.ofName(serializer).name());
    if (compressor == null) {
      return cross(serializers, names(Compressors.all()));
    }
    Integer level = level(Compressors.ofName(compressor), matcher.group(3));
    return serializers.stream()
        .map(name -> new Combination(name, compressor, level, Form.STREAM))
        .toList();
  }

  private static @Nullable Integer level(Compressor compressor, @Nullable String text) {
    if (text == null) {
      return null;
    }
    Levels levels = compressor.levels();
    return levels.require(Integer.parseInt(text), compressor.name());
  }
}
