package io.drayage.cli.compare;

import io.drayage.bench.LinkSpeed;
import io.drayage.bench.cargoes.CargoSource;
import io.drayage.bench.rig.HeapPlan;
import io.drayage.bench.rig.node.Delivery;
import io.drayage.bench.system.SystemUnderTest;
import io.drayage.cli.options.LinkOptions;
import io.drayage.cli.options.OptionChecks;
import io.drayage.database.LoadMode;
import io.drayage.frame.Acknowledgement;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options of a commit, as picocli fills them in. */
final class CommitSettings {
  static final int MAX_WORKERS = 16;

  /** The lowest rate: with a lower one, a commit takes longer than any deadline of the rig. */
  private static final long MIN_STORE_RATE = 1_000_000;

  /** The largest cargo whose download is timed beside the worker's own cargo. */
  private static final long MAX_ALSO_DOWNLOADED_BYTES = 2_000_000_000;

  /** The options that only whole commits have. */
  static final List<String> OF_WHOLE_COMMITS =
      List.of("--ack", "--load", "--workers", "--one-transaction", "--store-rate");

  /** The end of a commit. */
  enum Reach {
    /** The commit ends when its snapshot is loaded. */
    WHOLE,
    /** The commit ends when the cargo has taken effect in the transactor's memory. */
    MEMORY
  }

  @Option(
      names = "--commit",
      paramLabel = "EXTENT",
      description =
          "The end of a commit. whole: the worker has loaded the snapshot that the transactor"
              + " stored and published; memory: the cargo has taken effect in the transactor's"
              + " memory, which needs less memory (default: whole; ladder, peers, links: memory).")
  @Nullable Reach reach;

  @Option(
      names = "--ack",
      paramLabel = "LEVEL",
      defaultValue = "stored",
      description =
          "The state in which the transactor answers: applied, as published, stored or published"
              + " (default: ${DEFAULT-VALUE}).")
  Acknowledgement acknowledgement = Acknowledgement.STORED;

  @Option(
      names = "--load",
      paramLabel = "MODE",
      defaultValue = "own",
      description =
          "The source of the worker's snapshot. own: the cargo in memory, as for nodes; but"
              + " grpc:java+none downloads it, as published, and a download is timed beside the"
              + " others. store: all systems download it (default: ${DEFAULT-VALUE}).")
  LoadMode load = LoadMode.OWN;

  @Option(
      names = "--workers",
      paramLabel = "N",
      defaultValue = "1",
      description =
          "Number of workers that commit at the same time, each its own cargo, 1 to 16 (default:"
              + " ${DEFAULT-VALUE}).")
  int workers = 1;

  @Option(
      names = "--transactor-link",
      paramLabel = "RATE",
      description =
          "With --link and several workers: the rate of the transactor's link to the switch, such"
              + " as 4gbit, so that each worker can use its own link fully (default: that of"
              + " --link).")
  @Nullable LinkSpeed transactorLink;

  @Option(
      names = "--one-transaction",
      description =
          "Divide one cargo among the workers. Each system commits it in three ways: by one worker,"
              + " in a commit of each worker (commits=N), and in one transaction of all"
              + " (together=N). Its coordinator downloads the snapshot; with --load store, all"
              + " other workers do too.")
  boolean oneTransaction;

  @Option(
      names = "--store-rate",
      paramLabel = "RATE",
      description =
          "The rate at which the transactor and each worker can read from and write to the object"
              + " store: 1gbit, 500mbit, 125MB (a second), as with a separate link (default: the"
              + " speed of the disk).")
  @Nullable LinkSpeed storeRate;

  void validate(OptionChecks checks, boolean isLoopback) {
    checks.requireCount("--workers", workers, 1, MAX_WORKERS);
    checks.require(
        transactorLink == null || (!isLoopback && workers > 1),
        "--transactor-link is for several workers over a link: add --workers and --link");
    checks.require(
        transactorLink == null || LinkOptions.isPossible(transactorLink),
        "--transactor-link must be 1mbit to 100gbit, not '%s'"
            .formatted(transactorLink == null ? "" : transactorLink.text()));
    checks.require(
        storeRate == null
            || (!storeRate.isLoopback() && storeRate.bytesPerSecond() >= MIN_STORE_RATE),
        "--store-rate must be 1MB (a second) or more, not '%s'; without it, the store is as fast as the disk"
            .formatted(storeRate));
  }

  boolean isWhole() {
    return reach != Reach.MEMORY;
  }

  /**
   * Returns the memory of a system's processes.
   *
   * @param whole whether commits are whole
   */
  HeapPlan heapPlan(CargoSource source, boolean whole, Collection<SystemUnderTest> systems) {
    if (!whole) {
      return HeapPlan.of(source.heapBytes(), source.loadingHeapBytes());
    }
    boolean downloads =
        alsoDownloads(source) || systems.stream().anyMatch(one -> load(one) == LoadMode.STORE);
    return oneTransaction
        ? HeapPlan.ofCommits(source.heapBytes(), source.loadingHeapBytes(), 1, true, systems)
        : HeapPlan.ofCommits(
            source.heapBytes(), source.loadingHeapBytes(), workers, downloads, systems);
  }

  private LoadMode load(SystemUnderTest system) {
    return new Delivery.Commits(acknowledgement, load, false, "", null).by(system, null).load();
  }

  /** Whether a download is timed beside the own cargo, which needs the memory of another copy. */
  private boolean alsoDownloads(CargoSource source) {
    return load == LoadMode.OWN
        && workers == 1
        && !oneTransaction
        && source.heapBytes() <= MAX_ALSO_DOWNLOADED_BYTES;
  }

  Delivery.Commits toCommits(CargoSource source) {
    return new Delivery.Commits(
        acknowledgement,
        load,
        alsoDownloads(source),
        System.getProperty("java.io.tmpdir"),
        storeRate == null ? null : storeRate.bytesPerSecond());
  }
}
