package io.drayage.cli.compare;

import io.drayage.bench.TextTable;
import io.drayage.bench.published.PublishedFigures;
import io.drayage.bench.result.StudyRow;
import io.drayage.bench.result.Summary;
import io.drayage.bench.system.SystemUnderTest;
import io.drayage.bench.system.Systems;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The study's table of whole commits, its 20 combinations over gRPC, beside ours. */
final class Study {
  static final int ITERATIONS = 3;
  static final int WARMUP = 1;

  private static final List<String> HEADINGS =
      List.of(
          "system",
          "S+Q s",
          "published",
          "commit s",
          "published",
          "commit/S+Q",
          "published",
          "score",
          "published");

  private Study() {}

  /** What the study compared, in its order. */
  static List<SystemUnderTest> systems() {
    List<SystemUnderTest> systems = new ArrayList<>();
    for (String serializer : PublishedFigures.SERIALIZERS) {
      for (String compressor : PublishedFigures.COMPRESSORS) {
        systems.add(Systems.notation().parse("grpc:%s+%s".formatted(serializer, compressor)));
      }
    }
    return systems;
  }

  /**
   * The rows of the table.
   *
   * @param sizeBytes the size that was asked for
   */
  static List<StudyRow> rows(List<Summary> summaries, long sizeBytes) {
    PublishedFigures sq = PublishedFigures.of("throughput.csv", "serialize_and_drain_s");
    PublishedFigures commit = PublishedFigures.of("throughput.csv", "commit_s");
    PublishedFigures score = PublishedFigures.of("throughput.csv", "score_vs_java_none");
    List<StudyRow> rows = new ArrayList<>();
    for (Summary summary : summaries) {
      SystemUnderTest system = Systems.notation().parse(summary.system());
      String serializer = system.serializer();
      String compressor = system.compressor();
      Double publishedSq = sq.figure(sizeBytes, serializer, compressor);
      Double publishedCommit = commit.figure(sizeBytes, serializer, compressor);
      Double speedup = summary.commitSpeedup();
      rows.add(
          new StudyRow(
              summary.system(),
              summary.sqMedianS(),
              publishedSq,
              summary.commitMedianS(),
              publishedCommit,
              summary.commitOverSq(),
              publishedSq == null || publishedCommit == null
                  ? null
                  : (Double) (publishedCommit / publishedSq),
              speedup == null ? null : (Double) (1 / speedup),
              score.figure(sizeBytes, serializer, compressor)));
    }
    return List.copyOf(rows);
  }

  /** The table for a terminal. */
  static List<String> lines(List<StudyRow> rows) {
    TextTable table = new TextTable(HEADINGS);
    for (StudyRow row : rows) {
      table.add(
          List.of(
              row.system(),
              number("%.3f", row.sqS()),
              number("%.2f", row.publishedSqS()),
              number("%.3f", row.commitS()),
              number("%.2f", row.publishedCommitS()),
              number("%.2f", row.commitOverSq()),
              number("%.2f", row.publishedCommitOverSq()),
              number("%.2f", row.score()),
              number("%.2f", row.publishedScore())));
    }
    List<String> lines = new ArrayList<>(table.lines());
    lines.add("published: 1 Gbit/s, S+Q until the last chunk is sent");
    lines.add("ours: loopback, S+Q until the transactor holds the cargo");
    lines.add("score: the whole commit over that of grpc:java+none in the same group of turns");
    return lines;
  }

  private static String number(String format, @Nullable Double value) {
    return value == null ? "-" : String.format(Locale.ROOT, format, value);
  }
}
