package io.drayage.bench.peers.arrow;

import io.drayage.cargo.ChangeCargo;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.arrow.vector.ipc.message.ArrowRecordBatch;
import org.jspecify.annotations.Nullable;

/**
 * The batches of the last sent cargo, to measure a sender that has vectors already. Thread-safe.
 */
final class KeptVectors {
  private record Put(int part, int lane) {}

  private final Map<Put, List<ArrowRecordBatch>> batches = new HashMap<>();
  private @Nullable ChangeCargo cargo;

  /** Releases the batches of another cargo. */
  synchronized void keepOnly(@Nullable ChangeCargo of) {
    if (cargo != of) {
      batches.values().forEach(each -> each.forEach(ArrowRecordBatch::close));
      batches.clear();
      cargo = of;
    }
  }

  /** Returns the kept batches of a put; the list is empty at first, and the caller fills it. */
  synchronized List<ArrowRecordBatch> of(int part, int lane) {
    return batches.computeIfAbsent(new Put(part, lane), put -> new ArrayList<>());
  }
}
