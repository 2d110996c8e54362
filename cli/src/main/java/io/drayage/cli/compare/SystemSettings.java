package io.drayage.cli.compare;

import io.drayage.baseline.stream.StreamOptions;
import io.drayage.bench.ByteSize;
import io.drayage.bench.LinkSpeed;
import io.drayage.bench.system.SystemNotation;
import io.drayage.bench.system.SystemOptions;
import io.drayage.bench.system.SystemUnderTest;
import io.drayage.bench.system.Transports;
import io.drayage.cli.options.OptionChecks;
import io.drayage.send.SegmentsSender;
import io.drayage.transport.TransportOptions;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/**
 * The settings of all systems of a comparison beyond their notation, and other rare settings, as
 * picocli fills them in.
 */
final class SystemSettings {
  private static final int MAX_LAUNCHES = 20;

  @Option(
      names = "--warmup",
      paramLabel = "N",
      description =
          "Warm up with exactly this many turns of each system, and not until it is warm.")
  @Nullable Integer warmup;

  @Option(
      names = "--launches",
      paramLabel = "N",
      defaultValue = "1",
      description =
          "Number of starts of the processes, 1 to 20, each with an equal part of the budget or"
              + " with all --iterations; 'compare' finds the differences between starts from them"
              + " (default: ${DEFAULT-VALUE}).")
  int launches = 1;

  @Option(
      names = "--ceiling",
      description =
          "Also measure the limits of the path and of copies, in some seconds, and show each"
              + " system's share and its bottleneck; always done with a --link.")
  boolean ceiling;

  @Option(
      names = "--segment-size",
      paramLabel = "SIZE",
      defaultValue = "1MiB",
      description =
          "Approximate raw bytes of a segment, 64KiB to 4MiB (kryo: up to 3MiB, msgpack: 2.5MiB);"
              + " no effect on a stream (default: ${DEFAULT-VALUE}).")
  ByteSize segmentSize = ByteSize.parse("1MiB");

  @Option(
      names = "--chunk-size",
      paramLabel = "SIZE",
      defaultValue = "63KB",
      description =
          "Bytes of a chunk of a stream, 1KB to 4MiB; no effect on segments (default:"
              + " ${DEFAULT-VALUE}, as published).")
  ByteSize chunkSize = ByteSize.parse("63KB");

  @Option(
      names = "--connections",
      paramLabel = "N",
      description =
          "Connections that a worker requests for a shipment, 1 to 16; a transport or a stream may"
              + " allow only one (default: one a core, at most 4).")
  int connections = SystemOptions.DEFAULT.wire().connections();

  @Option(
      names = "--worker-threads",
      paramLabel = "N",
      description =
          "Codec threads of a worker, 1 to 1024, of systems with segments (default: @THREADS).")
  @Nullable Integer workerThreads;

  @Option(
      names = "--transactor-threads",
      paramLabel = "N",
      description = "Codec threads of the transactor, likewise (default: @THREADS).")
  @Nullable Integer transactorThreads;

  @Option(
      names = "--link-rate",
      paramLabel = "RATE",
      description =
          "The rate of the link for columnar's decisions: 10gbit, 500mbit, 1.25GB (a second), or"
              + " loopback (default: the rate of --link, divided among the workers).")
  @Nullable LinkSpeed linkRate;

  @Option(
      names = "--tls",
      description =
          "Ship over mutual TLS 1.3, with certificates made for this run. Systems over netty only.")
  boolean tls;

  void validate(OptionChecks checks, List<SystemUnderTest> systems) {
    for (SystemUnderTest system : systems) {
      checks.require(
          !tls || Transports.hasTls(system.transport()),
          "--tls: transport '%s' of %s has no TLS; compare systems over netty, or leave --tls out"
              .formatted(system.transport(), system));
    }
    checks.require(
        isWithin(segmentSize, SegmentsSender.MIN_SEGMENT_BYTES, SegmentsSender.MAX_SEGMENT_BYTES),
        "--segment-size must be 64KiB to 4MiB, not " + segmentSize.text());
    checks.require(
        isWithin(chunkSize, StreamOptions.MIN_CHUNK_BYTES, StreamOptions.MAX_CHUNK_BYTES),
        "--chunk-size must be 1KB to 4MiB, not " + chunkSize.text());
    checks.requireCount("--worker-threads", workerThreads, 1, SystemNotation.MAX_THREADS);
    checks.requireCount("--transactor-threads", transactorThreads, 1, SystemNotation.MAX_THREADS);
    checks.requireCount("--launches", launches, 1, MAX_LAUNCHES);
    checks.requireCount("--connections", connections, 1, TransportOptions.MAX_CONNECTIONS);
  }

  private static boolean isWithin(ByteSize size, int minBytes, int maxBytes) {
    return size.bytes() >= minBytes && size.bytes() <= maxBytes;
  }

  /** Returns the options, after they have been validated. */
  SystemOptions toOptions() {
    return SystemOptions.DEFAULT
        .withChunkBytes((int) chunkSize.bytes())
        .withSegmentBytes((int) segmentSize.bytes())
        .withConnections(connections)
        .withLinkBytesPerSecond(linkRate == null ? null : (Long) linkRate.bytesPerSecond())
        .withThreads(workerThreads, transactorThreads);
  }
}
