package io.drayage.bench.tune;

import io.drayage.bench.system.SystemOptions;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * The settings that are tried.
 *
 * @param threads thread counts of either side
 * @param segmentBytes raw bytes of a segment
 * @param connections of a shipment
 * @param cores of the machine
 */
public record Grid(
    List<Integer> threads, List<Integer> segmentBytes, List<Integer> connections, int cores) {
  /** Returns the thread counts of a machine: powers of two up to its cores, and all cores. */
  public static List<Integer> threadCounts(int cores) {
    TreeSet<Integer> threads = new TreeSet<>(List.of(cores));
    for (int count = 1; count < cores; count *= 2) {
      threads.add(count);
    }
    return List.copyOf(threads);
  }

  /** Returns all settings of a codec, the untuned one included. */
  List<Setting> of(String codec) {
    Set<Setting> settings = new LinkedHashSet<>();
    for (int worker : threads) {
      for (int transactor : threads) {
        for (int segment : segmentBytes) {
          for (int count : connections) {
            settings.add(new Setting(codec, worker, transactor, segment, count));
          }
        }
      }
    }
    settings.add(untuned(codec));
    return List.copyOf(settings);
  }

  /** Returns the defaults: {@code @cores}. */
  Setting untuned(String codec) {
    return new Setting(
        codec,
        cores,
        cores,
        SystemOptions.DEFAULT.segments().bytes(),
        SystemOptions.DEFAULT.wire().connections());
  }
}
