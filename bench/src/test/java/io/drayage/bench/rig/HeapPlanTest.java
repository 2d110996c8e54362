package io.drayage.bench.rig;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class HeapPlanTest {
  private static final long QUEUED_CHUNKS_BYTES = 1_024 * 63_000;

  @ParameterizedTest
  @ValueSource(longs = {100_000, 100_000_000, 1_000_000_000, 10_000_000_000L})
  void edenOfTheTransactorHoldsACargoAndAsMuchGarbage(long cargoBytes) {
    HeapPlan.Heap heap = HeapPlan.of(cargoBytes, 0).transactor();
    long edenBytes = heap.youngBytes() / (heap.survivorRatio() + 2) * heap.survivorRatio();
    assertThat(edenBytes).isGreaterThan(2 * cargoBytes);
    assertThat(heap.oldBytes()).isGreaterThan(cargoBytes);
  }

  @ParameterizedTest
  @ValueSource(longs = {600_000_000, 1_000_000_000, 10_000_000_000L})
  void survivorSpacesOfTheWorkerHoldThePublishedQueue(long cargoBytes) {
    HeapPlan.Heap heap = HeapPlan.of(cargoBytes, 0).worker();
    assertThat(heap.youngBytes() / (heap.survivorRatio() + 2)).isGreaterThan(QUEUED_CHUNKS_BYTES);
    assertThat(heap.oldBytes()).isGreaterThan(cargoBytes);
  }

  @Test
  void fiveSystemsWithAGigabyteFitInto24Gigabytes() {
    assertThat(5 * HeapPlan.of(1_000_000_000, 0).pairBytes()).isLessThan(24_000_000_000L);
  }
}
