package io.drayage.bench.ceiling;

import io.drayage.bench.child.ChildLoop;
import io.drayage.bench.child.ControlMessages.Command;
import io.drayage.bench.child.ControlMessages.Listening;
import io.drayage.frame.ShipmentException;
import io.drayage.transport.netty.NativeIo;
import io.drayage.transport.netty.RawSink;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/** Main class of the child that reads frames and drops them, in the place of a transactor. */
public final class SinkMain {
  private @Nullable RawSink sink;

  private SinkMain() {}

  public static void main(String[] args) throws IOException, InterruptedException {
    SinkMain main = new SinkMain();
    ChildLoop.serve((command, arguments) -> main.handle(command));
    if (main.sink != null) {
      main.sink.close();
    }
    System.exit(0);
  }

  private @Nullable Object handle(Command command) throws ShipmentException {
    if (command != Command.PREPARE) {
      throw new IllegalStateException("a sink cannot " + command);
    }
    sink =
        RawSink.listen(NativeIo.best(), new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    return new Listening(sink.address().getPort());
  }
}
