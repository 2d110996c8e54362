package io.drayage.bench.report;

import java.util.LinkedHashMap;
import java.util.Map;

/** The terms of a comparison, each explained once: in the help of the commands and on the page. */
public final class Terms {
  private Terms() {}

  /** The explanations by their terms, in the order in which a reader meets them. */
  public static Map<String, String> all() {
    Map<String, String> terms = new LinkedHashMap<>();
    terms.put(
        "system",
        "TRANSPORT:SERIALIZER+COMPRESSOR[:LEVEL][@THREADS]: how a worker ships a cargo to the"
            + " transactor. With @THREADS (@cores: all) in parallel segments, without as one stream."
            + " grpc:java+none is the published one, the baseline");
    terms.put(
        "S+Q",
        "serialize and queue: from the start of serialization until the transactor has reported that"
            + " it holds the whole cargo, decoded and verified");
    terms.put(
        "commit",
        "from the request until the worker has loaded the snapshot that the transactor stored and"
            + " published (with --commit memory: until the cargo has taken effect in the"
            + " transactor's memory). S+Q is a part of it");
    terms.put("GB/s", "raw bytes (10^9) of the cargo a second of S+Q");
    terms.put(
        "CPU s/GB",
        "processor time of all processes of the system, compiler and collector included, a GB of raw"
            + " bytes: less changed by a noisy machine than the times");
    terms.put(
        "turn",
        "every system ships the cargo once, in an order that rotates. What slows the machine for a"
            + " while meets all systems");
    terms.put(
        "times as fast",
        "the baseline's time over the system's, turn by turn (the mean of the logarithms without 20"
            + " % at either end); in brackets the interval that holds the true ratio with a"
            + " confidence of 95 %. If it contains 1, no difference is shown");
    terms.put(
        "disturbed",
        "a turn in which other processes and the hypervisor took an eighth of the processors or"
            + " more; left out if at least 5 others remain");
    terms.put(
        "warm",
        "before the first turn small cargoes were shipped until the compiler had little left to do"
            + " and the times agreed. The first commit of new processes is in the result"
            + " (firstCommitS), and the compiler's part of the measured turns (jitShare)");
    return terms;
  }
}
