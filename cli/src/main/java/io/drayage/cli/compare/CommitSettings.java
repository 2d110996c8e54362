package io.drayage.cli.compare;

import io.drayage.bench.cargoes.CargoSource;
import io.drayage.bench.rig.HeapPlan;
import io.drayage.bench.rig.node.Delivery;
import io.drayage.bench.system.SystemUnderTest;
import io.drayage.cli.options.OptionChecks;
import io.drayage.frame.Acknowledgement;
import io.drayage.worker.LoadMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** What belongs to a commit, as picocli fills it in. */
final class CommitSettings {
  static final int MAX_WORKERS = 16;

  /** The largest cargo whose download is timed beside the own cargo. */
  private static final long MAX_ALSO_DOWNLOADED_BYTES = 2_000_000_000;

  /** The options that only whole commits have. */
  static final List<String> OF_WHOLE_COMMITS = List.of("--ack", "--load", "--workers", "--disk");

  /** How far a commit goes. */
  enum Reach {
    /** From the request to the loaded snapshot. */
    WHOLE,
    /** Until the cargo has taken effect in the transactor's memory. */
    MEMORY
  }

  @Option(
      names = "--commit",
      paramLabel = "EXTENT",
      description =
          "whole: until the worker has loaded the snapshot that the transactor stored and published;"
              + " memory: until the cargo has taken effect in the transactor's memory, which takes"
              + " less memory (default: whole; ladder, peers, links: memory).")
  @Nullable Reach reach;

  @Option(
      names = "--ack",
      paramLabel = "LEVEL",
      defaultValue = "stored",
      description =
          "When the transactor answers: applied, as published, stored or published"
              + " (default: ${DEFAULT-VALUE}).")
  Acknowledgement acknowledgement = Acknowledgement.STORED;

  @Option(
      names = "--load",
      paramLabel = "MODE",
      defaultValue = "own",
      description =
          "Where the worker gets its snapshot from: own, the cargo that it has, as nodes do, but for"
              + " grpc:java+none, which downloads it as published; a download is timed beside it;"
              + " or store, which all of them download it from (default: ${DEFAULT-VALUE}).")
  LoadMode load = LoadMode.OWN;

  @Option(
      names = "--workers",
      paramLabel = "N",
      defaultValue = "1",
      description =
          "Workers that commit at the same time, each a cargo of its own, 1 to 16"
              + " (default: ${DEFAULT-VALUE}).")
  int workers = 1;

  @Option(
      names = "--disk",
      paramLabel = "DIR",
      description =
          "Where the snapshots are stored, and deleted again (default: the temporary folder).")
  @Nullable Path disk;

  void validate(OptionChecks checks) {
    checks.requireCount("--workers", workers, 1, MAX_WORKERS);
    checks.require(
        disk == null || Files.isDirectory(disk),
        "--disk %s is no folder: name one that exists".formatted(disk));
    checks.require(
        disk == null || Files.isWritable(disk),
        "--disk %s cannot be written to: name another folder".formatted(disk));
  }

  boolean isWhole() {
    return reach != Reach.MEMORY;
  }

  /**
   * The memory of a system's processes.
   *
   * @param whole whether commits are whole
   */
  HeapPlan heapPlan(CargoSource source, boolean whole, Collection<SystemUnderTest> systems) {
    if (!whole) {
      return HeapPlan.of(source.heapBytes(), source.loadingHeapBytes());
    }
    boolean downloads =
        alsoDownloads(source) || systems.stream().anyMatch(one -> load(one) == LoadMode.STORE);
    return HeapPlan.ofCommits(
        source.heapBytes(), source.loadingHeapBytes(), workers, downloads, systems);
  }

  private LoadMode load(SystemUnderTest system) {
    return new Delivery.Commits(acknowledgement, load, false, "").by(system, null).load();
  }

  /** Whether a download is timed beside the own cargo: it takes the memory of another copy. */
  private boolean alsoDownloads(CargoSource source) {
    return load == LoadMode.OWN && workers == 1 && source.heapBytes() <= MAX_ALSO_DOWNLOADED_BYTES;
  }

  /** Where snapshots are stored. */
  Path folder() {
    return disk == null ? Path.of(System.getProperty("java.io.tmpdir")) : disk.toAbsolutePath();
  }

  /** How whole commits are made. */
  Delivery.Commits toCommits(CargoSource source) {
    return new Delivery.Commits(acknowledgement, load, alsoDownloads(source), folder().toString());
  }
}
