package io.drayage.bench.study;

import static io.drayage.internal.Texts.format;

import io.drayage.bench.report.TerminalText;
import io.drayage.bench.study.StudyComparison.Advantage;
import io.drayage.bench.study.StudyComparison.Agreement;
import io.drayage.bench.study.StudyComparison.CheckedClaim;
import io.drayage.bench.table.Format;
import io.drayage.bench.table.Table;
import io.drayage.bench.table.TableBuilder;
import io.drayage.bench.table.TableCell;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** A study's comparison in tables and sentences. */
public final class StudyText {
  private static final Format PLACE =
      new Format("", 1, value -> value % 1 == 0 ? format("%.0f", value) : format("%.1f", value));

  private StudyText() {}

  /** Returns the lines for a terminal: tables, omitted experiments, and the paragraph. */
  public static List<String> of(StudyComparison comparison, List<String> leftOut) {
    List<String> lines = new ArrayList<>();
    for (Table table : tables(comparison)) {
      lines.add(table.title());
      lines.addAll(table.toText());
      lines.add("");
    }
    lines.addAll(leftOut);
    for (String sentence : paragraph(comparison)) {
      lines.addAll(TerminalText.wrapped(sentence));
    }
    return lines;
  }

  /**
   * Makes one table for each experiment for which figures were published; the others share one if
   * the first part of their names is the same.
   */
  static List<Table> tables(StudyComparison comparison) {
    List<Table> tables = new ArrayList<>();
    Map<String, List<String>> groups = new LinkedHashMap<>();
    for (String experiment : comparison.experiments()) {
      if (comparison.isPublished(experiment)) {
        tables.add(besidePublished(comparison.rows(experiment)));
      } else {
        String group = experiment.split("/", 2)[0] + ", " + unit(comparison, experiment);
        groups.computeIfAbsent(group, name -> new ArrayList<>()).add(experiment);
      }
    }
    groups.forEach((title, experiments) -> tables.add(beside(comparison, title, experiments)));
    return tables;
  }

  private static String unit(StudyComparison comparison, String experiment) {
    return comparison.rows(experiment).get(0).unit();
  }

  private static Table besidePublished(List<ComparedFigure> rows) {
    ComparedFigure first = rows.get(0);
    return Table.of("%s, %s".formatted(first.experiment(), first.unit()), rows)
        .text("system", ComparedFigure::system)
        .number("ours", Format.DIGITS, ComparedFigure::ours)
        .number("published", Format.DIGITS, ComparedFigure::published)
        .number("ratio", Format.RATIO, ComparedFigure::ratio)
        .number("rank", PLACE, ComparedFigure::rank)
        .number("published rank", PLACE, ComparedFigure::publishedRank)
        .build();
  }

  private static Table beside(StudyComparison comparison, String title, List<String> experiments) {
    Set<String> systems = new LinkedHashSet<>();
    experiments.forEach(
        experiment -> comparison.rows(experiment).forEach(row -> systems.add(row.system())));
    TableBuilder<String> table = Table.<String>of(title, systems).text("system", name -> name);
    for (String experiment : experiments) {
      Map<String, ComparedFigure> rows =
          comparison.rows(experiment).stream()
              .collect(Collectors.toMap(ComparedFigure::system, row -> row));
      table
          .cells(
              experiment.contains("/") ? experiment.split("/", 2)[1] : experiment,
              "",
              true,
              system ->
                  rows.containsKey(system)
                      ? Format.DIGITS.cell(rows.get(system).ours())
                      : TableCell.NONE)
          .mark(system -> rows.containsKey(system) && isFirst(rows.get(system)));
    }
    return table.build();
  }

  private static boolean isFirst(ComparedFigure row) {
    Double rank = row.rank();
    return rank != null && rank < 2;
  }

  /** Describes the confirmed claims, the agreement with the published order, and our advantages. */
  static List<String> paragraph(StudyComparison comparison) {
    List<String> sentences = new ArrayList<>();
    sentences.add(comparison.study().question() + " " + comparison.study().source() + ".");
    List<CheckedClaim> claims = comparison.claims();
    if (!claims.isEmpty()) {
      long hold = claims.stream().filter(CheckedClaim::holds).count();
      sentences.add(format("%d of %d published claims hold here.", hold, claims.size()));
      addClaims(sentences, "Hold: ", claims.stream().filter(CheckedClaim::holds).toList());
      addClaims(
          sentences, "Do not hold: ", claims.stream().filter(claim -> !claim.holds()).toList());
    }
    String order =
        comparison.agreements().stream()
            .filter(agreement -> agreement.correlation() != null)
            .map(StudyText::agreement)
            .collect(Collectors.joining(", "));
    if (!order.isEmpty()) {
      sentences.add("Rank correlation with the published order: %s.".formatted(order));
    }
    for (String ours : comparison.study().ours()) {
      addAdvantages(
          sentences,
          ours,
          comparison.advantages().stream().filter(each -> each.ours().equals(ours)).toList());
    }
    return sentences;
  }

  private static void addClaims(List<String> sentences, String start, List<CheckedClaim> claims) {
    if (!claims.isEmpty()) {
      sentences.add(
          claims.stream().map(StudyText::claim).collect(Collectors.joining("; ", start, ".")));
    }
  }

  private static String claim(CheckedClaim checked) {
    return format(
        "%s: %s before %s by at %s %.3g (here %.3g)",
        checked.claim().experiment(),
        checked.claim().better(),
        checked.claim().worse(),
        checked.claim().isLimit() ? "most" : "least",
        checked.claim().factor(),
        checked.ours());
  }

  private static String agreement(Agreement agreement) {
    return format(
        "%s %.2f of %d systems",
        agreement.experiment(), agreement.correlation(), agreement.systems());
  }

  private static void addAdvantages(
      List<String> sentences, String ours, List<Advantage> advantages) {
    List<Advantage> won = advantages.stream().filter(each -> each.times() > 1).toList();
    if (!advantages.isEmpty()) {
      sentences.add(
          format(
              "%s is the best in %d of %d%s",
              ours,
              won.size(),
              advantages.size(),
              won.stream()
                  .map(StudyText::advantage)
                  .collect(Collectors.joining("; ", won.isEmpty() ? "" : ": ", "."))));
    }
  }

  private static String advantage(Advantage advantage) {
    return format(
        "%s, %.2f times as good as %s",
        advantage.experiment(), advantage.times(), advantage.best());
  }
}
