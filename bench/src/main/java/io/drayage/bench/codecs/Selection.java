package io.drayage.bench.codecs;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The combinations that are to be measured.
 *
 * @param study those of the study, in its order
 * @param additional the others
 */
record Selection(List<Combination> study, List<Combination> additional) {
  /** The serializer that is also shown in segments unless the user chooses. */
  private static final String SEGMENTED = "raw";

  /**
   * What the options ask for.
   *
   * @throws IllegalArgumentException if they name no codec, or one that there is not, saying in one
   *     line what would be right
   */
  static Selection of(CodecOptions options) {
    List<Combination> streams = options.codecs.isEmpty() ? all() : parsed(options.codecs);
    Set<Combination> chosen = new LinkedHashSet<>();
    Form form = options.form == null ? Form.STREAM : options.form;
    streams.forEach(combination -> chosen.add(combination.in(form)));
    if (options.form == null && options.codecs.isEmpty()) {
      streams.stream()
          .filter(combination -> combination.serializer().equals(SEGMENTED))
          .forEach(combination -> chosen.add(combination.in(Form.SEGMENTS)));
    }
    if (options.withoutFlush) {
      chosen.addAll(unflushed(streams, form));
    }
    Set<Combination> study = new LinkedHashSet<>(Combinations.study());
    return new Selection(
        chosen.stream().filter(study::contains).toList(),
        chosen.stream().filter(combination -> !study.contains(combination)).toList());
  }

  private static List<Combination> all() {
    return Stream.concat(Combinations.study().stream(), Combinations.additional().stream())
        .toList();
  }

  private static List<Combination> parsed(List<String> codecs) {
    List<Combination> combinations = new ArrayList<>();
    codecs.forEach(text -> combinations.addAll(Combinations.parse(text)));
    return combinations;
  }

  private static List<Combination> unflushed(List<Combination> streams, Form form) {
    List<Combination> unflushed =
        streams.stream()
            .filter(
                combination -> Combinations.FLUSHING_SERIALIZERS.contains(combination.serializer()))
            .map(combination -> combination.in(Form.NO_FLUSH))
            .toList();
    if (unflushed.isEmpty() || form == Form.SEGMENTS) {
      throw new IllegalArgumentException(
          "--without-flush is about streams of %s, and none is to be measured"
              .formatted(String.join(" and ", Combinations.FLUSHING_SERIALIZERS)));
    }
    return unflushed;
  }

  /** The same, segments once for each count of codec threads; as they are if there is none. */
  Selection onThreads(List<Integer> counts) {
    if (counts.isEmpty()) {
      return this;
    }
    Set<Combination> onThreads = new LinkedHashSet<>();
    for (Combination combination : additional) {
      counts.forEach(count -> onThreads.add(combination.onThreads(count)));
    }
    return new Selection(study, List.copyOf(onThreads));
  }

  /** The same with what times are compared with: java+none, and a plain copy for segments. */
  Selection forTiming() {
    Set<Combination> withBaseline = new LinkedHashSet<>(List.of(Timing.BASELINE));
    withBaseline.addAll(study);
    List<Combination> withCopy = new ArrayList<>(additional);
    int firstSegments = 0;
    while (firstSegments < withCopy.size() && withCopy.get(firstSegments).form() != Form.SEGMENTS) {
      firstSegments++;
    }
    if (firstSegments < withCopy.size()) {
      withCopy.add(firstSegments, Combination.COPY);
    }
    return new Selection(List.copyOf(withBaseline), withCopy);
  }

  /** All of them, those of the study first. */
  List<Combination> combinations() {
    return Stream.concat(study.stream(), additional.stream()).toList();
  }
}
