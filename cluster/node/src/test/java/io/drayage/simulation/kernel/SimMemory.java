package io.drayage.simulation.kernel;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Direct memory that successive simulations share: the garbage collector would free it in real
 * time.
 */
final class SimMemory {
  private static final byte[] ZEROES = new byte[1 << 16];
  private static final Map<Integer, Deque<ByteBuffer>> FREE = new HashMap<>();
  private static final List<ByteBuffer> USED = new ArrayList<>();

  private SimMemory() {}

  static synchronized ByteBuffer allocate(int bytes) {
    Deque<ByteBuffer> fitting = FREE.get(bytes);
    ByteBuffer buffer =
        fitting == null || fitting.isEmpty() ? ByteBuffer.allocateDirect(bytes) : fitting.pop();
    USED.add(buffer);
    // Cleared, or a run would depend on the runs before.
    for (int at = 0; at < bytes; at += ZEROES.length) {
      buffer.put(at, ZEROES, 0, Math.min(ZEROES.length, bytes - at));
    }
    return buffer.duplicate().clear();
  }

  /** Reclaims the memory of the previous simulation, whose threads never run again. */
  static synchronized void reclaim() {
    USED.forEach(
        buffer ->
            FREE.computeIfAbsent(buffer.capacity(), bytes -> new ArrayDeque<>()).push(buffer));
    USED.clear();
  }
}
