package io.drayage.bench.ceiling;

import io.drayage.bench.ceiling.CeilingMessages.Ready;
import io.drayage.bench.ceiling.CeilingMessages.Task;
import io.drayage.bench.ceiling.CeilingMessages.Took;
import io.drayage.bench.child.ChildLoop;
import io.drayage.bench.child.ChildLoop.Arguments;
import io.drayage.bench.child.ControlMessages.Command;
import java.io.IOException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Main class of the child that measures what one process can do: one task after the other. */
public final class MeasuringMain {
  private @Nullable Measured measured;

  private MeasuringMain() {}

  public static void main(String[] args) throws IOException, InterruptedException {
    MeasuringMain main = new MeasuringMain();
    ChildLoop.serve(main::handle);
    main.closeMeasured();
    System.exit(0);
  }

  private @Nullable Object handle(Command command, Arguments arguments) throws Exception {
    return switch (command) {
      case PREPARE -> prepare(arguments.as(Task.class));
      case RUN -> run();
      case RESET -> {
        closeMeasured();
        yield null;
      }
      default -> throw new IllegalStateException("this child cannot " + command);
    };
  }

  private Ready prepare(Task task) throws Exception {
    closeMeasured();
    measured = Measured.of(task);
    return new Ready(measured.bytes());
  }

  /** Between two runs lies a collection, so that none of the garbage of one is the next one's. */
  private Took run() throws Exception {
    Measured ready = Objects.requireNonNull(measured);
    System.gc();
    long startNs = System.nanoTime();
    Object made = ready.run();
    long tookNs = System.nanoTime() - startNs;
    // The result is looked at, so that the compiler cannot leave out its making.
    return new Took(tookNs, System.identityHashCode(made));
  }

  private void closeMeasured() {
    if (measured != null) {
      measured.close();
      measured = null;
    }
  }
}
