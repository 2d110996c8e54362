package io.drayage.study.sikdar;

import io.drayage.bench.child.StudyFigure;
import io.drayage.bench.child.StudySettings;
import io.drayage.study.Study;
import io.drayage.study.sikdar.form.ObjectKind;
import io.drayage.study.sikdar.form.Rows;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The study's experiments. */
public final class SikdarStudy implements Study {
  private static final List<String> EXPERIMENTS =
      List.of("sizes", "read", "network", "sort", "aggregate");

  private static final Map<ObjectKind, Integer> SIZES =
      Map.of(ObjectKind.PART, 20_000, ObjectKind.LINE_ITEM, 20_000, ObjectKind.CUSTOMER, 200);
  private static final Map<ObjectKind, Integer> READ =
      Map.of(ObjectKind.PART, 10_000, ObjectKind.LINE_ITEM, 5_000, ObjectKind.CUSTOMER, 200);
  private static final Map<ObjectKind, Integer> READ_FULL =
      Map.of(ObjectKind.PART, 100_000, ObjectKind.LINE_ITEM, 100_000, ObjectKind.CUSTOMER, 100_000);
  private static final Map<ObjectKind, Integer> SHIP_FULL =
      Map.of(
          ObjectKind.PART,
          1_000_000,
          ObjectKind.LINE_ITEM,
          1_000_000,
          ObjectKind.CUSTOMER,
          100_000);
  private static final Map<ObjectKind, Integer> SORT =
      Map.of(ObjectKind.PART, 16_000, ObjectKind.LINE_ITEM, 5_000, ObjectKind.CUSTOMER, 200);
  private static final Map<ObjectKind, Integer> SORT_FULL =
      Map.of(
          ObjectKind.PART, 24_000_000,
          ObjectKind.LINE_ITEM, 12_000_000,
          ObjectKind.CUSTOMER, 300_000);
  private static final int SLOTS = 200_000;
  private static final int SLOTS_FULL = 100_000_000;

  @Override
  public List<String> experiments() {
    return EXPERIMENTS;
  }

  @Override
  public void run(StudySettings settings, Consumer<StudyFigure> results) throws Exception {
    long startNs = System.nanoTime();
    Map<ObjectKind, List<?>> distinct = Rows.distinct(settings.isFull());
    List<String> chosen = EXPERIMENTS.stream().filter(settings::wants).toList();
    for (int i = 0; i < chosen.size(); i++) {
      double spentSeconds = (System.nanoTime() - startNs) / 1e9;
      double share = (settings.budgetSeconds() - spentSeconds) / (chosen.size() - i);
      run(chosen.get(i), new Source(distinct, settings), Deadline.inSeconds(share), results);
    }
  }

  private static void run(
      String experiment, Source source, Deadline deadline, Consumer<StudyFigure> results)
      throws Exception {
    switch (experiment) {
      case "sizes" -> Sizes.run(source.loads(SIZES, null), deadline, results);
      case "read" ->
          ReadExperiment.run(
              source.loads(READ, READ_FULL), source.settings().seed(), deadline, results);
      case "network" -> {
        try (ObjectServer.Child servers = ObjectServer.Child.start(source.settings())) {
          new NetworkExperiment(servers.address(), source.settings().servers().link(), results)
              .run(source.loads(READ, SHIP_FULL), deadline);
        }
      }
      case "sort" ->
          SortExperiment.run(
              source.loads(SORT, SORT_FULL), source.settings().seed(), deadline, results);
      case "aggregate" ->
          AggregateExperiment.run(
              source.count(SLOTS, SLOTS_FULL), source.settings().seed(), deadline, results);
      default -> throw new IllegalArgumentException(experiment);
    }
  }

  /** The objects, as many as the settings request. */
  private record Source(Map<ObjectKind, List<?>> distinct, StudySettings settings) {
    int count(int usual, int full) {
      Integer wanted = settings.objects();
      return wanted != null ? wanted : settings.isFull() ? full : usual;
    }

    /** Returns the workloads; a null {@code full} handles every distinct object once. */
    List<SikdarWorkload> loads(
        Map<ObjectKind, Integer> usual, @Nullable Map<ObjectKind, Integer> full) {
      return List.of(ObjectKind.PART, ObjectKind.LINE_ITEM, ObjectKind.CUSTOMER).stream()
          .map(
              kind -> {
                List<?> objects = distinct.get(kind);
                int all = full == null ? objects.size() : full.get(kind);
                return new SikdarWorkload(kind, objects, count(usual.get(kind), all));
              })
          .toList();
    }
  }
}
