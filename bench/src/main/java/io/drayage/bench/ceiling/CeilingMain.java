package io.drayage.bench.ceiling;

import io.drayage.bench.ceiling.CeilingTask.Ready;
import io.drayage.bench.ceiling.CeilingTask.Took;
import io.drayage.bench.child.ChildLoop;
import io.drayage.bench.child.ChildLoop.Arguments;
import io.drayage.bench.child.ControlMessages.Command;
import io.drayage.bench.child.ControlMessages.Listening;
import io.drayage.transport.netty.NativeIo;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Main class of a child that measures one task, or is the sink of a socket. {@code CONNECT} makes a
 * sink of it, {@code PREPARE} gives it its {@link CeilingTask}, {@code RUN} times it once.
 */
public final class CeilingMain {
  private @Nullable RawSink sink;
  private @Nullable CeilingWork work;

  private CeilingMain() {}

  public static void main(String[] args) throws Exception {
    CeilingMain main = new CeilingMain();
    ChildLoop.serve(main::handle);
    main.close();
    System.exit(0);
  }

  private @Nullable Object handle(Command command, Arguments arguments) throws Exception {
    return switch (command) {
      case CONNECT -> {
        sink = RawSink.listen(NativeIo.best(), arguments.as(Listening.class).address());
        yield Listening.at(sink.address());
      }
      case PREPARE -> {
        work = CeilingWork.of(arguments.as(CeilingTask.class));
        yield new Ready(work.bytes());
      }
      case RUN -> run(Objects.requireNonNull(work));
      case RESET -> {
        close();
        yield null;
      }
      default -> throw new IllegalStateException("this child cannot " + command);
    };
  }

  /** After a collection, so that the garbage of one run is not collected in the next. */
  private static Took run(CeilingWork work) throws Exception {
    System.gc();
    long startNs = System.nanoTime();
    Object made = work.run().once();
    long tookNs = System.nanoTime() - startNs;
    // The result is looked at, so that the compiler cannot leave out its making.
    return new Took(tookNs, System.identityHashCode(made));
  }

  private void close() throws Exception {
    if (work != null) {
      work.close().close();
      work = null;
    }
    if (sink != null) {
      sink.close();
      sink = null;
    }
  }
}
