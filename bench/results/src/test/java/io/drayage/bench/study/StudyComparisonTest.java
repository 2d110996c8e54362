package io.drayage.bench.study;

import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.bench.child.StudyFigure;
import io.drayage.bench.study.PublishedStudy.Claim;
import io.drayage.bench.study.PublishedStudy.Column;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class StudyComparisonTest {
  /** Published: Serializable 402, Externalizable 210, Kryo 39 bytes, and others. */
  private static final PublishedStudy STUDY =
      new PublishedStudy(
          "sample",
          "What does it cost?",
          "Somewhere, 2021",
          List.of("raw"),
          Map.of("java", "java.io.Serializable"),
          List.of(
              new Column(
                  "first", "person_sizes_100k.csv", "option", "first_object_bytes", 2.0, Map.of())),
          List.of(
              new Claim("first", "Kryo", "java", 10, false),
              new Claim("first", "Kryo", "java", 10, true),
              new Claim("first", "Kryo", "absent", 1, false)));

  private static final StudyComparison COMPARISON =
      StudyComparison.of(
          STUDY,
          List.of(
              new StudyFigure("first", "java", "bytes", 402),
              new StudyFigure("first", "java.io.Externalizable", "bytes", 30),
              new StudyFigure("first", "Kryo", "bytes", 39),
              new StudyFigure("first", "raw", "bytes", 13),
              new StudyFigure("other", "raw", "ns", 4),
              new StudyFigure("other", "Kryo", "ns", 2)));

  private static ComparedFigure row(String experiment, String system) {
    return COMPARISON.rows(experiment).stream()
        .filter(row -> row.system().equals(system))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void joinsThePublishedFigureByItsNameHere() {
    ComparedFigure java = row("first", "java");
    assertThat(java.published()).isEqualTo(804);
    assertThat(java.ratio()).isEqualTo(0.5);
    assertThat(row("first", "Avro").ours()).isNull();
    assertThat(row("first", "Avro").published()).isEqualTo(86);
  }

  @Test
  void ranksTheSystemsThatHaveBothFigures() {
    assertThat(row("first", "java.io.Externalizable").rank()).isEqualTo(1);
    assertThat(row("first", "java.io.Externalizable").publishedRank()).isEqualTo(2);
    assertThat(row("first", "raw").rank()).isNull();
    assertThat(row("other", "raw").rank()).isEqualTo(2);
    assertThat(row("other", "raw").publishedRank()).isNull();
    assertThat(COMPARISON.agreements())
        .extracting(StudyComparison.Agreement::correlation)
        .containsExactly(0.5, null);
  }

  @Test
  void checksTheClaimsWhoseSystemsWereMeasured() {
    assertThat(COMPARISON.claims())
        .extracting(StudyComparison.CheckedClaim::holds)
        .containsExactly(true, false);
  }

  @Test
  void saysWhatOursWin() {
    assertThat(StudyText.of(COMPARISON, List.of("left out, because the time is over: sort")))
        .contains("left out, because the time is over: sort", "1 of 2 published claims hold here.")
        .anyMatch(line -> line.startsWith("raw is the best in 1 of 2: first, 2.31 times as good"));
  }

  @Test
  void drawsAChartOfEachExperiment() {
    assertThat(StudyPage.of(COMPARISON, List.of(), "./drayage study sample").chartIds())
        .containsExactly("first", "other");
  }
}
