package io.drayage.bench.codecs;

import io.drayage.bench.published.PublishedFigures;
import io.drayage.codec.CargoFrames;
import io.drayage.codec.Codec;
import io.drayage.codec.Compressor;
import io.drayage.codec.Compressors;
import io.drayage.codec.Serializer;
import io.drayage.codec.Serializers;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A serializer, a compressor and the form of a cargo for them.
 *
 * @param serializer the serializer's name
 * @param compressor the compressor's name
 * @param level the compressor's level; null for its default
 * @param threads codec threads of the sender of its segments; null for the calling thread alone,
 *     without a sender
 */
public record Combination(
    String serializer,
    String compressor,
    @Nullable Integer level,
    Form form,
    @Nullable Integer threads) {
  /** A plain copy of the same pages without a codec: the reference for combinations in segments. */
  public static final Combination COPY = new Combination("copy", "none", null, Form.SEGMENTS);

  /** The baseline of the study. */
  public static final Combination JAVA = new Combination("java", "none", null, Form.STREAM);

  private static final Pattern PATTERN =
      Pattern.compile("([^:+@]*)(?:\\+([^:+@]+)(?::(-?\\d{1,9}))?)?");

  /** Creates a combination for the calling thread. */
  public Combination(String serializer, String compressor, @Nullable Integer level, Form form) {
    this(serializer, compressor, level, form, null);
  }

  public static List<Combination> study() {
    return cross(PublishedFigures.SERIALIZERS, PublishedFigures.COMPRESSORS);
  }

  /** Returns all combinations, in the form of a stream, the study's first. */
  public static List<Combination> all() {
    Set<Combination> all = new LinkedHashSet<>(study());
    all.addAll(cross(names(Serializers.all()), names(Compressors.all())));
    return List.copyOf(all);
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

  private static List<String> names(List<? extends Codec> codecs) {
    return codecs.stream().map(Codec::name).toList();
  }

  /**
   * Returns the combinations that {@code text} names, as streams: one, or all of a serializer or of
   * a compressor.
   *
   * @throws IllegalArgumentException if it names none, with one line that says what is valid
   */
  public static List<Combination> parse(String text) {
    Matcher matcher = PATTERN.matcher(text);
    if (text.isEmpty() || !matcher.matches()) {
      throw new IllegalArgumentException(
          "'%s' is no codec: write SERIALIZER+COMPRESSOR[:LEVEL], SERIALIZER or +COMPRESSOR, such as kryo+lz4"
              .formatted(text));
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
    Compressor named = Compressors.ofName(compressor);
    String level = matcher.group(3);
    Integer checked =
        level == null
            ? null
            : (Integer) named.levels().require(Integer.parseInt(level), compressor);
    return serializers.stream()
        .map(name -> new Combination(name, compressor, checked, Form.STREAM))
        .toList();
  }

  public Serializer newSerializer() {
    return Serializers.ofName(serializer);
  }

  /** Creates the compressor, at the level. */
  public Compressor newCompressor() {
    Compressor atDefault = Compressors.ofName(compressor);
    return level == null ? atDefault : atDefault.atLevel(level);
  }

  /** Creates the object that writes and reads whole cargoes in segments. */
  CargoFrames newFrames() {
    Serializer named = newSerializer();
    return new CargoFrames(named.newSegmentSerializer(), named.id(), newCompressor());
  }

  /** Returns this combination in another form. */
  public Combination in(Form other) {
    return new Combination(serializer, compressor, level, other);
  }

  /** Returns this combination in segments, by a sender with {@code count} codec threads. */
  public Combination onThreads(int count) {
    return new Combination(serializer, compressor, level, Form.SEGMENTS, count);
  }

  /** Returns the study's figure for an input of this size; null if none is comparable. */
  public @Nullable Double published(PublishedFigures figures, long sizeBytes) {
    boolean isAsPublished =
        form == Form.STREAM
            && (level == null || level == Compressors.ofName(compressor).levels().defaultLevel());
    return isAsPublished ? figures.figure(sizeBytes, serializer, compressor) : null;
  }

  /**
   * Returns a text as in a system's notation, {@code kryo+lz4}, {@code raw+zstd:1@2}, with the form
   * if it is not the stream and not in the notation.
   */
  @Override
  public String toString() {
    if (equals(COPY)) {
      return serializer;
    }
    String notation =
        serializer
            + "+"
            + compressor
            + (level == null ? "" : ":" + level)
            + (threads == null ? "" : "@" + threads);
    return form == Form.STREAM || threads != null ? notation : notation + " " + form;
  }
}
