package io.drayage.bench.system;

import static io.drayage.internal.Texts.format;

import io.drayage.baseline.stream.StreamPipeline;
import io.drayage.baseline.stream.StreamSender;
import io.drayage.codec.Compressor;
import io.drayage.codec.Compressors;
import io.drayage.codec.Serializer;
import io.drayage.codec.Serializers;
import io.drayage.codec.pool.CodecPool;
import io.drayage.metrics.DrayageMetrics;
import io.drayage.receive.CargoCommitter;
import io.drayage.receive.CargoReceiver;
import io.drayage.receive.PipelineReceivers;
import io.drayage.receive.ReceiverLimits;
import io.drayage.receive.ShipmentRecording;
import io.drayage.send.CargoSender;
import io.drayage.send.SegmentsSender;
import io.drayage.transport.ShipmentAcceptor;
import io.drayage.transport.TlsOptions;
import io.drayage.transport.TransportClient;
import io.drayage.transport.TransportOptions;
import io.drayage.transport.TransportServer;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Combines systems under test from the existing transports, serializers and compressors. */
public final class Systems {
  /** The published system, with which the others are compared. */
  public static final String PUBLISHED = "grpc:java+none";

  private Systems() {}

  /** Returns the notation over all existing parts and peers. */
  public static SystemNotation notation() {
    Parts own =
        new Parts(
            Serializers.names(),
            Compressors.all().stream()
                .collect(Collectors.toMap(Compressor::name, Compressor::levels)),
            null);
    Map<String, Parts> peers = new LinkedHashMap<>();
    for (PeerSystem peer : PeerSystem.all()) {
      peers.put(peer.notation(), peer.parts());
    }
    return new SystemNotation(Transports.names(), own, peers);
  }

  /**
   * Creates the worker's end of {@code system}, with its codec threads.
   *
   * @param transactor the address at which the other end listens
   * @param worker names the sender in messages
   * @param metrics counts the work of this end
   * @throws UnsupportedOperationException if this machine lacks a need of the transport
   */
  public static CargoSender sender(
      SystemUnderTest system,
      SystemOptions options,
      InetSocketAddress transactor,
      String worker,
      DrayageMetrics metrics) {
    return sender(system, options, options.wire().ofWorker(), transactor, worker, metrics);
  }

  /** Creates the worker's end, with connections secured by {@code tls}; unsecured if null. */
  public static CargoSender sender(
      SystemUnderTest system,
      SystemOptions options,
      @Nullable TlsOptions tls,
      InetSocketAddress transactor,
      String worker,
      DrayageMetrics metrics) {
    return sender(
        system,
        options,
        options.wire().ofWorker().toBuilder().tls(tls).build(),
        transactor,
        worker,
        metrics);
  }

  private static CargoSender sender(
      SystemUnderTest system,
      SystemOptions options,
      TransportOptions connection,
      InetSocketAddress transactor,
      String worker,
      DrayageMetrics metrics) {
    Serializer serializer = Serializers.ofName(system.serializer());
    Compressor compressor = compressor(system);
    TransportClient client =
        Transports.ofName(system.transport()).client(transactor, connection, metrics);
    if (!system.isParallel()) {
      return new SystemSender(
          new StreamSender(client, serializer, compressor, worker, options.stream(), metrics),
          null);
    }
    CodecPool pool = new CodecPool(options.workerThreadsOf(system), "encode");
    return new SystemSender(
        new SegmentsSender(
            client, pool, serializer, compressor, worker, options.segments().bytes(), metrics),
        pool);
  }

  /** Returns why this machine cannot run {@code contender}, in a line; null if it can. */
  public static @Nullable String whyUnusable(Contender contender) {
    SystemUnderTest system = contender.system();
    if (system.isPeer()) {
      return PeerSystem.of(system).flatMap(PeerSystem::whyUnusable).orElse(null);
    }
    try {
      Serializers.ofName(system.serializer()).requireUsable();
      compressor(system).requireUsable();
    } catch (UnsupportedOperationException e) {
      return e.getMessage();
    }
    int connections = contender.options().wire().connections();
    int maxConnections = Transports.maxConnections(system.transport());
    if (connections > maxConnections && connections != SystemOptions.DEFAULT.wire().connections()) {
      return format(
          "%s has %d connections for a shipment at most, not %d",
          system.transport(), maxConnections, connections);
    }
    return Transports.whyUnusable(system.transport());
  }

  /** The compressor of {@code system}, at its level. */
  public static Compressor compressor(SystemUnderTest system) {
    Compressor atDefault = Compressors.ofName(system.compressor());
    return system.level() == null ? atDefault : atDefault.atLevel(system.level());
  }

  /**
   * Creates the transactor's end of {@code system}.
   *
   * @param address the address at which it listens
   * @param observer may be put between the transport and the receiver
   * @param metrics counts the work of this end
   * @throws UnsupportedOperationException if this machine lacks a need of the transport
   */
  public static SystemReceiver listen(
      SystemUnderTest system,
      SystemOptions options,
      InetSocketAddress address,
      CargoCommitter<ShipmentRecording> committer,
      UnaryOperator<ShipmentAcceptor> observer,
      DrayageMetrics metrics)
      throws BindException {
    CargoReceiver receiver =
        CargoReceiver.builder(committer, limits(system), options.transactorThreadsOf(system))
            .withoutLedger() // The same cargo is shipped repeatedly.
            .metrics(metrics)
            .pipelines(PipelineReceivers.installed().with(new StreamPipeline(options.stream())))
            .build();
    return new SystemReceiver(
        listen(system, options, address, observer.apply(receiver), metrics), receiver);
  }

  /** Returns the limits of a system's transactor, according to its heap. */
  public static ReceiverLimits limits(SystemUnderTest system) {
    return ReceiverLimits.ofHeap().allowing(serializer(system));
  }

  /** Returns the serializer that reads: some serializers differ only in writing. */
  private static Serializer serializer(SystemUnderTest system) {
    return Serializers.ofId(Serializers.ofName(system.serializer()).id());
  }

  /**
   * Creates a system's server alone. It accepts plain text beyond the loopback interface too,
   * because all compared systems run on one machine.
   *
   * @param address the address at which it listens
   * @param acceptor takes its shipments
   * @param metrics counts the work of the server
   * @throws UnsupportedOperationException if this machine lacks a need of the transport
   */
  public static TransportServer listen(
      SystemUnderTest system,
      SystemOptions options,
      InetSocketAddress address,
      ShipmentAcceptor acceptor,
      DrayageMetrics metrics)
      throws BindException {
    return Transports.ofName(system.transport())
        .listen(
            address,
            acceptor,
            options.wire().ofTransactor().toBuilder().insecure(true).build(),
            metrics);
  }
}
