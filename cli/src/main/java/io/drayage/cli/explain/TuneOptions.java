package io.drayage.cli.explain;

import io.drayage.bench.ByteSize;
import io.drayage.bench.system.SystemNotation;
import io.drayage.bench.tune.Grid;
import io.drayage.bench.tune.TunedCodec;
import io.drayage.cli.options.CargoOptions;
import io.drayage.cli.options.LinkOptions;
import io.drayage.cli.options.OptionChecks;
import io.drayage.send.SegmentsSender;
import io.drayage.transport.TransportOptions;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options of {@code drayage tune}. */
final class TuneOptions {
  private static final List<String> SERIALIZERS = List.of("raw", "columnar");
  private static final List<String> COMPRESSORS = List.of("none", "lz4", "zstd:1");

  @Mixin CargoOptions from = new CargoOptions();

  @Option(
      names = "--size",
      paramLabel = "SIZE",
      defaultValue = "100MB",
      description = "Size of a cargo of thesis or tpch (default: ${DEFAULT-VALUE}).")
  ByteSize size = ByteSize.parse("100MB");

  @Option(
      names = "--compressor",
      paramLabel = "COMPRESSOR[:LEVEL]",
      split = ",",
      description = "What to tune for; may be repeated (default: none, lz4 and zstd:1).")
  private List<String> compressors = new ArrayList<>();

  @Option(
      names = "--serializer",
      paramLabel = "SERIALIZER",
      split = ",",
      description = "Over which serializers; may be repeated (default: raw and columnar).")
  private List<String> serializers = new ArrayList<>();

  @Option(
      names = "--threads",
      paramLabel = "N",
      split = ",",
      description =
          "Codec threads to try on either side; may be repeated (default: powers of two up to all"
              + " cores).")
  private List<Integer> threads = new ArrayList<>();

  @Option(
      names = "--segment-size",
      paramLabel = "SIZE",
      split = ",",
      description =
          "Sizes of a segment to try, 64KiB to 4MiB; may be repeated (default: 256KiB, 1MiB, 4MiB).")
  private List<ByteSize> segmentSizes = new ArrayList<>();

  @Option(
      names = "--connections",
      paramLabel = "N",
      split = ",",
      description = "Connections to try, 1 to 16; may be repeated (default: 1 and 2).")
  private List<Integer> connections = new ArrayList<>();

  @Mixin LinkOptions link = new LinkOptions();

  @Option(
      names = "--sweep",
      description =
          "Measure all settings as often as the best ones: takes several times as long, and shows"
              + " whether halving missed one.")
  boolean sweep;

  @Option(
      names = "--write",
      paramLabel = "FILE",
      defaultValue = "drayage.conf",
      description = "Where the recommended settings go (default: ${DEFAULT-VALUE}).")
  Path write = Path.of("drayage.conf");

  void validate(OptionChecks checks) {
    for (int count : threads) {
      checks.require(
          count >= 1 && count <= SystemNotation.MAX_THREADS,
          "--threads must be 1 to %d, not %d".formatted(SystemNotation.MAX_THREADS, count));
    }
    for (ByteSize size : segmentSizes) {
      checks.require(
          size.bytes() >= SegmentsSender.MIN_SEGMENT_BYTES
              && size.bytes() <= SegmentsSender.MAX_SEGMENT_BYTES,
          "--segment-size must be 64KiB to 4MiB, not " + size.text());
    }
    for (int count : connections) {
      checks.require(
          count >= 1 && count <= TransportOptions.MAX_CONNECTIONS,
          "--connections must be 1 to %d, not %d"
              .formatted(TransportOptions.MAX_CONNECTIONS, count));
    }
    link.validate(checks);
  }

  /** Each serializer with each compressor. */
  List<TunedCodec> codecs() {
    Set<TunedCodec> codecs = new LinkedHashSet<>();
    for (String serializer : serializers.isEmpty() ? SERIALIZERS : serializers) {
      for (String compressor : compressors.isEmpty() ? COMPRESSORS : compressors) {
        codecs.add(new TunedCodec(serializer, compressor));
      }
    }
    return List.copyOf(codecs);
  }

  /** The settings to try; to be called when the options have been validated. */
  Grid grid() {
    Grid usual = Grid.of(Runtime.getRuntime().availableProcessors());
    return new Grid(
        threads.isEmpty() ? usual.threads() : distinct(threads),
        segmentSizes.isEmpty()
            ? usual.segmentBytes()
            : distinct(segmentSizes.stream().map(size -> (int) size.bytes()).toList()),
        connections.isEmpty() ? usual.connections() : distinct(connections),
        usual.cores());
  }

  private static List<Integer> distinct(List<Integer> values) {
    return values.stream().distinct().toList();
  }
}
