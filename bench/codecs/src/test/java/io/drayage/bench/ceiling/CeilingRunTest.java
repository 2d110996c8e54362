package io.drayage.bench.ceiling;

import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.bench.link.Link;
import io.drayage.bench.progress.LineDisplay;
import io.drayage.bench.result.Floor;
import io.drayage.bench.result.Status;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Tag("ci")
@Timeout(180)
final class CeilingRunTest {
  private static final long BYTES = 200_000;
  private static final long MIB = 1 << 20;

  @TempDir private Path folder;

  private static CeilingRun run(CeilingPlan plan) throws Exception {
    return new CeilingRun(plan, new LineDisplay(new PrintWriter(Writer.nullWriter()))).run();
  }

  @Test
  void measuresInOneProcessAndBetweenTwo() throws Exception {
    List<CeilingRow> rows = List.of(CeilingRow.COPY_OUT, CeilingRow.SOCKET, CeilingRow.STORE);
    try (Link link = Link.loopback(1)) {
      CeilingPlan plan = new CeilingPlan(rows, BYTES, BYTES, 2, 0, folder, folder, link);
      CeilingRun run = run(plan);
      assertThat(run.runs()).hasSize(6);
      assertThat(run.summary())
          .hasSize(3)
          .allSatisfy(row -> assertThat(row.status()).as(row.toString()).isEqualTo(Status.OK))
          .allSatisfy(row -> assertThat(row.gbps()).isPositive())
          .allSatisfy(row -> assertThat(row.cpuSPerGB()).isNotNull());
    }
  }

  @Test
  void aPassMovesWholeArraysAndLeavesNothing() throws Exception {
    Path disk = Files.createDirectory(folder.resolve("disk"));
    try (Link link = Link.loopback(1)) {
      CeilingPlan plan = new CeilingPlan(CeilingRow.PASSES, BYTES, BYTES, 2, 0, disk, folder, link);
      CeilingRun run = run(plan);
      assertThat(run.runs())
          .hasSize(6)
          .allSatisfy(one -> assertThat(one.error()).isNull())
          .allSatisfy(one -> assertThat(one.bytes()).isPositive().matches(it -> it % MIB == 0))
          .allSatisfy(one -> assertThat(one.cpuS()).isPositive());
      Floor floor = Objects.requireNonNull(CeilingSummary.floor(run.summary()));
      assertThat(floor.disk()).isNotNull();
    }
    assertThat(disk).isEmptyDirectory();
  }

  @Test
  void leavesNothingOnADiskThatIsTooSmall() throws Exception {
    Path disk = Files.createDirectory(folder.resolve("disk"));
    try (Link link = Link.loopback(1)) {
      CeilingPlan plan =
          new CeilingPlan(
              List.of(CeilingRow.STORE), Long.MAX_VALUE / 2, BYTES, 1, 0, disk, folder, link);
      CeilingRun run = run(plan);
      assertThat(run.runs().get(0).error()).contains("bytes do not fit on the disk of " + disk);
    }
    assertThat(disk).isEmptyDirectory();
  }
}
