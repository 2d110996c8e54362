package io.drayage.bench.plan;

import io.drayage.bench.LinkRate;
import io.drayage.bench.cargo.CargoSource;
import io.drayage.bench.cargo.CargoSources;
import io.drayage.bench.link.Link;
import io.drayage.bench.result.Run;
import io.drayage.bench.rig.HeapPlan;
import io.drayage.bench.rig.RigPlan;
import io.drayage.bench.rig.TrialPair;
import io.drayage.bench.system.Contender;
import io.drayage.bench.system.SystemOptions;
import io.drayage.bench.system.SystemUnderTest;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Measures systems with a cargo that takes little time; each in processes of its own. */
final class Calibration {
  static final String CARGO = "thesis";
  static final long SIZE_BYTES = 200_000_000;
  private static final int WARMUPS = 6;
  private static final int RUNS = 7;

  private final CargoSource source = CargoSources.parse(CARGO, SIZE_BYTES, 1);
  private final Path logs;
  private final Consumer<String> progress;

  /**
   * @param logs the folder for the children's logs
   * @param progress hears of every step
   */
  Calibration(Path logs, Consumer<String> progress) {
    this.logs = logs;
    this.progress = progress;
  }

  /** What they cost, as {@link #rates(SystemUnderTest, LinkRate)}. */
  List<Rates> rates(List<SystemUnderTest> systems, LinkRate link)
      throws IOException, InterruptedException {
    List<Rates> rates = new ArrayList<>();
    for (SystemUnderTest system : systems) {
      rates.add(rates(system, link));
    }
    return List.copyOf(rates);
  }

  /**
   * What a system costs over loopback; {@code @1} if it has segments.
   *
   * @param link what it is told to encode for
   */
  Rates rates(SystemUnderTest system, LinkRate link) throws IOException, InterruptedException {
    boolean byLink = Rates.followTheLink(system);
    progress.accept(
        "measuring what %s costs%s".formatted(system, byLink ? " for " + link.text() : ""));
    SystemOptions options =
        link.isLoopback()
            ? SystemOptions.DEFAULT
            : SystemOptions.DEFAULT.withLinkBytesPerSecond(link.bytesPerSecond());
    try (TrialPair pair = new TrialPair(plan(Link.loopback(1)))) {
      List<Run> runs = measure(pair, system, options, 1);
      int cores = Runtime.getRuntime().availableProcessors();
      return Rates.of(system.toString(), byLink ? link.text() : null, runs, cores);
    }
  }

  /** Runs of a system over a link. */
  List<Run> measure(TrialPair pair, SystemUnderTest system, int threads)
      throws IOException, InterruptedException {
    return measure(pair, system, SystemOptions.DEFAULT, threads);
  }

  private static List<Run> measure(
      TrialPair pair, SystemUnderTest system, SystemOptions options, int threads)
      throws IOException, InterruptedException {
    SystemOptions all = system.isParallel() ? options.withThreads(threads, threads) : options;
    List<Run> runs = pair.run(Contender.of(system, all), WARMUPS + RUNS);
    return runs.size() <= WARMUPS ? runs : runs.subList(WARMUPS, runs.size());
  }

  RigPlan plan(Link link) {
    return new RigPlan(
        List.of(),
        CARGO,
        SIZE_BYTES,
        source.heapBytes(),
        1,
        RUNS,
        WARMUPS,
        HeapPlan.of(source.heapBytes(), source.loadingHeapBytes()),
        logs,
        link);
  }
}
