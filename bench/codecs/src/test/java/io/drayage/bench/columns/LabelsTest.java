package io.drayage.bench.columns;

import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.bench.columns.Labels.Box;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class LabelsTest {
  @Test
  void noLabelLiesOnAnother() {
    Box panel = new Box(0, 0, 400, 300);
    Labels labels = new Labels(panel);
    List<Box> placed = new ArrayList<>();
    for (int i = 0; i < 12; i++) {
      labels.avoid(200 + i, 150 - i);
    }
    for (int i = 0; i < 12; i++) {
      Box box = labels.place("columnar-dense", 200 + i, 150 - i);
      assertThat(panel.contains(box)).isTrue();
      assertThat(placed).noneMatch(box::overlaps);
      placed.add(box);
    }
  }
}
