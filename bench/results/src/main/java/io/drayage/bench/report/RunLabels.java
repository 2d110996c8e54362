package io.drayage.bench.report;

import static io.drayage.internal.Texts.format;

import io.drayage.bench.result.ResultFolder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/** Labels that distinguish several runs. */
final class RunLabels {
  private static final List<Function<ReportRun, String>> PARTS =
      List.of(
          ReportRun::link,
          ReportRun::cargo,
          run -> run.workers() == 1 ? "1 worker" : run.workers() + " workers",
          run -> run.extent().equals("whole") ? "whole commits" : "into memory");

  private RunLabels() {}

  /** Returns one label a run, all different: the differences of the runs, else their names. */
  static List<String> of(List<ReportRun> runs) {
    List<Function<ReportRun, String>> telling =
        PARTS.stream().filter(part -> runs.stream().map(part).distinct().count() > 1).toList();
    List<String> labels = new ArrayList<>();
    for (ReportRun run : runs) {
      String label = String.join(", ", telling.stream().map(part -> part.apply(run)).toList());
      labels.add(label.isEmpty() ? place(run) : label);
    }
    Set<String> seen = new HashSet<>();
    for (int i = 0; i < labels.size(); i++) {
      String label = labels.get(i);
      for (int n = 2; !seen.add(labels.get(i)); n++) {
        labels.set(i, format("%s (%d)", label, n));
      }
    }
    return labels;
  }

  private static String place(ReportRun run) {
    Path file = run.file();
    Path folder = file.toAbsolutePath().getParent();
    boolean isRunFolder = file.endsWith(ResultFolder.RESULT) && folder != null;
    Path named = isRunFolder ? folder.getFileName() : file.getFileName();
    return named == null ? file.toString() : named.toString();
  }
}
