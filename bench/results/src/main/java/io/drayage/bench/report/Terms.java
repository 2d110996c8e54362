package io.drayage.bench.report;

import java.util.LinkedHashMap;
import java.util.Map;

/** The terms of a comparison, each explained once: for the commands' help and for the page. */
public final class Terms {
  private Terms() {}

  /** Returns the explanations by their terms, in the order of their first use. */
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
        "from the request until the worker has the snapshot that the transactor stored and"
            + " published: from its own cargo, but for grpc:java+none, which downloads it as"
            + " published (with --commit memory: until the cargo has taken effect in the"
            + " transactor's memory). S+Q is a part of it");
    terms.put(
        "downloaded",
        "the commit with a download of the snapshot, timed by another copy after the commit and put"
            + " in the place of applying the own cargo (in the result: downloadedCommitS)");
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
        "JIT",
        "the compiler threads' part of the processor time within S+Q (in the result: jitShare)");
    terms.put(
        "warm",
        "the compiler had at most 10 % of the processor time within S+Q, and the first turns took"
            + " within 15 % of the processor time of the others. Small cargoes and then whole ones"
            + " are shipped before for that, until all systems are; rounds of turns before they were"
            + " do not count");
    terms.put(
        "first commit",
        "the first one of new processes once they are ready, before they are warm: what is met after"
            + " every restart (in the result: firstCommitS). What ships in segments has warmed itself"
            + " for half a second before it was ready, as nodes do; streams and peers are as they are"
            + " met");
    return terms;
  }
}
