package io.drayage.bench.ceiling;

import io.drayage.bench.child.ChildLoop;
import io.drayage.bench.child.ChildLoop.Arguments;
import io.drayage.bench.child.ControlMessages.Command;
import io.drayage.bench.child.ControlMessages.Listening;
import io.drayage.transport.netty.NativeIo;
import io.drayage.transport.netty.RawSink;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Main class of the child that reads frames and drops them, in the place of a transactor. */
public final class SinkMain {
  private @Nullable RawSink sink;

  private SinkMain() {}

  public static void main(String[] args) throws IOException, InterruptedException {
    SinkMain main = new SinkMain();
    ChildLoop.serve(main::handle);
    if (main.sink != null) {
      main.sink.close();
    }
    System.exit(0);
  }

  private @Nullable Object handle(Command command, Arguments arguments) throws Exception {
    if (command != Command.PREPARE) {
      throw new IllegalStateException("a sink cannot " + command);
    }
    sink = RawSink.listen(NativeIo.best(), arguments.as(Listening.class).address());
    return Listening.at(sink.address());
  }
}
