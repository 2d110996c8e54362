package io.drayage.bench.progress;

import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.bench.result.Run;
import io.drayage.bench.rig.RigListener.Turn;
import io.drayage.bench.system.Contender;
import io.drayage.bench.system.SystemOptions;
import io.drayage.bench.system.Systems;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class RunProgressTest {
  private static final String NAME = "netty:raw+none@2";

  /** Keeps the shown lines. */
  private record Shown(List<String> lines) implements StepDisplay {
    @Override
    public void step(int done, int steps, String text) {
      lines.add(text.replaceFirst(", about .* left$", ""));
    }

    @Override
    public void close() {}
  }

  @Test
  void tellsOnceWhyASystemFails() {
    Shown shown = new Shown(new ArrayList<>());
    RunProgress progress = new RunProgress(shown, 5);
    Contender contender = Contender.of(Systems.notation().parse(NAME), SystemOptions.DEFAULT);
    progress.prepared(contender, "no room");
    for (int i = 1; i <= 2; i++) {
      Run lost = Run.failed(NAME, i, "not run, the system was lost before: no room");
      progress.ran(contender, new Turn(false, i), lost);
    }
    progress.ran(contender, new Turn(false, 3), Run.failed(NAME, 3, "gone"));
    progress.ran(contender, new Turn(false, 4), Run.failed(NAME, 4, "gone"));
    assertThat(shown.lines())
        .containsExactly(
            NAME + " is NOT READY, no room",
            NAME + " turn 1: FAILED, as before",
            NAME + " turn 2: FAILED, as before",
            NAME + " turn 3: FAILED, gone",
            NAME + " turn 4: FAILED, as before");
  }
}
