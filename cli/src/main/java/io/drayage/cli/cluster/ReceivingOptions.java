package io.drayage.cli.cluster;

import io.drayage.bench.config.TunedConfig;
import io.drayage.bench.system.SystemUnderTest;
import io.drayage.bench.system.Systems;
import io.drayage.cli.options.OptionChecks;
import io.drayage.codec.Serializers;
import io.drayage.receive.ReceiverLimits;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/**
 * The transport, serializers and threads of a transactor: of the command line, else of --config.
 */
final class ReceivingOptions {
  private static final String DEFAULT_TRANSPORT = "netty";

  @Option(
      names = "--transport",
      paramLabel = "TRANSPORT",
      description = "The transport (default: that of --config, else netty).")
  private @Nullable String transport;

  @Option(
      names = "--allow",
      paramLabel = "SERIALIZER",
      description =
          "Also accept this serializer; may be repeated (raw, msgpack, columnar and that of"
              + " --config always are).")
  private List<String> allowed = new ArrayList<>();

  @Option(
      names = "--threads",
      paramLabel = "N",
      description =
          "Threads that decode, apply and load (default: those of --config, else all cores).")
  private @Nullable Integer threads;

  /** The transport; checks the serializers too. */
  String transport(TunedConfig tuned, OptionChecks checks) {
    SystemUnderTest system = tuned.system();
    checks.require(
        system == null || !system.isPeer(),
        "--config: %s ships to no transactor".formatted(system));
    String tunedTransport = system == null ? DEFAULT_TRANSPORT : system.transport();
    String chosen = transport == null ? tunedTransport : transport;
    try {
      Systems.requireTransport(chosen);
      allowed.forEach(Serializers::ofName);
      return chosen;
    } catch (IllegalArgumentException e) {
      throw checks.usageError(String.valueOf(e.getMessage()));
    }
  }

  /** Half the heap for frames in flight, half for what they are decoded to. */
  ReceiverLimits limits(TunedConfig tuned) {
    long bytes = Runtime.getRuntime().maxMemory() / 2;
    ReceiverLimits limits = new ReceiverLimits(bytes, bytes, ReceiverLimits.DEFAULT_MAX_SHIPMENTS);
    for (String serializer : allowed) {
      limits = limits.allowing(Serializers.ofName(serializer));
    }
    return tuned.system() == null
        ? limits
        : limits.allowing(Serializers.ofName(tuned.system().serializer()));
  }

  /** Codec threads. */
  int threads(TunedConfig tuned) {
    Integer chosen = threads == null ? tuned.transactorThreads() : threads;
    return chosen == null ? Runtime.getRuntime().availableProcessors() : chosen;
  }
}
