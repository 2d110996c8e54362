package io.drayage.bench.codecs;

import io.drayage.bench.codecs.work.Combination;
import io.drayage.bench.codecs.work.Form;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The combinations to measure.
 *
 * @param study those of the study, in its order
 * @param additional the others
 */
public record CodecSelection(List<Combination> study, List<Combination> additional) {
  /** The serializer that is also shown in segments unless the user chooses. */
  private static final String SEGMENTED = "raw";

  /**
   * Selects.
   *
   * @param codecs as users name them; all if empty
   * @param form of all of them; null for streams, and {@code raw} in segments too if no codec is
   *     named
   * @param withoutFlush adds Kryo with its flushes kept from the compressor
   * @throws IllegalArgumentException if a codec is unknown, with one line that tells what would be
   *     right
   */
  public static CodecSelection of(List<String> codecs, @Nullable Form form, boolean withoutFlush) {
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
    return new CodecSelection(
        chosen.stream().filter(study::contains).toList(),
        chosen.stream().filter(combination -> !study.contains(combination)).toList());
  }

  private static List<Combination> unflushed(List<Combination> streams, Form form) {
    List<Combination> unflushed =
        streams.stream()
            .filter(one -> Combination.FLUSHING_SERIALIZERS.contains(one.serializer()))
            .map(one -> one.in(Form.NO_FLUSH))
            .toList();
    if (unflushed.isEmpty() || form == Form.SEGMENTS) {
      throw new IllegalArgumentException(
          "--without-flush is about streams of %s, and none is to be measured"
              .formatted(String.join(" and ", Combination.FLUSHING_SERIALIZERS)));
    }
    return unflushed;
  }

  /** The same, segments once for each count of codec threads; unchanged if there is none. */
  public CodecSelection onThreads(List<Integer> counts) {
    if (counts.isEmpty()) {
      return this;
    }
    Set<Combination> onThreads = new LinkedHashSet<>();
    for (Combination combination : additional) {
      counts.forEach(count -> onThreads.add(combination.onThreads(count)));
    }
    return new CodecSelection(study, List.copyOf(onThreads));
  }

  /** Adds the references of times: java+none, and a plain copy for segments. */
  public CodecSelection forTiming() {
    Set<Combination> withBaseline = new LinkedHashSet<>(List.of(Combination.JAVA));
    withBaseline.addAll(study);
    List<Combination> withCopy = new ArrayList<>(additional);
    for (int i = 0; i < additional.size(); i++) {
      if (additional.get(i).form() == Form.SEGMENTS) {
        withCopy.add(i, Combination.COPY);
        break;
      }
    }
    return new CodecSelection(List.copyOf(withBaseline), withCopy);
  }

  /** All of them, those of the study first. */
  public List<Combination> combinations() {
    return Stream.concat(study.stream(), additional.stream()).toList();
  }
}
