package io.drayage.bench.ceiling;

import io.drayage.bench.ceiling.CeilingMessages.Sink;
import io.drayage.bench.ceiling.CeilingMessages.Took;
import io.drayage.bench.child.ChildLoop;
import io.drayage.bench.child.ChildLoop.Arguments;
import io.drayage.bench.child.ControlMessages.Command;
import io.drayage.transport.netty.NativeIo;
import io.drayage.transport.netty.RawSource;
import java.io.IOException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Main class of the child that writes frames without a content, in the place of a worker. */
public final class SourceMain {
  private @Nullable RawSource source;
  private long bytes;

  private SourceMain() {}

  public static void main(String[] args) throws IOException, InterruptedException {
    SourceMain main = new SourceMain();
    ChildLoop.serve(main::handle);
    if (main.source != null) {
      main.source.close();
    }
    System.exit(0);
  }

  private @Nullable Object handle(Command command, Arguments arguments) throws Exception {
    return switch (command) {
      case CONNECT -> connect(arguments.as(Sink.class));
      case RUN -> new Took(Objects.requireNonNull(source).send(bytes), 0);
      default -> throw new IllegalStateException("a source cannot " + command);
    };
  }

  private @Nullable Object connect(Sink sink) throws Exception {
    bytes = sink.bytes();
    source = RawSource.connect(NativeIo.best(), sink.at().address());
    return null;
  }
}
