package io.drayage.bench.rig;

import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.bench.system.SystemUnderTest;
import io.drayage.bench.system.Systems;
import java.util.List;
import java.util.stream.Stream;
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
    assertThat(edenBytes).isGreaterThan(cargoBytes / 2 * 5);
    assertThat(heap.oldBytes()).isGreaterThan(cargoBytes);
  }

  @ParameterizedTest
  @ValueSource(longs = {100_000_000, 1_000_000_000, 10_000_000_000L})
  void survivorSpacesOfTheWorkerHoldThePublishedQueue(long cargoBytes) {
    HeapPlan.Heap heap = HeapPlan.of(cargoBytes, 0).worker();
    assertThat(heap.youngBytes() / (heap.survivorRatio() + 2)).isGreaterThan(QUEUED_CHUNKS_BYTES);
    assertThat(heap.oldBytes()).isGreaterThan(cargoBytes);
  }

  @Test
  void theDefaultSystemsWithAGigabyteFitInto23Gigabytes() {
    List<SystemUnderTest> systems =
        systems(
            "grpc:java+none",
            "netty:java+none",
            "grpc:raw+none@cores",
            "netty:raw+none@1",
            "netty:raw+none@cores");
    assertThat(reckonedBytes(HeapPlan.of(1_000_000_000, 0), systems)).isLessThan(23_000_000_000L);
  }

  @Test
  void aWholeCommitOfAGigabyteFitsBesideTheBaselineInto22Gigabytes() {
    List<SystemUnderTest> systems = systems("grpc:java+none", "netty:raw+none@cores");
    HeapPlan plan = HeapPlan.ofCommits(1_000_000_000, 0, 1, true, systems);
    assertThat(reckonedBytes(plan, systems)).isBetween(15_000_000_000L, 21_000_000_000L);
  }

  @ParameterizedTest
  @ValueSource(strings = {"netty:raw+none@cores", "netty:columnar+none@2"})
  void eightGigabytesThatAreDecodedIntoPlaceFitInto23(String system) {
    List<SystemUnderTest> systems = systems(system);
    long cargoBytes = 8_072_000_000L;
    HeapPlan plan = HeapPlan.ofCommits(cargoBytes, 0, 1, false, systems);
    assertThat(plan.transactor().youngBytes()).isGreaterThan(cargoBytes);
    assertThat(plan.worker().oldBytes()).isGreaterThan(cargoBytes);
    assertThat(reckonedBytes(plan, systems)).isLessThan(23_000_000_000L);
  }

  private static List<SystemUnderTest> systems(String... notations) {
    return Stream.of(notations).map(Systems.notation()::parse).toList();
  }

  private static long reckonedBytes(HeapPlan plan, List<SystemUnderTest> systems) {
    return systems.stream().mapToLong(plan::pairBytes).sum();
  }
}
