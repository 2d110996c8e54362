package io.drayage.bench.study;

import com.fasterxml.jackson.databind.json.JsonMapper;
import io.drayage.bench.published.PublishedFigures;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A publication with its question, its figures and its claims, read from {@code
 * docs/published/study-*.json}. For every figure, less is better. Immutable.
 *
 * @param name of the study, and of its module
 * @param question that it answers
 * @param source the place of publication
 * @param ours the systems that this project adds as its own codecs
 * @param systems published names, by our names; equal names are left out
 * @param columns the columns of its figures
 * @param claims its claims about the figures
 */
public record PublishedStudy(
    String name,
    String question,
    String source,
    List<String> ours,
    Map<String, String> systems,
    List<Column> columns,
    List<Claim> claims) {
  public static final List<String> NAMES =
      List.of("sikdar", "hazelcast", "chronicle", "serialize4j");

  public PublishedStudy {
    ours = List.copyOf(ours);
    systems = Map.copyOf(systems);
    columns = List.copyOf(columns);
    claims = List.copyOf(claims);
  }

  /**
   * A column of a table.
   *
   * @param experiment the experiment of the figures
   * @param file the table, in {@code docs/published}
   * @param system the heading of the systems' names
   * @param value the heading of the figures
   * @param factor converts them to the experiment's unit; null if they are ranks
   * @param only the rows to read, by heading and content; null for all
   */
  public record Column(
      String experiment,
      String file,
      String system,
      String value,
      @Nullable Double factor,
      @Nullable Map<String, String> only) {
    boolean isTaken(Map<String, String> row) {
      return only == null || only.entrySet().stream().allMatch(row.entrySet()::contains);
    }
  }

  /**
   * A claim that one system is better than another by a factor.
   *
   * @param experiment the experiment of the claim
   * @param better the better system by the claim
   * @param worse the other
   * @param factor the published factor
   * @param isLimit whether the published factor is the most, rather than the least
   */
  public record Claim(
      String experiment, String better, String worse, double factor, boolean isLimit) {}

  record Figure(String system, double value, boolean isRank) {}

  /** Reads the publication of this name. */
  public static PublishedStudy ofName(String name) {
    try (InputStream in = PublishedFigures.open("study-%s.json".formatted(name))) {
      return JsonMapper.builder().build().readValue(in, PublishedStudy.class);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns the figures of an experiment, under our names; empty if none were published. */
  List<Figure> figures(String experiment) {
    List<Figure> figures = new ArrayList<>();
    for (Column column : columns) {
      if (!column.experiment.equals(experiment)) {
        continue;
      }
      Double factor = column.factor;
      for (Map<String, String> row : PublishedFigures.rows(column.file)) {
        if (column.isTaken(row)) {
          double value = Double.parseDouble(row.get(column.value));
          figures.add(
              new Figure(
                  nameHere(row.get(column.system)),
                  factor == null ? value : value * factor,
                  factor == null));
        }
      }
    }
    return figures;
  }

  private String nameHere(String published) {
    return systems.entrySet().stream()
        .filter(entry -> entry.getValue().equals(published))
        .map(Map.Entry::getKey)
        .findFirst()
        .orElse(published);
  }
}
