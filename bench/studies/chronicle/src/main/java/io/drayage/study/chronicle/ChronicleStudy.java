package io.drayage.study.chronicle;

import io.drayage.bench.child.StudyFigure;
import io.drayage.bench.child.StudySettings;
import io.drayage.study.JmhCell;
import io.drayage.study.Study;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** Measures the bytes of an object, and the ns of writing and reading it. */
public final class ChronicleStudy implements Study {
  /** The study's iterations, each in a separate process. */
  private static final JmhCell USUAL = new JmhCell(1, 5, 200, 5, 500);

  private static final JmhCell FULL = new JmhCell(5, 5, 200, 5, 500);

  @Override
  public List<String> experiments() {
    return List.of("sizes", "write", "read");
  }

  @Override
  public void run(StudySettings settings, Consumer<StudyFigure> results) throws Exception {
    for (String experiment : experiments()) {
      if (!settings.wants(experiment)) {
        continue;
      }
      for (String system : ComparedSystems.names()) {
        if (experiment.equals("sizes")) {
          results.accept(new StudyFigure(experiment, system, "bytes/object", bytes(system)));
          continue;
        }
        double ns = ns(experiment, system, settings);
        results.accept(new StudyFigure(experiment, system, "ns/object", ns));
      }
    }
  }

  static double bytes(String name) throws IOException {
    try (MarketDataSystem system = ComparedSystems.ofName(name)) {
      return (double) system.write(system.newObject()) / system.objectsPerCall();
    }
  }

  private static double ns(String method, String name, StudySettings settings) throws Exception {
    JmhCell cell = settings.isFull() ? FULL : USUAL;
    double ns = cell.nsPerCall(CallBenchmark.class, method, Map.of("system", name));
    try (MarketDataSystem system = ComparedSystems.ofName(name)) {
      return ns / system.objectsPerCall();
    }
  }
}
