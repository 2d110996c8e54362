package io.drayage.study.sikdar;

import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.bench.child.StudyFigure;
import io.drayage.study.sikdar.form.Formats;
import io.drayage.study.sikdar.form.ObjectKind;
import io.drayage.study.sikdar.form.PageFormat;
import io.drayage.study.sikdar.form.Samples;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Runs each experiment, which itself checks the results of its systems. */
@Timeout(180)
class ExperimentsTest {
  private static final List<SikdarWorkload> LOADS =
      List.of(
          new SikdarWorkload(ObjectKind.PART, Samples.ROWS.parts(), 60),
          new SikdarWorkload(ObjectKind.LINE_ITEM, Samples.ROWS.lineItems(50), 40),
          new SikdarWorkload(ObjectKind.CUSTOMER, Samples.ROWS.customers(3), 3));

  private static final List<SikdarWorkload> PARTS = LOADS.subList(0, 1);

  private final List<StudyFigure> measurements = new ArrayList<>();

  @Test
  void sizesOfEverySystem() throws Exception {
    Sizes.run(LOADS, Deadline.inSeconds(100), measurements::add);
    assertThat(measurements).hasSize(3 * 13);
    hasAllValues();
  }

  @Test
  void everySystemReadsWhatItWrote() throws Exception {
    ReadExperiment.run(PARTS, 1, Deadline.inSeconds(100), measurements::add);
    assertThat(measurements).hasSize(2 * Formats.all().size());
    hasAllValues();
  }

  @Test
  void everySystemShipsAllObjects() throws Exception {
    try (ObjectServer server =
        new ObjectServer(
            InetAddress.getLoopbackAddress(), Map.of(ObjectKind.PART, Samples.ROWS.parts()))) {
      new NetworkExperiment(server.address(), "loopback", measurements::add)
          .run(PARTS, Deadline.inSeconds(100));
    }
    assertThat(measurements).hasSize(2 * Formats.all().size());
    hasAllValues();
  }

  @Test
  void everySystemSortsAndRemovesDuplicates() throws Exception {
    SortExperiment.run(LOADS, 1, Deadline.inSeconds(100), measurements::add);
    assertThat(measurements).hasSize(3 * Formats.all().size());
    hasAllValues();
  }

  @Test
  void everySystemAddsUpVectors() throws Exception {
    AggregateExperiment.run(500, 1, Deadline.inSeconds(100), measurements::add);
    assertThat(measurements).hasSize(3 * Formats.all().size());
    hasAllValues();
  }

  @Test
  void leavesOutWhatThereIsNoTimeFor() throws Exception {
    SortExperiment.run(LOADS, 1, Deadline.inSeconds(-1), measurements::add);
    assertThat(measurements).isEmpty();
  }

  private void hasAllValues() {
    assertThat(measurements).allMatch(measurement -> measurement.value() > 0);
    assertThat(measurements.stream().map(StudyFigure::system).collect(Collectors.toSet()))
        .containsAll(Formats.all().stream().map(PageFormat::name).toList());
  }
}
