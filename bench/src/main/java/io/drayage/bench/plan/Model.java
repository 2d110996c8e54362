package io.drayage.bench.plan;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How long a shipment takes: all parts work at the same time, so as long as the slowest takes for
 * its work, and what they wait for each other beyond that. A part with several threads is so many
 * times as fast, a machine can do no more than its cores do together, and a link no more than its
 * rate less headers. That memory gets slower when more cores use it is not in here.
 */
final class Model {
  /** What a link carries of frames, headers of the other layers taken off. */
  static final double LINK_PAYLOAD = 0.95;

  private static final double GB = 1e9;

  private Model() {}

  /**
   * Predicts.
   *
   * @param linkBytesPerSecond what the link carries; null for loopback
   * @param rawBytes of the cargo
   */
  static Prediction predict(
      Rates rates, Hosts hosts, @Nullable Double linkBytesPerSecond, double rawBytes) {
    double gb = rawBytes / GB;
    boolean segments = rates.system().contains("@");
    int workers = segments ? Math.min(hosts.workerThreads(), hosts.cores()) : 1;
    int transactors = segments ? Math.min(hosts.transactorThreads(), hosts.cores()) : 1;
    Map<String, Double> bounds = new LinkedHashMap<>();
    bounds.put("worker encode", rates.slack() * gb * rates.encodeS() / workers);
    bounds.put("worker send", rates.slack() * gb * rates.sendS());
    bounds.put("transactor receive", rates.slack() * gb * rates.receiveS());
    bounds.put("transactor decode", rates.slack() * gb * rates.decodeS() / transactors);
    if (hosts.shared()) {
      double together = rates.workerS() + rates.transactorS();
      bounds.put("cores", rates.slack() * gb * together / hosts.cores());
    } else {
      bounds.put("worker cores", rates.slack() * gb * rates.workerS() / hosts.cores());
      bounds.put("transactor cores", rates.slack() * gb * rates.transactorS() / hosts.cores());
    }
    if (linkBytesPerSecond != null) {
      bounds.put("link", rawBytes * rates.wireShare() / (linkBytesPerSecond * LINK_PAYLOAD));
    }
    Map.Entry<String, Double> slowest =
        bounds.entrySet().stream().max(Map.Entry.comparingByValue()).orElseThrow();
    return new Prediction(slowest.getValue(), slowest.getKey(), bounds);
  }
}
