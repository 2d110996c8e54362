package io.drayage.cli.compare;

import io.drayage.bench.ByteSize;
import io.drayage.bench.cargoes.CargoSource;
import io.drayage.bench.cargoes.ThesisCargo;
import io.drayage.bench.rig.HeapPlan;
import io.drayage.bench.rig.node.Delivery;
import io.drayage.bench.system.SystemUnderTest;
import io.drayage.cli.options.OptionChecks;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/**
 * The options of a comparison with a cargo that need not fit into memory; as picocli fills them.
 */
final class StreamSettings {
  static final String DEFAULT_SYSTEM = "netty:raw+none@cores";
  private static final String NO_STAGE = "none";
  private static final Pattern JVM_NOTATION = Pattern.compile("(\\d{1,9})([mMgG])");

  @Option(
      names = "--stream",
      description =
          "Ship a cargo of any size through small heaps: the worker makes its pages on demand, the"
              + " transactor decodes, digests and stages its segments. Systems of segments only"
              + " (default: netty:raw+none@cores, 1 iteration, no warm-up).")
  boolean stream;

  @Option(
      names = "--heap",
      paramLabel = "SIZE",
      description = "With --stream: heap of either process, 128m to 64g (default: 1g).")
  @Nullable String heap;

  @Option(
      names = "--stage",
      paramLabel = "DIR|none",
      description =
          "With --stream: folder in which the transactor stages the cargo, which takes as much space"
              + " as it is large, and is deleted afterwards; none to drop it when it is digested"
              + " (default: none).")
  @Nullable String stage;

  void validate(OptionChecks checks, List<SystemUnderTest> systems) {
    checks.require(
        stream || (heap == null && stage == null), "--heap and --stage go with --stream only");
    if (!stream) {
      return;
    }
    for (SystemUnderTest system : systems) {
      checks.require(!system.isPeer(), "--stream: %s needs the cargo in memory".formatted(system));
      checks.require(
          system.isParallel(),
          "--stream ships segments: %s is one stream, for which the cargo must be in memory; write %s@cores"
              .formatted(system, system));
    }
    long bytes = heapBytes();
    checks.require(
        bytes >= HeapPlan.MIN_STREAMING_BYTES && bytes <= HeapPlan.MAX_STREAMING_BYTES,
        "--heap must be 128m to 64g, not " + heap);
    checks.requireFolder("--stage", stageFolder());
  }

  void requireStreamable(OptionChecks checks, CargoSource source) {
    checks.require(
        !stream || source instanceof ThesisCargo,
        "--stream ships --cargo thesis only: the pages of others cannot be made one by one");
  }

  /** -1 if it is none. As JVMs write it, or like any other size. */
  private long heapBytes() {
    String text = heap == null ? "1g" : heap;
    Matcher matcher = JVM_NOTATION.matcher(text);
    if (matcher.matches()) {
      boolean gigabytes = matcher.group(2).equalsIgnoreCase("g");
      return Long.parseLong(matcher.group(1)) << (gigabytes ? 30 : 20);
    }
    try {
      return ByteSize.parse(text).bytes();
    } catch (IllegalArgumentException e) {
      return -1;
    }
  }

  private @Nullable Path stageFolder() {
    return stage == null || stage.equals(NO_STAGE) ? null : Path.of(stage).toAbsolutePath();
  }

  /** The memory of a pair if the cargo is streamed; to be called when this has been validated. */
  HeapPlan heapPlan() {
    return HeapPlan.streaming(heapBytes());
  }

  Delivery.@Nullable Streaming toStreaming() {
    Path folder = stageFolder();
    return stream ? new Delivery.Streaming(folder == null ? null : folder.toString()) : null;
  }
}
