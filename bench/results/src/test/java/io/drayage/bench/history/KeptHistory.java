package io.drayage.bench.history;

import static io.drayage.internal.Texts.format;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.drayage.bench.report.KeptRuns;
import io.drayage.bench.result.Run;
import io.drayage.bench.result.Runs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Results over time, with the noise of real ones. */
public final class KeptHistory {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Instant FIRST = Instant.parse("2026-11-01T09:00:00Z");
  private static final int LAUNCHES = 3;
  private static final int TURNS = 2;

  private KeptHistory() {}

  /**
   * Keeps runs of two systems under a name, one a day. Figures of runs differ by about 4 %, those
   * of launches and turns by 1 %.
   *
   * @param folder of the history
   * @param slower index of the first run in which the fast system is slower
   * @param factor of its times from then on
   */
  public static void keep(Path folder, String name, int runs, int slower, double factor, long seed)
      throws IOException {
    Random random = new Random(seed);
    Path kept = Files.createDirectories(folder.resolve(name));
    for (int run = 0; run < runs; run++) {
      ObjectNode result =
          run(Math.exp(0.03 * random.nextGaussian()), run < slower ? 1 : factor, random);
      Instant time = FIRST.plus(run, ChronoUnit.DAYS);
      ((ObjectNode) result.get("environment"))
          .put("timestamp", time.toString())
          .put("commit", format("%08x%032x", 0x9e37_79b1L * (run + 1) & 0xffff_ffffL, run))
          .put("jdkVersion", "17.0.9+9");
      JSON.writeValue(
          kept.resolve("%s.json".formatted(time.toString().replace(':', '-'))).toFile(), result);
    }
  }

  /** Makes a run on a machine of some slowness. */
  private static ObjectNode run(double machine, double factor, Random random) {
    List<Run> turns = new ArrayList<>();
    for (int launch = 1; launch <= LAUNCHES; launch++) {
      for (int turn = 1; turn <= TURNS; turn++) {
        for (String system : List.of(KeptRuns.BASE, KeptRuns.FAST)) {
          turns.add(Runs.ok(system, turn, 1000).inLaunch(launch, TURNS * (launch - 1)));
        }
      }
    }
    ObjectNode result = JSON.valueToTree(KeptRuns.result("loopback", turns));
    double fast = 0.21 * factor * machine * Math.exp(0.025 * random.nextGaussian());
    double base = 1.28 * machine * Math.exp(0.025 * random.nextGaussian());
    double memory = Math.exp(0.03 * random.nextGaussian());
    double cpu = Math.exp(0.04 * random.nextGaussian());
    for (JsonNode turn : result.get("runs")) {
      boolean isFast = turn.get("system").asText().equals(KeptRuns.FAST);
      double sqS = (isFast ? fast : base) * Math.exp(0.01 * random.nextGaussian());
      ((ObjectNode) turn)
          .put("sqS", sqS)
          .put("commitS", sqS * (1.4 + 0.02 * random.nextGaussian()))
          .put("cpuS", cpu * (isFast ? 0.4 : 2.1) * (1 + 0.01 * random.nextGaussian()))
          .put("workerPeakBytes", (long) (2.3e8 * memory * (1 + 0.01 * random.nextGaussian())));
    }
    return result;
  }
}
