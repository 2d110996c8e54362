package io.drayage.bench.study;

import io.drayage.bench.page.Axis;
import io.drayage.bench.page.DotChart;
import io.drayage.bench.page.DotChart.Dot;
import io.drayage.bench.page.DotChart.Series;
import io.drayage.bench.page.Page;
import io.drayage.bench.page.Section;
import io.drayage.bench.table.Table;
import io.drayage.bench.table.Tone;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A study's comparison as a page with charts. */
public final class StudyPage {
  private StudyPage() {}

  /**
   * Makes the page.
   *
   * @param command as the user gave it
   */
  public static Page of(StudyComparison comparison, List<String> leftOut, String command) {
    PublishedStudy study = comparison.study();
    Page page = new Page("Study " + study.name()).subtitle(study.question()).footer(study.source());
    List<String> sentences = StudyText.paragraph(comparison);
    sentences.stream().skip(1).limit(1).forEach(text -> page.verdict(text, Tone.PLAIN));
    sentences.stream().skip(2).forEach(page::remark);
    leftOut.forEach(page::remark);
    Map<String, Section> sections = new LinkedHashMap<>();
    for (String experiment : comparison.experiments()) {
      sections
          .computeIfAbsent(experiment.split("/", 2)[0], page::section)
          .chart(chart(comparison, experiment));
    }
    Section tables = page.section("All figures");
    for (Table table : StudyText.tables(comparison)) {
      tables.table(table);
    }
    tables.preformatted("Command", command);
    return page;
  }

  private static DotChart chart(StudyComparison comparison, String experiment) {
    List<ComparedFigure> rows = comparison.rows(experiment);
    String unit = rows.get(0).unit();
    Series ours = series("ours", rows, ComparedFigure::ours, unit);
    Series published = series("published", rows, ComparedFigure::published, unit);
    boolean isPublished = rows.stream().anyMatch(row -> row.published() != null);
    return new DotChart(
        experiment.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-"),
        experiment,
        isPublished ? "" : "No figures were published for it.",
        Axis.logarithmic(unit, axisUnit(unit)),
        rows.stream().map(ComparedFigure::system).toList(),
        isPublished ? List.of(ours, published) : List.of(ours));
  }

  /** Returns the unit of an axis. Times are plain numbers: the axis has their unit in its title. */
  private static Axis.Unit axisUnit(String unit) {
    return unit.equals("MB") || unit.startsWith("bytes") ? Axis.Unit.BYTES : Axis.Unit.COUNT;
  }

  private static Series series(
      String name,
      List<ComparedFigure> rows,
      Function<ComparedFigure, @Nullable Double> figure,
      String unit) {
    double scale = unit.equals("MB") ? 1e6 : 1;
    return new Series(
        name,
        rows.stream()
            .map(
                row -> {
                  Double value = figure.apply(row);
                  return value == null ? Dot.NONE : new Dot(value * scale, null, null);
                })
            .toList());
  }
}
