package io.drayage.bench.child;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;

/**
 * The memory that this process uses for data: used heap, plus direct memory. Direct memory comes
 * from {@link java.nio.ByteBuffer#allocateDirect}, or directly from Netty and the Netty inside
 * gRPC. Chunks that their allocators keep for later count. Thread-safe.
 */
final class MemoryInUse {
  private static final List<String> NETTY_CLASSES =
      List.of(
          "io.netty.util.internal.PlatformDependent",
          "io.grpc.netty.shaded.io.netty.util.internal.PlatformDependent");

  private final Runtime runtime = Runtime.getRuntime();
  private final BufferPoolMXBean directBuffers =
      ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
          .filter(pool -> pool.getName().equals("direct"))
          .findFirst()
          .orElseThrow();
  private final List<MethodHandle> nettyCounters = nettyCounters();

  // Looked up by name, because the rig does not depend on Netty.
  private static List<MethodHandle> nettyCounters() {
    List<MethodHandle> counters = new ArrayList<>();
    for (String name : NETTY_CLASSES) {
      try {
        counters.add(
            MethodHandles.publicLookup()
                .findStatic(
                    Class.forName(name), "usedDirectMemory", MethodType.methodType(long.class)));
      } catch (ReflectiveOperationException e) {
        // This Netty is missing, so it uses no memory.
      }
    }
    return List.copyOf(counters);
  }

  /** Used heap in bytes, garbage included. */
  long heapBytes() {
    return runtime.totalMemory() - runtime.freeMemory();
  }

  long directBytes() {
    long bytes = directBuffers.getMemoryUsed();
    for (MethodHandle counter : nettyCounters) {
      bytes += Math.max(0, call(counter));
    }
    return bytes;
  }

  private static long call(MethodHandle counter) {
    try {
      return (long) counter.invokeExact();
    } catch (Throwable e) {
      throw new IllegalStateException("cannot read " + counter, e);
    }
  }
}
