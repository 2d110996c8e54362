package io.drayage.bench.report;

import io.drayage.bench.result.Measurement;
import io.drayage.bench.result.Result;
import io.drayage.bench.result.Run;
import io.drayage.bench.result.Runs;
import io.drayage.bench.result.Summary;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Results as commands keep them. */
public final class KeptRuns {
  public static final String BASE = "grpc:java+none";
  public static final String FAST = "netty:raw+none@2";

  private KeptRuns() {}

  /** Five iterations of each, all different: the baseline about 1.28 s, the other about 0.21 s. */
  public static List<Run> runs() {
    List<Run> runs = new ArrayList<>();
    for (int i = 1; i <= 5; i++) {
      runs.add(Runs.ok(BASE, i, 1280 + 10 * i));
      runs.add(Runs.ok(FAST, i, 210 + 3 * i));
    }
    return runs;
  }

  /** Keeps a result of 100 MB of thesis in a folder, and returns the folder. */
  public static Path keep(Path folder, String link, List<Run> runs) throws IOException {
    return keep(folder, link, Measurement.of(runs));
  }

  /** Keeps these runs, with the warmth of the systems. */
  static Path keep(Path folder, String link, Measurement measured) throws IOException {
    result(link, measured).writeTo(Files.createDirectories(folder).resolve("run.json"));
    return folder;
  }

  /** Makes the result of {@link #keep}. */
  public static Result<Summary> result(String link, List<Run> runs) {
    return result(link, Measurement.of(runs));
  }

  private static Result<Summary> result(String link, Measurement measured) {
    List<Run> runs = measured.runs();
    Map<String, Object> config = new LinkedHashMap<>();
    config.put("command", "./drayage throughput --link " + link);
    config.put("cargo", "thesis");
    config.put("size", "100MB");
    config.put("sizeBytes", 100_000_000);
    config.put("link", link);
    config.put("commit", "memory");
    config.put("baseline", BASE);
    config.put("fieldOfALaterVersion", Map.of("inside", List.of(1, 2)));
    List<String> systems = runs.stream().map(Run::system).distinct().toList();
    return Result.of(
        Map.of("cpu", "a processor", "cores", 2, "timestamp", "2026-11-22T09:00:00Z"),
        config,
        runs,
        Summary.of(systems, BASE, measured),
        true);
  }
}
