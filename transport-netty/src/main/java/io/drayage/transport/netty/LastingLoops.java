package io.drayage.transport.netty;

import io.drayage.frame.Fault;
import io.drayage.frame.ShipmentException;
import io.drayage.internal.FatalErrors;
import io.netty.channel.IoEventLoop;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.SingleThreadIoEventLoop;
import io.netty.util.concurrent.Future;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/**
 * Event loops that go on after an error, such as an {@link OutOfMemoryError} within Netty. A plain
 * event loop would end, leave its connections open and let the tasks of others wait for ever.
 *
 * <p>The error may have hit any connection of the loop. So the loop notifies its owner, which has
 * to end what its loops serve. A notification that fails, for it needs memory too, is repeated.
 */
final class LastingLoops extends MultiThreadIoEventLoopGroup {
  /** Time for other threads to release memory. */
  private static final long PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(20);

  /**
   * Starts the loops at once, because a thread that cannot be started later would be an ended loop.
   *
   * @param whenHit receives the error, with its name, on the loop that it hit
   */
  LastingLoops(
      int count,
      ThreadFactory threads,
      IoHandlerFactory handlers,
      Consumer<ShipmentException> whenHit) {
    super(count, threads, handlers, whenHit);
    try {
      // A class that is first used without memory may stay unusable.
      FatalErrors.report(named(new Exception("never thrown")));
      forEach(loop -> loop.execute(() -> {}));
    } catch (Throwable e) {
      Future<?> unused = shutdownGracefully();
      throw e;
    }
  }

  /** Makes a loop. Called by the constructor of the superclass. */
  @Override
  @SuppressWarnings("unchecked") // The argument of the constructor.
  protected IoEventLoop newChild(Executor executor, IoHandlerFactory handlers, Object... args) {
    return new LastingLoop(executor, handlers, (Consumer<ShipmentException>) args[0]);
  }

  private final class LastingLoop extends SingleThreadIoEventLoop {
    private final Consumer<ShipmentException> whenHit;

    LastingLoop(Executor executor, IoHandlerFactory handlers, Consumer<ShipmentException> whenHit) {
      super(LastingLoops.this, executor, handlers);
      this.whenHit = whenHit;
    }

    @Override
    protected int runIo() {
      try {
        return super.runIo();
      } catch (Throwable e) {
        onHit(e);
        return 0;
      }
    }

    @Override
    protected boolean runAllTasks(long timeoutNanos) {
      try {
        return super.runAllTasks(timeoutNanos);
      } catch (Throwable e) {
        onHit(e);
        return true;
      }
    }

    /** Notifies the owner of an error. Does not throw. */
    private void onHit(Throwable error) {
      boolean told = false;
      while (!told && !isShuttingDown()) {
        try {
          FatalErrors.tell(error);
          whenHit.accept(named(error));
          told = true;
        } catch (Throwable e) { // Most likely memory is still missing.
          LockSupport.parkNanos(PAUSE_NS);
        }
      }
    }
  }

  private static ShipmentException named(Throwable error) {
    return ShipmentException.of(
        Fault.INTERNAL, "an error hit the event loop " + Thread.currentThread().getName(), error);
  }
}
