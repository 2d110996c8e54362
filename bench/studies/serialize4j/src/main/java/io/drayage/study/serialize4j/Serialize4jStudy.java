package io.drayage.study.serialize4j;

import static io.drayage.internal.Texts.format;

import io.drayage.bench.child.StudyFigure;
import io.drayage.bench.child.StudySettings;
import io.drayage.study.JmhCell;
import io.drayage.study.Study;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;

/**
 * Measures bytes and times of each class with a thousand objects, and times of the largest class by
 * the number of objects.
 */
public final class Serialize4jStudy implements Study {
  private static final int OBJECTS = 1_000;
  private static final String LARGEST = "TenField";
  private static final List<Integer> COUNTS = List.of(1, 100, 10_000);
  private static final List<Integer> FULL_COUNTS = List.of(1, 10, 100, 10_000, 100_000);
  private static final JmhCell USUAL = new JmhCell(0, 1, 300, 1, 150);
  private static final JmhCell FULL = new JmhCell(2, 3, 1_000, 5, 1_000);

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
          new Times(experiment, settings, results).run();
        }
      }
    }
  }

  private static int objects(StudySettings settings) {
    return Objects.requireNonNullElse(settings.objects(), OBJECTS);
  }

  private static Class<?> type(String name) {
    return Beans.make(name, 1, 1).get(0).getClass();
  }

  private static void sizes(StudySettings settings, Consumer<StudyFigure> results)
      throws IOException {
    for (String type : Beans.names()) {
      List<Object> objects = Beans.make(type, objects(settings), settings.seed());
      for (String system : Libraries.names(type(type))) {
        double bytes =
            Libraries.ofName(system, type(type)).write(objects).stream()
                .mapToLong(each -> each.length)
                .sum();
        results.accept(
            new StudyFigure("sizes/" + type, system, "bytes/object", bytes / objects.size()));
      }
    }
  }

  private record Times(String direction, StudySettings settings, Consumer<StudyFigure> results) {
    void run() throws Exception {
      for (String type : Beans.names()) {
        measure(direction + "/" + type, type, objects(settings));
      }
      for (int count : settings.isFull() ? FULL_COUNTS : COUNTS) {
        measure(format("%s/%s x %d", direction, LARGEST, count), LARGEST, count);
      }
    }

    private void measure(String experiment, String type, int count) throws Exception {
      JmhCell cell = settings.isFull() ? FULL : USUAL;
      for (String system : Libraries.names(type(type))) {
        double ns =
            cell.nsPerCall(
                BatchBenchmark.class,
                direction,
                Map.of(
                    "system",
                    system,
                    "type",
                    type,
                    "objects",
                    Integer.toString(count),
                    "seed",
                    Long.toString(settings.seed())));
        results.accept(new StudyFigure(experiment, system, "ns/object", ns / count));
      }
    }
  }
}
