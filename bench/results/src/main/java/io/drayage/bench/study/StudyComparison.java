package io.drayage.bench.study;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.drayage.bench.child.StudyFigure;
import io.drayage.bench.statistics.RankCorrelation;
import io.drayage.bench.study.PublishedStudy.Claim;
import io.drayage.bench.study.PublishedStudy.Figure;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A study's figures beside the published ones. Immutable.
 *
 * @param study the publication
 * @param rows all figures, by experiment in the order in which they were measured
 */
public record StudyComparison(PublishedStudy study, List<ComparedFigure> rows) {
  /**
   * A claim beside our figures.
   *
   * @param claim as published
   * @param ours the factor by which the better system is better here
   */
  public record CheckedClaim(Claim claim, double ours) {
    /** Whether our figures confirm the claim. */
    @JsonProperty
    public boolean holds() {
      return claim.isLimit() ? ours <= claim.factor() : ours >= claim.factor();
    }
  }

  /**
   * The similarity of our order of systems and the published order in an experiment.
   *
   * @param systems number of systems that have both
   * @param correlation Spearman's; null if it has no meaning
   */
  public record Agreement(String experiment, int systems, @Nullable Double correlation) {}

  /** One of our codecs beside the best of the other systems. */
  record Advantage(String experiment, String ours, String best, double times) {}

  public StudyComparison {
    rows = List.copyOf(rows);
  }

  /** Compares measured figures with the publication. */
  public static StudyComparison of(PublishedStudy study, List<StudyFigure> figures) {
    Map<String, List<StudyFigure>> byExperiment = new LinkedHashMap<>();
    for (StudyFigure figure : figures) {
      byExperiment.computeIfAbsent(figure.experiment(), name -> new ArrayList<>()).add(figure);
    }
    List<ComparedFigure> rows = new ArrayList<>();
    byExperiment.forEach(
        (experiment, measured) ->
            rows.addAll(rows(study.name(), measured, study.figures(experiment))));
    return new StudyComparison(study, rows);
  }

  private static List<ComparedFigure> rows(
      String study, List<StudyFigure> measured, List<Figure> published) {
    Map<String, Double> ours = new LinkedHashMap<>();
    measured.forEach(figure -> ours.put(figure.system(), figure.value()));
    Map<String, Figure> theirs = new LinkedHashMap<>();
    published.forEach(figure -> theirs.put(figure.system(), figure));
    Set<String> systems = new LinkedHashSet<>(ours.keySet());
    systems.addAll(theirs.keySet());
    Set<String> ranked = new LinkedHashSet<>(ours.keySet());
    if (!theirs.isEmpty()) {
      ranked.retainAll(theirs.keySet());
    }
    List<Double> rankedOurs = ranked.stream().map(ours::get).toList();
    List<Double> rankedTheirs =
        ranked.stream()
            .map(theirs::get)
            .filter(Objects::nonNull)
            .map(figure -> figure.value())
            .toList();
    String experiment = measured.get(0).experiment();
    String unit = measured.get(0).unit();
    List<ComparedFigure> rows = new ArrayList<>();
    for (String system : systems) {
      Double value = ours.get(system);
      Figure figure = theirs.get(system);
      boolean isRanked = ranked.contains(system);
      rows.add(
          new ComparedFigure(
              study,
              experiment,
              system,
              unit,
              value,
              figure == null || figure.isRank() ? null : (Double) figure.value(),
              isRanked && value != null ? (Double) RankCorrelation.rank(rankedOurs, value) : null,
              isRanked && figure != null
                  ? (Double) RankCorrelation.rank(rankedTheirs, figure.value())
                  : null));
    }
    return rows;
  }

  /** The experiments, in the order in which they were measured. */
  public List<String> experiments() {
    return rows.stream().map(ComparedFigure::experiment).distinct().toList();
  }

  List<ComparedFigure> rows(String experiment) {
    return rows.stream().filter(row -> row.experiment().equals(experiment)).toList();
  }

  /** Whether figures or ranks were published for an experiment. */
  boolean isPublished(String experiment) {
    return rows(experiment).stream().anyMatch(row -> row.publishedRank() != null);
  }

  /** Returns one for each experiment, without a correlation if nothing was published for it. */
  public List<Agreement> agreements() {
    return experiments().stream()
        .map(
            experiment -> {
              List<ComparedFigure> both =
                  rows(experiment).stream().filter(row -> row.publishedRank() != null).toList();
              List<Double> ours = both.stream().map(ComparedFigure::rank).toList();
              List<Double> theirs = both.stream().map(ComparedFigure::publishedRank).toList();
              return new Agreement(experiment, both.size(), RankCorrelation.of(ours, theirs));
            })
        .toList();
  }

  /** The claims whose systems were both measured. */
  public List<CheckedClaim> claims() {
    List<CheckedClaim> checked = new ArrayList<>();
    for (Claim claim : study.claims()) {
      Optional<Double> better = ours(claim.experiment(), claim.better());
      Optional<Double> worse = ours(claim.experiment(), claim.worse());
      if (better.isPresent() && worse.isPresent()) {
        checked.add(new CheckedClaim(claim, worse.get() / better.get()));
      }
    }
    return checked;
  }

  private Optional<Double> ours(String experiment, String system) {
    return rows(experiment).stream()
        .filter(row -> row.system().equals(system) && row.ours() != null)
        .map(row -> Objects.requireNonNull(row.ours()))
        .findFirst();
  }

  /** Each of our codecs in each experiment; above 1 if it beats the best of the others. */
  List<Advantage> advantages() {
    List<Advantage> advantages = new ArrayList<>();
    for (String experiment : experiments()) {
      Optional<ComparedFigure> best =
          rows(experiment).stream()
              .filter(row -> row.ours() != null && !study.ours().contains(row.system()))
              .min((a, b) -> Double.compare(value(a), value(b)));
      for (ComparedFigure row : rows(experiment)) {
        if (best.isPresent() && row.ours() != null && study.ours().contains(row.system())) {
          advantages.add(
              new Advantage(
                  experiment, row.system(), best.get().system(), value(best.get()) / value(row)));
        }
      }
    }
    return advantages;
  }

  private static double value(ComparedFigure row) {
    return Objects.requireNonNull(row.ours());
  }
}
