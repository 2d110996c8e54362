package io.drayage.bench.commits;

import io.drayage.bench.child.ChildLoop;
import io.drayage.bench.child.ControlMessages.Command;
import io.drayage.bench.child.ControlMessages.Listening;
import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.ColumnValues;
import io.drayage.codec.Compressors;
import io.drayage.codec.Serializers;
import io.drayage.codec.pool.CodecPool;
import io.drayage.send.SegmentsSender;
import io.drayage.send.SendOptions;
import io.drayage.send.SendReport;
import io.drayage.transport.TransportOptions;
import io.drayage.transport.netty.NettyTransport;
import java.io.IOException;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** Main class of the callers of a node: they share a sender, as the threads of a worker do. */
public final class CallersMain {
  private static final String NAME = "callers";

  private final AtomicLong newest = new AtomicLong(1);
  private @Nullable SegmentsSender sender;

  private CallersMain() {}

  public static void main(String[] args) throws IOException, InterruptedException {
    CallersMain callers = new CallersMain();
    ChildLoop.serve(
        (command, arguments) -> {
          if (command == Command.CONNECT) {
            callers.connect(arguments.as(Listening.class));
            return null;
          }
          CommitLoad load = arguments.as(CommitLoad.class);
          return Callers.run(load, () -> callers.commit(load.rows()));
        });
  }

  private void connect(Listening node) {
    sender =
        new SegmentsSender(
            NettyTransport.best().client(node.address(), TransportOptions.DEFAULT),
            new CodecPool(Runtime.getRuntime().availableProcessors(), NAME),
            Serializers.ofName("columnar"),
            Compressors.ofName("none"),
            NAME);
  }

  private SendReport commit(int rows) throws Exception {
    long[] ids = new long[rows];
    long[] values = new long[rows];
    for (int i = 0; i < rows; i++) {
      ids[i] = ThreadLocalRandom.current().nextLong();
      values[i] = i;
    }
    ChangeCargo cargo =
        ChangeCargo.builder(UUID.randomUUID(), newest.get())
            .table(
                CommitNodeMain.TABLE.name(),
                table ->
                    table
                        .insert("id", ColumnValues.of(new long[][] {ids}))
                        .insert("value", ColumnValues.of(new long[][] {values})))
            .build();
    SendReport report = Objects.requireNonNull(sender).send(cargo, SendOptions.DEFAULT);
    long unused = newest.accumulateAndGet(report.snapshotTimestamp(), Math::max);
    return report;
  }
}
