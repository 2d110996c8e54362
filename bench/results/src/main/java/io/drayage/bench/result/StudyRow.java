package io.drayage.bench.result;

import io.drayage.bench.published.PublishedFigures;
import io.drayage.bench.system.SystemUnderTest;
import io.drayage.bench.system.Systems;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One of the study's combinations over gRPC, with our figures and the published ones. A figure that
 * failed, or was not published for this size, is null.
 *
 * @param system the system's notation
 * @param sqS seconds of S+Q, the median
 * @param publishedSqS the study's; its clock ends when the last chunk is sent
 * @param commitS seconds of the whole commit, the median
 * @param publishedCommitS the study's
 * @param commitOverSq the whole commit over S+Q
 * @param publishedCommitOverSq the study's
 * @param score the whole commit over that of Java serialization without compression
 * @param publishedScore the study's
 */
public record StudyRow(
    String system,
    @Nullable Double sqS,
    @Nullable Double publishedSqS,
    @Nullable Double commitS,
    @Nullable Double publishedCommitS,
    @Nullable Double commitOverSq,
    @Nullable Double publishedCommitOverSq,
    @Nullable Double score,
    @Nullable Double publishedScore) {
  /**
   * Returns one row per system, with the study's figures for a size.
   *
   * @param sizeBytes the size that the user asked for
   */
  public static List<StudyRow> of(List<Summary> summaries, long sizeBytes) {
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
              ResultFigures.quotient(publishedCommit, publishedSq),
              speedup == null ? null : (Double) (1 / speedup),
              score.figure(sizeBytes, serializer, compressor)));
    }
    return List.copyOf(rows);
  }
}
