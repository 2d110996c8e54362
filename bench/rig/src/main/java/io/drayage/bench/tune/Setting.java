package io.drayage.bench.tune;

import static io.drayage.internal.Texts.format;

import io.drayage.bench.system.Contender;
import io.drayage.bench.system.SystemOptions;
import io.drayage.bench.system.SystemUnderTest;
import io.drayage.bench.system.Systems;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * One way to ship with a codec.
 *
 * @param codec serializer, compressor and its level, {@code columnar+zstd:1}
 * @param workerThreads codec threads of the worker
 * @param transactorThreads codec threads of the transactor
 * @param segmentBytes approximate raw bytes of a segment
 * @param connections of a shipment
 */
public record Setting(
    String codec, int workerThreads, int transactorThreads, int segmentBytes, int connections) {
  private static final int KIB = 1 << 10;
  private static final int MIB = 1 << 20;

  /** Orders equally fast settings by their needs, then by their distance from the defaults. */
  static final Comparator<Setting> CHEAPEST_FIRST =
      Comparator.comparingInt(
              (Setting setting) -> setting.workerThreads + setting.transactorThreads)
          .thenComparing(Setting::connections)
          .thenComparing(Setting::segmentStepsFromDefault)
          .thenComparing(Setting::workerThreads);

  /** Returns the doublings or halvings from the default segment size. */
  private int segmentStepsFromDefault() {
    return Math.abs(
        Integer.numberOfTrailingZeros(segmentBytes)
            - Integer.numberOfTrailingZeros(SystemOptions.DEFAULT.segments().bytes()));
  }

  /**
   * Returns the system of a codec over Netty with {@code threads} threads on each side.
   *
   * @throws IllegalArgumentException if there is no such codec, with a list of the codecs
   */
  public static SystemUnderTest system(String codec, int threads) {
    return Systems.notation().parse(format("netty:%s@%d", codec, threads));
  }

  SystemUnderTest system() {
    return system(codec, Math.max(workerThreads, transactorThreads));
  }

  Contender toContender() {
    SystemOptions options =
        SystemOptions.DEFAULT
            .withThreads(workerThreads, transactorThreads)
            .withSegmentBytes(segmentBytes)
            .withConnections(connections);
    return new Contender(toString(), system(), options);
  }

  /** Returns the options of throughput, worker and transactor, without their dashes. */
  Map<String, String> toOptions() {
    Map<String, String> options = new LinkedHashMap<>();
    options.put("system", system().toString());
    options.put("worker-threads", Integer.toString(workerThreads));
    options.put("transactor-threads", Integer.toString(transactorThreads));
    options.put("segment-size", segmentSize());
    options.put("connections", Integer.toString(connections));
    return options;
  }

  /** Returns {@code 2/1}: the threads of the worker and of the transactor. */
  String threads() {
    return workerThreads + "/" + transactorThreads;
  }

  /** Returns the size as users write it. */
  String segmentSize() {
    return segmentBytes % MIB == 0 ? segmentBytes / MIB + "MiB" : segmentBytes / KIB + "KiB";
  }

  /** Returns {@code raw+none threads 2/1 segments 1MiB connections 1}. */
  @Override
  public String toString() {
    return format(
        "%s threads %s segments %s connections %d", codec, threads(), segmentSize(), connections);
  }
}
