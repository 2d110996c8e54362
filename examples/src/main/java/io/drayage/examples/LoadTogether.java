package io.drayage.examples;

import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.ColumnValues;
import io.drayage.codec.Compressors;
import io.drayage.codec.Serializers;
import io.drayage.codec.pool.CodecPool;
import io.drayage.coordination.Coordination;
import io.drayage.coordination.zookeeper.ZooKeeperCoordination;
import io.drayage.coordination.zookeeper.ZooKeeperOptions;
import io.drayage.send.CargoSender;
import io.drayage.send.SegmentsSender;
import io.drayage.transport.TransportOptions;
import io.drayage.transport.netty.NettyTransport;
import io.drayage.worker.DistributedTransaction;
import io.drayage.worker.FragmentSender;
import io.drayage.worker.TransactionHandle;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.IntStream;

/**
 * Four processes insert rows in one transaction: {@code ZOOKEEPER ROWS} starts them and commits
 * what they have sent, all of it or nothing.
 */
public final class LoadTogether {
  private static final int WORKERS = 4;

  private LoadTogether() {}

  /** The coordinator; or a worker, if it is told its number. */
  public static void main(String... args) throws Exception {
    NettyTransport netty = NettyTransport.best();
    int rows = Integer.parseInt(args[1]);
    try (Coordination cluster = ZooKeeperCoordination.connect(ZooKeeperOptions.of(args[0]));
        CodecPool pool = new CodecPool(1, "encode")) {
      Function<InetSocketAddress, CargoSender> connect =
          address ->
              new SegmentsSender(
                  netty.client(address, TransportOptions.DEFAULT),
                  pool,
                  Serializers.ofName("columnar"),
                  Compressors.ofName("none"),
                  "load-" + String.join("-", args).replaceAll("[^0-9]", ""));
      if (args.length == 2) {
        coordinate(args, cluster, connect);
      } else {
        work(Integer.parseInt(args[2]), rows, cluster, connect);
      }
    }
  }

  private static void coordinate(
      String[] args, Coordination cluster, Function<InetSocketAddress, CargoSender> connect)
      throws Exception {
    var options = new DistributedTransaction.Options("load");
    try (var transaction = DistributedTransaction.begin(options, cluster, connect)) {
      List<Process> workers = new ArrayList<>();
      for (int number = 0; number < WORKERS; number++) {
        Process worker = start(args[0], args[1], Integer.toString(number));
        workers.add(worker);
        try (ObjectOutputStream out = new ObjectOutputStream(worker.getOutputStream())) {
          out.writeObject(transaction.handle());
        }
      }
      List<UUID> fragments = new ArrayList<>();
      for (Process worker : workers) {
        byte[] answer = worker.getInputStream().readAllBytes();
        if (worker.waitFor() != 0) {
          return; // Closing the transaction aborts it.
        }
        new String(answer, StandardCharsets.US_ASCII)
            .lines()
            .map(UUID::fromString)
            .forEach(fragments::add);
      }
      System.out.println("snapshot " + transaction.commit(fragments).snapshot());
    }
  }

  private static Process start(String... args) throws Exception {
    List<String> command =
        new ArrayList<>(List.of(System.getProperty("java.home") + "/bin/java", "-Xmx128m", "-cp"));
    command.add(System.getProperty("java.class.path"));
    command.add(LoadTogether.class.getName());
    command.addAll(List.of(args));
    return new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
  }

  private static void work(
      int number, int rows, Coordination cluster, Function<InetSocketAddress, CargoSender> connect)
      throws Exception {
    TransactionHandle handle = (TransactionHandle) new ObjectInputStream(System.in).readObject();
    int[] mine = IntStream.range(number * rows, (number + 1) * rows).toArray();
    ChangeCargo cargo =
        ChangeCargo.builder(UUID.randomUUID(), handle.base())
            .table("numbers", table -> table.insert("n", ColumnValues.of(new int[][] {mine})))
            .build();
    try (FragmentSender sender =
        new FragmentSender(handle, cluster, connect, Duration.ofMinutes(1))) {
      sender.send(cargo).forEach(System.out::println);
    }
  }
}
