package io.drayage.bench.codecs;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The combinations that are measured, in their order: those of the study first. */
public final class CodecSelection {
  /** The serializer that is also measured in segments unless the user chooses. */
  private static final String SEGMENTED = "raw";

  /** Serializers that flush the stream below whenever their buffer is full. */
  private static final List<String> FLUSHING_SERIALIZERS = List.of("kryo", "kryo-unsafe");

  private CodecSelection() {}

  /**
   * Selects combinations.
   *
   * @param codecs as users name them; all if empty
   * @param form of all of them; null for streams, and {@code raw} in segments too if no codec is
   *     named
   * @param withoutFlush adds Kryo with its flushes kept from the compressor
   * @throws IllegalArgumentException if a codec is unknown, with one line that says what is valid
   */
  public static List<Combination> of(
      List<String> codecs, @Nullable Form form, boolean withoutFlush) {
    List<Combination> streams =
        codecs.isEmpty()
            ? Combination.all()
            : codecs.stream().flatMap(text -> Combination.parse(text).stream()).toList();
    Form chosenForm = form == null ? Form.STREAM : form;
    Set<Combination> chosen = new LinkedHashSet<>();
    streams.forEach(combination -> chosen.add(combination.in(chosenForm)));
    if (form == null && codecs.isEmpty()) {
      streams.stream()
          .filter(combination -> combination.serializer().equals(SEGMENTED))
          .forEach(combination -> chosen.add(combination.in(Form.SEGMENTS)));
    }
    if (withoutFlush) {
      chosen.addAll(unflushed(streams, chosenForm));
    }
    List<Combination> study = Combination.study();
    return Stream.concat(
            chosen.stream().filter(study::contains),
            chosen.stream().filter(combination -> !study.contains(combination)))
        .toList();
  }

  private static List<Combination> unflushed(List<Combination> streams, Form form) {
    List<Combination> unflushed =
        streams.stream()
            .filter(one -> FLUSHING_SERIALIZERS.contains(one.serializer()))
            .map(one -> one.in(Form.NO_FLUSH))
            .toList();
    if (unflushed.isEmpty() || form == Form.SEGMENTS) {
      throw new IllegalArgumentException(
          "--without-flush needs streams of %s, but none is selected"
              .formatted(String.join(" and ", FLUSHING_SERIALIZERS)));
    }
    return unflushed;
  }

  /**
   * Returns the combinations to time: java+none, the reference of all scores, is first. A plain
   * copy is before the first in segments.
   *
   * @param threads measures segments once for each of these numbers of threads; unchanged if empty
   */
  public static List<Combination> forTiming(List<Combination> selected, List<Integer> threads) {
    Set<Combination> timed = new LinkedHashSet<>(List.of(Combination.JAVA));
    for (Combination combination : selected) {
      if (combination.form() == Form.SEGMENTS) {
        timed.add(Combination.COPY);
      }
      if (threads.isEmpty()) {
        timed.add(combination);
      } else {
        threads.forEach(count -> timed.add(combination.onThreads(count)));
      }
    }
    return new ArrayList<>(timed);
  }
}
