package io.drayage.study.hazelcast;

import io.drayage.bench.child.StudyFigure;
import io.drayage.bench.child.StudySettings;
import io.drayage.study.JmhCell;
import io.drayage.study.Study;
import io.drayage.study.hazelcast.published.persons.Person;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;

/** Measures the bytes and times of each option. */
public final class HazelcastStudy implements Study {
  private static final int PERSONS = 100_000;
  private static final int TIMED_PERSONS = 10_000;
  private static final JmhCell USUAL = new JmhCell(0, 1, 700, 3, 500);

  /** The study's iterations; its batch of 100 passes only changes the unit. */
  private static final JmhCell FULL = new JmhCell(1, 1, 6_000, 3, 60_000);

  @Override
  public List<String> experiments() {
    return List.of("sizes", "write", "read");
  }

  @Override
  public void run(StudySettings settings, Consumer<StudyFigure> results) throws Exception {
    for (String experiment : experiments()) {
      if (settings.wants(experiment)) {
        if (experiment.equals("sizes")) {
          sizes(settings, results);
        } else {
          times(experiment, settings, results);
        }
      }
    }
  }

  private static void sizes(StudySettings settings, Consumer<StudyFigure> results)
      throws IOException {
    int count = Objects.requireNonNullElse(settings.objects(), PERSONS);
    List<Person> persons = Persons.make(count, settings.seed());
    for (Option option : Options.all()) {
      double bytesEach = (double) totalBytes(option, persons) / count;
      results.accept(new StudyFigure("sizes", option.name(), "bytes/object", bytesEach));
    }
  }

  static long totalBytes(Option option, List<Person> persons) throws IOException {
    long bytes = 0;
    for (Object each : option.own(persons)) {
      bytes += option.write(each).length;
    }
    return bytes;
  }

  private static void times(String direction, StudySettings settings, Consumer<StudyFigure> results)
      throws Exception {
    int count =
        Objects.requireNonNullElse(settings.objects(), settings.isFull() ? PERSONS : TIMED_PERSONS);
    JmhCell cell = settings.isFull() ? FULL : USUAL;
    for (Option option : Options.all()) {
      double ns =
          cell.nsPerCall(
              PassBenchmark.class,
              direction,
              Map.of(
                  "system",
                  option.name(),
                  "objects",
                  Integer.toString(count),
                  "seed",
                  Long.toString(settings.seed())));
      results.accept(new StudyFigure(direction, option.name(), "ns/object", ns / count));
    }
  }
}
