package io.drayage.bench.peers.arrow;

import static io.drayage.internal.Texts.format;

import io.drayage.arrow.ArrowColumns;
import io.drayage.bench.peer.PeerReceiver;
import io.drayage.bench.peer.ReceivedCargoes;
import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.ColumnValues;
import io.drayage.internal.Begun;
import io.drayage.metrics.DrayageMetrics;
import io.drayage.metrics.Stage;
import io.drayage.metrics.StageThreads;
import io.grpc.netty.NettyServerBuilder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Consumer;
import org.apache.arrow.flight.CallStatus;
import org.apache.arrow.flight.FlightServer;
import org.apache.arrow.flight.FlightStream;
import org.apache.arrow.flight.Location;
import org.apache.arrow.flight.NoOpFlightProducer;
import org.apache.arrow.flight.PutResult;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;

/** A Flight server that accepts puts, and answers the last one of a cargo with its number. */
final class ArrowReceiver extends NoOpFlightProducer implements PeerReceiver {
  private final ReceivedCargoes received;
  private final DrayageMetrics metrics;
  private final BufferAllocator allocator = new RootAllocator();

  /**
   * Cargoes by shipment, guarded by the monitor of this map. A failed shipment stays, without its
   * arrays, until its sender begins the next one, so that no other put begins it again.
   */
  private final Map<UUID, InboundCargo> inbound = new HashMap<>();

  /** The number of the latest shipment of each sender, guarded by {@link #inbound}. */
  private final Map<Long, Long> latest = new HashMap<>();

  private final FlightServer server;
  private final InetSocketAddress address;

  ArrowReceiver(
      ArrowSettings settings,
      InetSocketAddress address,
      ReceivedCargoes received,
      DrayageMetrics metrics)
      throws IOException {
    this.received = received;
    this.metrics = metrics;
    FlightServer.Builder builder =
        FlightServer.builder(
                allocator,
                Location.forGrpcInsecure(address.getHostString(), address.getPort()),
                this)
            .maxInboundMessageSize(Integer.MAX_VALUE);
    if (settings.windowBytes() > 0) {
      Consumer<NettyServerBuilder> window = on -> on.flowControlWindow(settings.windowBytes());
      builder.transportHint("grpc.builderConsumer", window);
    }
    this.server = builder.build();
    server.start();
    this.address = new InetSocketAddress(address.getAddress(), server.getPort());
  }

  @Override
  public Runnable acceptPut(CallContext context, FlightStream put, StreamListener<PutResult> acks) {
    return () -> {
      StageThreads.Period decoding = metrics.threads().begin(Stage.DECODE);
      try {
        receive(put, acks);
      } catch (IOException | RuntimeException e) {
        throw CallStatus.INTERNAL.withDescription(e.toString()).withCause(e).toRuntimeException();
      } finally {
        decoding.end();
      }
    };
  }

  private void receive(FlightStream put, StreamListener<PutResult> acks) throws IOException {
    PutHeader header = PutHeader.of(put.getDescriptor());
    InboundCargo cargo = begin(header);
    try (Begun begun = new Begun(cargo::drop)) {
      receive(put, header, cargo);
      begun.keep(cargo);
    }
    ChangeCargo whole = cargo.complete(header);
    if (whole != null) {
      synchronized (inbound) {
        inbound.remove(header.shipment());
      }
      answer(received.add(whole), acks);
    }
    acks.onCompleted();
  }

  /**
   * Returns the cargo of a put, and forgets the sender's earlier shipments, which are over. Refuses
   * a cancelled put that arrives after the start of the next shipment.
   */
  private InboundCargo begin(PutHeader header) throws IOException {
    UUID shipment = header.shipment();
    long sender = shipment.getLeastSignificantBits();
    long number = shipment.getMostSignificantBits();
    synchronized (inbound) {
      if (number < latest.merge(sender, number, Math::max)) {
        throw new IOException("put of shipment %s, which is over".formatted(shipment));
      }
      inbound
          .keySet()
          .removeIf(
              other ->
                  other.getLeastSignificantBits() == sender
                      && other.getMostSignificantBits() < number);
      return inbound.computeIfAbsent(shipment, unused -> new InboundCargo(header));
    }
  }

  private static void receive(FlightStream put, PutHeader header, InboundCargo cargo)
      throws IOException {
    VectorSchemaRoot root = put.getRoot();
    List<ColumnValues> columns = cargo.columns(header, root.getSchema());
    long row = header.firstRow();
    while (put.next()) {
      for (int c = 0; c < columns.size(); c++) {
        FieldVector vector = root.getVector(c);
        ArrowColumns.drain(vector, 0, vector.getValueCount(), columns.get(c), row);
      }
      row += root.getRowCount();
    }
    if (row != header.firstRow() + header.rows()) {
      throw new IOException(
          format("%,d rows came, but %,d were announced", row - header.firstRow(), header.rows()));
    }
  }

  /** Returns the number of parts that have begun and whose cargo is not complete. */
  int unfinishedParts() {
    synchronized (inbound) {
      return inbound.values().stream().mapToInt(InboundCargo::begunParts).sum();
    }
  }

  private void answer(long number, StreamListener<PutResult> acks) {
    ArrowBuf buffer = allocator.buffer(Long.BYTES);
    buffer.writeLong(number);
    // The result owns the buffer.
    try (PutResult result = PutResult.metadata(buffer)) {
      acks.onNext(result);
    }
  }

  @Override
  public InetSocketAddress address() {
    return address;
  }

  @Override
  public void close() {
    try {
      server.close();
      allocator.close();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (Exception e) {
      throw new UncheckedIOException(new IOException("the Flight server does not end: " + e, e));
    }
  }
}
