package io.drayage.bench.statistics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Test;

class RankCorrelationTest {
  @Test
  void comparesOrders() {
    assertThat(RankCorrelation.of(List.of(1.0, 2.0, 9.0), List.of(10.0, 20.0, 21.0))).isEqualTo(1);
    assertThat(RankCorrelation.of(List.of(1.0, 2.0, 9.0), List.of(3.0, 2.0, 1.0))).isEqualTo(-1);
    // 1 - 6 * (1 + 1) / (4 * 15)
    assertThat(RankCorrelation.of(List.of(1.0, 2.0, 3.0, 4.0), List.of(2.0, 1.0, 3.0, 4.0)))
        .isCloseTo(0.8, within(1e-12));
  }

  @Test
  void equalFiguresShareARank() {
    assertThat(RankCorrelation.rank(List.of(5.0, 5.0, 7.0), 5.0)).isEqualTo(1.5);
    assertThat(RankCorrelation.rank(List.of(5.0, 5.0, 7.0), 7.0)).isEqualTo(3);
  }

  @Test
  void hasNoMeaningForFewOrEqualFigures() {
    assertThat(RankCorrelation.of(List.of(1.0, 2.0), List.of(1.0, 2.0))).isNull();
    assertThat(RankCorrelation.of(List.of(1.0, 1.0, 1.0), List.of(1.0, 2.0, 3.0))).isNull();
  }
}
