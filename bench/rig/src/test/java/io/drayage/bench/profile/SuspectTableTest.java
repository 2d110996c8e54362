package io.drayage.bench.profile;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class SuspectTableTest {
  private static final SuspectRow.Side SOME = new SuspectRow.Side(0.1, 0.2, 0, 0);

  private static SuspectRow row(
      String label, @Nullable Double gain, @Nullable Double high, String verdict) {
    return new SuspectRow(
        "a system", label, "study", label, SOME, SOME, null, gain, null, high, null, verdict);
  }

  @Test
  void saysFirstWhoIsGuiltyWhoIsNotAndWhatIsOpen() {
    assertThat(
            SuspectTable.verdict(
                List.of(
                    row("queues", 0.01, 0.03, "not guilty (at most 3 %)"),
                    row("chunks", 0.2, 0.25, "guilty (20 % of S+Q)"),
                    row("reads", 0.02, 0.08, "cannot be told (at most 8 %)"),
                    row("gRPC", 0.6, 0.65, "guilty (60 % of S+Q)"),
                    row("flushes", null, null, "not guilty (not there)"),
                    row("copies", null, null, "at most 12 %"))))
        .isEqualTo(
            "guilty: gRPC (60 % of S+Q), chunks (20 % of S+Q); not guilty: queues, flushes;"
                + " undecided: reads, copies");
    assertThat(SuspectTable.verdict(List.of(row("reads", 0.0, 0.02, "not guilty (at most 2 %)"))))
        .isEqualTo("no experiment convicts a suspect; not guilty: reads");
  }
}
