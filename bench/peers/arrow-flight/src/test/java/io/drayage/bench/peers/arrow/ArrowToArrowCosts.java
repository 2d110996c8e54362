package io.drayage.bench.peers.arrow;

import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.arrow.ArrowBatches;
import io.drayage.arrow.ArrowColumns;
import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.ColumnBuilder;
import io.drayage.cargo.ColumnType;
import io.drayage.cargo.ColumnValues;
import io.drayage.cargo.InsertedColumn;
import io.drayage.codec.Compressors;
import io.drayage.codec.Serializers;
import io.drayage.codec.pool.CodecPool;
import io.drayage.receive.CargoReceiver;
import io.drayage.receive.MemoryCommitter;
import io.drayage.receive.ReceiverLimits;
import io.drayage.send.CargoSender;
import io.drayage.send.SegmentsSender;
import io.drayage.transport.TransportOptions;
import io.drayage.transport.TransportServer;
import io.drayage.transport.netty.NettyTransport;
import io.grpc.netty.NettyServerBuilder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.function.Consumer;
import org.apache.arrow.flight.AsyncPutListener;
import org.apache.arrow.flight.FlightClient;
import org.apache.arrow.flight.FlightDescriptor;
import org.apache.arrow.flight.FlightServer;
import org.apache.arrow.flight.FlightStream;
import org.apache.arrow.flight.Location;
import org.apache.arrow.flight.NoOpFlightProducer;
import org.apache.arrow.flight.PutResult;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorLoader;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.VectorUnloader;
import org.apache.arrow.vector.ipc.message.ArrowRecordBatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * Not a test but a measurement: rows of Arrow vectors to Arrow vectors at the other end of a
 * connection over loopback, by Flight and by a cargo, in turns in one process. {@code
 * -Darrow.costs=true} runs it.
 */
@EnabledIfSystemProperty(named = "arrow.costs", matches = "true")
@Timeout(600)
class ArrowToArrowCosts {
  private static final int ROWS = 4_000_000;
  private static final int BATCH_ROWS = 65_536;
  private static final int TURNS = 9;

  private final BufferAllocator memory = new RootAllocator();

  /** What has arrived, retained. */
  private final List<ArrowRecordBatch> arrived = new ArrayList<>();

  private long arrivedRows;

  @Test
  void print() throws Exception {
    print("numbers", numbers());
    print("texts", texts());
    memory.close();
  }

  private VectorSchemaRoot numbers() {
    Random random = new Random(1);
    List<FieldVector> vectors = new ArrayList<>();
    for (ColumnType type : List.of(ColumnType.INT, ColumnType.LONG, ColumnType.DOUBLE)) {
      ColumnValues values = ColumnValues.allocate(type, ROWS, type == ColumnType.LONG);
      vectors.add(ArrowColumns.vectorOf("" + type, values(values, random), memory));
    }
    return new VectorSchemaRoot(vectors);
  }

  private static ColumnValues values(ColumnValues values, Random random) {
    for (int p = 0; p < values.pageCount(); p++) {
      Object page = values.pageForWrite(p);
      if (page instanceof int[] ints) {
        Arrays.setAll(ints, i -> random.nextInt());
      } else if (page instanceof long[] longs) {
        Arrays.setAll(longs, i -> random.nextLong());
      } else {
        Arrays.setAll((double[]) page, i -> random.nextDouble());
      }
    }
    for (long row = 0; values.validity() != null && row < values.rowCount(); row += 10) {
      values.validity().clear(row);
    }
    return values;
  }

  private VectorSchemaRoot texts() {
    ColumnBuilder texts = new ColumnBuilder(ColumnType.STRING);
    Random random = new Random(1);
    for (int row = 0; row < ROWS; row++) {
      texts.addString(Long.toHexString(random.nextLong()));
    }
    return new VectorSchemaRoot(List.of(ArrowColumns.vectorOf("s", texts.build(), memory)));
  }

  private void print(String what, VectorSchemaRoot root) throws Exception {
    try (root;
        Flight flight = new Flight();
        Cargo cargo = new Cargo()) {
      double[] flightS = new double[TURNS];
      double[] cargoS = new double[TURNS];
      double[] ratios = new double[TURNS];
      for (int turn = -3; turn < TURNS; turn++) {
        double byFlight = seconds(() -> flight.put(root));
        double byCargo = seconds(() -> cargo.send(root));
        if (turn >= 0) {
          flightS[turn] = byFlight;
          cargoS[turn] = byCargo;
          ratios[turn] = byFlight / byCargo;
        }
      }
      long bytes = root.getFieldVectors().stream().mapToLong(FieldVector::getBufferSize).sum();
      for (double[] each : List.of(flightS, cargoS, ratios)) {
        Arrays.sort(each);
      }
      System.out.printf(
          "%-8s %,d bytes  Flight %.3f s  cargo %.3f s  Flight / cargo %.2f (%.2f to %.2f)%n",
          what,
          bytes,
          flightS[TURNS / 2],
          cargoS[TURNS / 2],
          ratios[TURNS / 2],
          ratios[0],
          ratios[TURNS - 1]);
    }
  }

  @FunctionalInterface
  private interface Way {
    void go() throws Exception;
  }

  private double seconds(Way way) throws Exception {
    System.gc();
    arrivedRows = 0;
    long started = System.nanoTime();
    way.go();
    double seconds = (System.nanoTime() - started) / 1e9;
    assertThat(arrivedRows).isEqualTo(ROWS);
    arrived.forEach(ArrowRecordBatch::close);
    arrived.clear();
    return seconds;
  }

  private void keep(VectorSchemaRoot batch) {
    arrived.add(new VectorUnloader(batch).getRecordBatch());
    arrivedRows += batch.getRowCount();
  }

  /** As {@link ArrowSettings} has it: 16 MiB of window, without a copy of a batch. */
  private final class Flight extends NoOpFlightProducer implements AutoCloseable {
    private final FlightServer server;
    private final FlightConnection connection;

    Flight() throws IOException {
      Consumer<NettyServerBuilder> window =
          on -> on.flowControlWindow(ArrowSettings.ofSystem().windowBytes());
      server =
          FlightServer.builder(memory, Location.forGrpcInsecure("127.0.0.1", 0), this)
              .maxInboundMessageSize(Integer.MAX_VALUE)
              .transportHint("grpc.builderConsumer", window)
              .build()
              .start();
      connection =
          new FlightConnection(
              ArrowSettings.ofSystem(),
              new InetSocketAddress(InetAddress.getLoopbackAddress(), server.getPort()),
              memory);
    }

    void put(VectorSchemaRoot all) throws Exception {
      AsyncPutListener answer = new AsyncPutListener();
      try (VectorSchemaRoot root = VectorSchemaRoot.create(all.getSchema(), memory)) {
        FlightClient.ClientStreamListener put =
            connection.client().startPut(FlightDescriptor.path("t"), root, answer);
        put.setUseZeroCopy(true);
        VectorLoader loader = new VectorLoader(root);
        for (int row = 0; row < ROWS; row += BATCH_ROWS) {
          try (VectorSchemaRoot part = all.slice(row, Math.min(BATCH_ROWS, ROWS - row));
              ArrowRecordBatch batch = new VectorUnloader(part).getRecordBatch()) {
            loader.load(batch);
          }
          connection.awaitReady(() -> put.isReady() || answer.isCancelled());
          put.putNext();
          root.clear();
        }
        put.completed();
        answer.getResult();
      }
    }

    @Override
    public Runnable acceptPut(
        CallContext context, FlightStream put, StreamListener<PutResult> acks) {
      return () -> {
        while (put.next()) {
          keep(put.getRoot());
        }
        acks.onCompleted();
      };
    }

    @Override
    public void close() {
      connection.close();
      server.shutdown();
    }
  }

  /** Views of the vectors, {@code raw} segments on two threads, and batches of what was decoded. */
  private final class Cargo implements AutoCloseable, MemoryCommitter {
    private final NettyTransport transport = NettyTransport.best();
    private final CodecPool pool = new CodecPool(2, "encode");
    private final CargoReceiver receiver = new CargoReceiver(this, ReceiverLimits.ofHeap(), 2);
    private final TransportServer server;
    private final CargoSender sender;

    Cargo() throws IOException {
      server =
          transport.listen(
              new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
              receiver,
              TransportOptions.DEFAULT);
      sender =
          new SegmentsSender(
              transport.client(server.address(), TransportOptions.DEFAULT),
              pool,
              Serializers.ofName("raw"),
              Compressors.ofName("none"),
              "w");
    }

    void send(VectorSchemaRoot all) throws Exception {
      ChangeCargo cargo =
          ChangeCargo.builder(UUID.randomUUID(), 1)
              .table(
                  "t",
                  table ->
                      all.getFieldVectors()
                          .forEach(v -> table.insert(v.getName(), ArrowColumns.viewOf(v))))
              .build();
      assertThat(sender.send(cargo).snapshotTimestamp()).isEqualTo(2);
    }

    @Override
    public long commit(ChangeCargo cargo) {
      List<InsertedColumn> columns = cargo.tables().get(0).insertedColumns();
      try (ArrowBatches batches = new ArrowBatches(columns, memory)) {
        while (batches.loadNextBatch()) {
          keep(batches.getVectorSchemaRoot());
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      return cargo.baseSnapshot() + 1;
    }

    @Override
    public void close() throws IOException {
      sender.close();
      server.close();
      receiver.close();
      pool.close();
    }
  }
}
