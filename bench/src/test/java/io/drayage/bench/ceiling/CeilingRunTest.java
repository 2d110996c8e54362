package io.drayage.bench.ceiling;

import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.bench.cargoes.CargoSource;
import io.drayage.bench.cargoes.CargoSources;
import io.drayage.bench.link.Link;
import io.drayage.bench.progress.LineDisplay;
import io.drayage.bench.result.Status;
import io.drayage.bench.rig.HeapPlan;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

final class CeilingRunTest {
  private static final long BYTES = 200_000;

  @TempDir private Path folder;

  @Test
  @Timeout(60)
  void measuresInOneProcessAndBetweenTwo() throws Exception {
    CargoSource cargo = CargoSources.parse("thesis", BYTES, 1);
    List<CeilingRow> rows = List.of(CeilingRow.COPY_OUT, CeilingRow.SOCKET);
    try (Link link = Link.loopback(1)) {
      CeilingPlan plan =
          new CeilingPlan(
              rows,
              BYTES,
              BYTES,
              2,
              0,
              folder,
              HeapPlan.of(cargo.heapBytes(), cargo.loadingHeapBytes()),
              folder,
              link);
      List<CeilingResult.Sample> samples =
          new CeilingRun(plan, new LineDisplay(new PrintWriter(Writer.nullWriter()))).run();

      assertThat(samples).hasSize(4);
      assertThat(CeilingSummary.of(rows, samples))
          .allSatisfy(row -> assertThat(row.status()).as(row.toString()).isEqualTo(Status.OK))
          .allSatisfy(row -> assertThat(row.gbps()).isPositive());
    }
  }
}
