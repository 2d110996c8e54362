package io.drayage.cli.cluster;

import io.drayage.bench.system.SystemOptions;
import io.drayage.bench.system.Systems;
import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.ColumnSchema;
import io.drayage.cargo.ColumnType;
import io.drayage.cargo.ColumnValues;
import io.drayage.cargo.TableSchema;
import io.drayage.coordination.Coordination;
import io.drayage.metrics.DrayageMetrics;
import io.drayage.send.CargoSender;
import io.drayage.worker.FragmentSender;
import io.drayage.worker.TransactionHandle;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.stream.IntStream;

/**
 * The main class of a process whose share is larger than its heap: numbers that no compressor can
 * shorten, computed on request. Arguments: ZooKeeper, rows, and its number, from 1 on.
 */
final class LargeShareChild {
  static final String TABLE = "large";
  static final int COLUMNS = 8;
  private static final int ROWS_PER_PAGE = ColumnValues.DEFAULT_ROWS_PER_PAGE;

  private LargeShareChild() {}

  static CargoSender sender(InetSocketAddress address) {
    return Systems.sender(
        Systems.notation().parse("netty:columnar+none@1"),
        SystemOptions.DEFAULT,
        address,
        "large",
        new DrayageMetrics());
  }

  public static void main(String[] args) throws Exception {
    TransactionHandle handle = FragmentProcesses.receiveHandle(System.in);
    long rows = Long.parseLong(args[1]);
    long number = Long.parseLong(args[2]);
    ChangeCargo cargo =
        ChangeCargo.builder(UUID.randomUUID(), handle.base())
            .newTable(new TableSchema(TABLE, columns()))
            .table(
                TABLE,
                table -> {
                  for (int column = 0; column < COLUMNS; column++) {
                    table.insert("c" + column, values(rows, number * COLUMNS + column));
                  }
                })
            .build();
    try (Coordination cluster = ZooKeeperLogin.open(args[0], RealCluster.SESSION_MS);
        FragmentSender sender =
            new FragmentSender(handle, cluster, LargeShareChild::sender, Duration.ofMinutes(5))) {
      sender
          .send(cargo)
          .forEach(fragment -> System.out.println(FragmentProcesses.FRAGMENT + fragment));
      System.out.println(FragmentProcesses.SENT + sender.wireBytes());
    }
    System.exit(0);
  }

  private static List<ColumnSchema> columns() {
    return IntStream.range(0, COLUMNS)
        .mapToObj(column -> ColumnSchema.of("c" + column, ColumnType.LONG))
        .toList();
  }

  private static ColumnValues values(long rows, long seed) {
    return ColumnValues.onDemand(
        ColumnType.LONG,
        rows,
        ROWS_PER_PAGE,
        page -> {
          int count = (int) Math.min(ROWS_PER_PAGE, rows - page * (long) ROWS_PER_PAGE);
          SplittableRandom random = new SplittableRandom(seed * 1_000_003 + page);
          return random.longs(count).toArray();
        });
  }

  /** Returns the sum of one column over all rows of so many children, modulo 2^64. */
  static long sum(int children, long rows, int column) {
    long sum = 0;
    for (long number = 1; number <= children; number++) {
      ColumnValues values = values(rows, number * COLUMNS + column);
      for (int page = 0; page < values.pageCount(); page++) {
        for (long value : (long[]) values.page(page)) {
          sum += value;
        }
      }
    }
    return sum;
  }
}
