package io.drayage.cli.cluster;

import io.drayage.bench.system.SystemUnderTest;
import io.drayage.bench.system.Systems;
import io.drayage.bench.system.Transports;
import io.drayage.cli.options.OptionChecks;
import io.drayage.codec.Serializers;
import io.drayage.receive.AllowedCodecs;
import io.drayage.receive.ReceiverLimits;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The transport, serializers and threads of a transactor. */
final class ReceivingOptions {
  private static final String DEFAULT_TRANSPORT = "netty";

  @Option(
      names = "--system",
      paramLabel = "SYSTEM",
      description = "The system of its workers: sets the transport, and allows the serializer.")
  private @Nullable SystemUnderTest system;

  @Option(
      names = "--transport",
      paramLabel = "TRANSPORT",
      description = "The transport (default: that of --system, else netty).")
  private @Nullable String transport;

  @Option(
      names = "--allow",
      paramLabel = "SERIALIZER",
      description =
          "Also accept this serializer; may be repeated (raw, msgpack, columnar and that of"
              + " --system are always accepted).")
  private List<String> allowed = new ArrayList<>();

  @Option(
      names = "--refuse",
      paramLabel = "NAME",
      description =
          "Do not accept this pipeline, serializer or compressor, because a node of the cluster"
              + " cannot read it; may be repeated.")
  private List<String> refused = new ArrayList<>();

  @Option(
      names = {"--threads", "--transactor-threads"},
      paramLabel = "N",
      description = "Threads that decode, apply and load (default: all cores).")
  private @Nullable Integer threads;

  /** Returns the transport, and checks the serializers too. */
  String transport(OptionChecks checks) {
    checks.require(
        system == null || !system.isPeer(), "--system %s ships to no transactor".formatted(system));
    String ofSystem = system == null ? DEFAULT_TRANSPORT : system.transport();
    String chosen = transport == null ? ofSystem : transport;
    return checks.valid(
        () -> {
          Transports.ofName(chosen);
          allowed.forEach(Serializers::ofName);
          AllowedCodecs unused = codecs();
          return chosen;
        });
  }

  /**
   * Returns the system that its workers are expected to use: {@code --system}, else their default.
   */
  SystemUnderTest expected(String chosenTransport) {
    SystemUnderTest told =
        system == null ? Systems.notation().parse(WorkerOptionsGroup.DEFAULT_SYSTEM) : system;
    return told.over(chosenTransport);
  }

  /** Returns limits of half the heap for frames in flight, and half for decoded cargoes. */
  ReceiverLimits limits() {
    long bytes = Runtime.getRuntime().maxMemory() / 2;
    return new ReceiverLimits(bytes, bytes, ReceiverLimits.DEFAULT_MAX_SHIPMENTS, codecs());
  }

  private AllowedCodecs codecs() {
    AllowedCodecs codecs = AllowedCodecs.DATA_ONLY;
    for (String serializer : allowed) {
      codecs = codecs.allowing(Serializers.ofName(serializer));
    }
    if (system != null) {
      codecs = codecs.allowing(Serializers.ofName(system.serializer()));
    }
    for (String name : refused) {
      codecs = codecs.refusing(name);
    }
    return codecs;
  }

  int threads() {
    return threads == null ? Runtime.getRuntime().availableProcessors() : threads;
  }
}
