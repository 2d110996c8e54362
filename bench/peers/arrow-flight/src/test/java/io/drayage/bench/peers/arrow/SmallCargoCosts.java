package io.drayage.bench.peers.arrow;

import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.ColumnValues;
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
import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.Server;
import io.grpc.ServerServiceDefinition;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.ServerCalls;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Locale;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * Not a test but a measurement: cargoes of one int, by 500 threads over one sender with defaults,
 * and the same int in unary calls of gRPC over one channel to the same committer, each committed by
 * one thread. In turns in one process, over loopback. {@code -Dsmall.costs=true} runs it.
 */
@EnabledIfSystemProperty(named = "small.costs", matches = "true")
@Timeout(900)
class SmallCargoCosts {
  private static final int THREADS = Integer.getInteger("small.threads", 500);
  private static final int CARGOES = Integer.getInteger("small.cargoes", 100_000);
  private static final int WARM_UP = CARGOES / 5;
  private static final int TURNS = Integer.getInteger("small.turns", 3);
  private static final int BYTES = 20;

  private final AtomicLong committed = new AtomicLong();

  private interface Sending {
    void send(int value) throws Exception;
  }

  private long commit(int value) {
    return committed.addAndGet(value < 0 ? 0 : 1);
  }

  @Test
  void print() throws Exception {
    MemoryCommitter committer =
        cargo ->
            commit(((int[]) cargo.tables().get(0).insertedColumns().get(0).values().page(0))[0]);
    InetSocketAddress anyPort = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    NettyTransport transport = NettyTransport.best();
    try (CargoReceiver receiver = new CargoReceiver(committer, ReceiverLimits.ofHeap(), 2);
        TransportServer server = transport.listen(anyPort, receiver, TransportOptions.DEFAULT);
        CodecPool pool = new CodecPool(2, "encode");
        CargoSender sender =
            new SegmentsSender(
                transport.client(server.address(), TransportOptions.DEFAULT),
                pool,
                Serializers.ofName("columnar"),
                Compressors.ofName("none"),
                "worker");
        Calls calls = new Calls(this::commit)) {
      Sending cargo =
          value ->
              sender.send(
                  ChangeCargo.builder(UUID.randomUUID(), 0)
                      .table(
                          "t", table -> table.insert("c", ColumnValues.of(new int[][] {{value}})))
                      .build());
      run("cargo, warm-up", cargo, WARM_UP);
      run("call, warm-up", calls::send, WARM_UP);
      for (int turn = 0; turn < TURNS; turn++) {
        run("cargo", cargo, CARGOES);
        run("call", calls::send, CARGOES);
      }
    }
  }

  @SuppressWarnings("SystemOut")
  private void run(String name, Sending sending, int count) throws Exception {
    long[] ns = new long[count];
    AtomicInteger next = new AtomicInteger();
    AtomicInteger failed = new AtomicInteger();
    long before = committed.get();
    ExecutorService senders = Executors.newFixedThreadPool(THREADS);
    long beganNs = System.nanoTime();
    for (int t = 0; t < THREADS; t++) {
      senders.execute(
          () -> {
            for (int i = next.getAndIncrement(); i < count; i = next.getAndIncrement()) {
              long sentNs = System.nanoTime();
              try {
                sending.send(i);
              } catch (Exception e) {
                if (failed.getAndIncrement() == 0) {
                  System.out.println(name + ": " + e);
                }
              }
              ns[i] = System.nanoTime() - sentNs;
            }
          });
    }
    senders.shutdown();
    boolean unused = senders.awaitTermination(10, TimeUnit.MINUTES);
    double seconds = (System.nanoTime() - beganNs) / 1e9;
    Arrays.sort(ns);
    System.out.printf(
        Locale.ROOT,
        "%s: %,d committed, %,d failed, %,.0f a second, p50 %.1f ms, p99 %.1f ms%n",
        name,
        committed.get() - before,
        failed.get(),
        count / seconds,
        ns[count / 2] / 1e6,
        ns[(int) (count * 0.99)] / 1e6);
  }

  /** Unary calls of gRPC that carry an id and an int. */
  private static final class Calls implements AutoCloseable {
    private static final MethodDescriptor<byte[], byte[]> COMMIT =
        MethodDescriptor.<byte[], byte[]>newBuilder()
            .setType(MethodDescriptor.MethodType.UNARY)
            .setFullMethodName("small/commit")
            .setRequestMarshaller(new Bytes())
            .setResponseMarshaller(new Bytes())
            .build();

    private final ExecutorService commitThread = Executors.newSingleThreadExecutor();
    private final Server server;
    private final ManagedChannel channel;

    private interface Commit {
      long commit(int value);
    }

    Calls(Commit database) throws IOException {
      server =
          NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
              .directExecutor()
              .addService(
                  ServerServiceDefinition.builder("small")
                      .addMethod(
                          COMMIT,
                          ServerCalls.asyncUnaryCall(
                              (request, answer) ->
                                  commitThread.execute(
                                      () -> {
                                        long at =
                                            database.commit(ByteBuffer.wrap(request).getInt(16));
                                        answer.onNext(
                                            ByteBuffer.allocate(Long.BYTES).putLong(at).array());
                                        answer.onCompleted();
                                      })))
                      .build())
              .build()
              .start();
      channel =
          NettyChannelBuilder.forAddress(
                  new InetSocketAddress(InetAddress.getLoopbackAddress(), server.getPort()))
              .usePlaintext()
              .build();
    }

    void send(int value) {
      UUID id = UUID.randomUUID();
      byte[] request =
          ByteBuffer.allocate(BYTES)
              .putLong(id.getMostSignificantBits())
              .putLong(id.getLeastSignificantBits())
              .putInt(value)
              .array();
      byte[] unused = ClientCalls.blockingUnaryCall(channel, COMMIT, CallOptions.DEFAULT, request);
    }

    @Override
    public void close() {
      channel.shutdownNow();
      server.shutdownNow();
      commitThread.shutdown();
    }
  }

  private static final class Bytes implements MethodDescriptor.Marshaller<byte[]> {
    @Override
    public InputStream stream(byte[] value) {
      return new ByteArrayInputStream(value);
    }

    @Override
    public byte[] parse(InputStream stream) {
      try {
        return stream.readAllBytes();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
