package io.drayage.study.chronicle;

import io.drayage.study.JmhCell;
import io.drayage.study.Measurement;
import io.drayage.study.Study;
import io.drayage.study.StudySettings;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** Bytes of an object, and ns of writing and reading it; the number of objects does not matter. */
public final class ChronicleStudy implements Study {
  /** The study's iterations, in a process of its own each. */
  private static final JmhCell USUAL = new JmhCell(1, 5, 200, 5, 500);

  private static final JmhCell FULL = new JmhCell(5, 5, 200, 5, 500);

  @Override
  public List<String> experiments() {
    return List.of("sizes", "write", "read");
  }

  @Override
  public void run(StudySettings settings, Consumer<Measurement> results) throws Exception {
    for (String experiment : experiments()) {
      if (settings.experiment() == null || settings.experiment().equals(experiment)) {
        for (String system : Systems.names()) {
          results.accept(
              experiment.equals("sizes")
                  ? new Measurement(experiment, system, "bytes/object", bytes(system))
                  : new Measurement(
                      experiment, system, "ns/object", ns(experiment, system, settings)));
        }
      }
    }
  }

  static double bytes(String name) throws IOException {
    try (MarketDataSystem system = Systems.ofName(name)) {
      return (double) system.write(Systems.object(system, false, 0)) / system.objectsPerCall();
    }
  }

  private static double ns(String direction, String name, StudySettings settings) throws Exception {
    JmhCell cell = settings.isFull() ? FULL : USUAL;
    double ns =
        cell.nsPerCall(
            CallBenchmark.class,
            direction,
            Map.of(
                "system",
                name,
                "isRandom",
                Boolean.toString(settings.isFull()),
                "seed",
                Long.toString(settings.seed())));
    try (MarketDataSystem system = Systems.ofName(name)) {
      return ns / system.objectsPerCall();
    }
  }
}
