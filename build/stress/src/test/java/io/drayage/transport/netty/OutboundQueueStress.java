package io.drayage.transport.netty;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import io.drayage.memory.Lease;
import io.drayage.metrics.DrayageMetrics;
import io.netty.channel.Channel;
import io.netty.channel.EventLoop;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/**
 * The wake-up flag of {@link OutboundQueue}: the running look sees a frame, or another look
 * follows. Every frame of a closed queue is released, whichever thread looks last.
 */
public final class OutboundQueueStress {
  private static final ByteBuffer FRAME = ByteBuffer.allocate(100);
  private static final DrayageMetrics METRICS = new DrayageMetrics();

  private OutboundQueueStress() {}

  /** An event loop that only accepts tasks. */
  private interface Loop {
    void execute(Runnable task);
  }

  private static Channel channelOf(Loop loop) {
    EventLoop eventLoop =
        proxy(
            EventLoop.class,
            arguments -> {
              loop.execute((Runnable) arguments[0]);
              return null;
            });
    return proxy(Channel.class, arguments -> eventLoop);
  }

  private interface MethodBody {
    Object to(Object[] arguments);
  }

  /** Implements the one method that the queue calls, {@code eventLoop} or {@code execute}. */
  private static <T> T proxy(Class<T> type, MethodBody answer) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (self, method, arguments) -> answer.to(arguments)));
  }

  /** A frame is added while the loop looks into the queue. */
  @JCStressTest
  @Outcome(id = "2", expect = ACCEPTABLE, desc = "both frames were released")
  @State
  public static class OfferAndLook {
    private final ConcurrentLinkedQueue<Runnable> tasks = new ConcurrentLinkedQueue<>();
    private final AtomicInteger closed = new AtomicInteger();
    private final OutboundQueue queue =
        new OutboundQueue(channelOf(tasks::add), METRICS, () -> null);

    public OfferAndLook() {
      queue.close();
      queue.offer(new Lease(FRAME, closed::incrementAndGet));
    }

    @Actor
    public void producer() {
      queue.offer(new Lease(FRAME, closed::incrementAndGet));
    }

    @Actor
    public void loop() {
      runTasks();
    }

    private void runTasks() {
      for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
        task.run();
      }
    }

    @Arbiter
    public void after(I_Result result) {
      runTasks(); // Runs the requested looks. No other request follows.
      result.r1 = closed.get();
    }
  }

  /** Two frames are added after the event loop has ended: the producers release them. */
  @JCStressTest
  @Outcome(id = "2", expect = ACCEPTABLE, desc = "both frames were released")
  @State
  public static class LoopHasEnded {
    private final AtomicInteger closed = new AtomicInteger();
    private final OutboundQueue queue =
        new OutboundQueue(channelOf(LoopHasEnded::reject), METRICS, () -> null);

    private static void reject(Runnable task) {
      throw new RejectedExecutionException("ended");
    }

    @Actor
    public void first() {
      queue.offer(new Lease(FRAME, closed::incrementAndGet));
    }

    @Actor
    public void second() {
      queue.offer(new Lease(FRAME, closed::incrementAndGet));
    }

    @Arbiter
    public void after(I_Result result) {
      result.r1 = closed.get();
    }
  }
}
