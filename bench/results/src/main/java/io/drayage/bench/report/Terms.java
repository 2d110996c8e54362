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
            + " published. The worker uses its own cargo; only grpc:java+none downloads the"
            + " snapshot, as in the study. With --commit memory: until the cargo has taken effect in"
            + " the transactor's memory. S+Q is a part of the commit");
    terms.put(
        "downloaded",
        "the commit with a download of the snapshot, which another replica makes after the commit."
            + " Its time replaces that of applying the own cargo (in the result:"
            + " downloadedCommitS)");
    terms.put("GB/s", "raw bytes (10^9) of the cargo a second of S+Q");
    terms.put(
        "CPU s/GB",
        "CPU time of all processes of the system, compiler and collector included, for a GB of raw"
            + " bytes. A noisy machine affects it less than the times");
    terms.put(
        "floor",
        "the least CPU time that a GB needs on this machine: copied out of arrays, added to a"
            + " checksum, written to a socket, read, added to a checksum and copied into arrays, and"
            + " for a stored commit written to the disk, each once, in one pass. Bytes that a codec"
            + " saves are not sent or written; the codec itself is not counted");
    terms.put(
        "turn",
        "every system ships the cargo once, in an order that rotates. If the machine is slow for a"
            + " while, this affects all systems");
    terms.put(
        "times as fast",
        "the baseline's time over the system's, turn by turn (the mean of the logarithms without 20"
            + " % at either end); in brackets the interval that holds the true ratio with a"
            + " confidence of 95 %. If it contains 1, no difference is shown");
    terms.put(
        "disturbed",
        "a turn in which other processes and the hypervisor used an eighth of the CPUs or more;"
            + " left out if at least 5 others remain");
    terms.put(
        "JIT", "the compiler threads' part of the CPU time within S+Q (in the result: jitShare)");
    terms.put(
        "warm",
        "the compiler used at most 10 % of the CPU time within S+Q, and the CPU time of the first"
            + " turns was within 15 % of that of the others. Small cargoes and then whole ones are"
            + " shipped until all systems are warm. Rounds of turns before that do not count");
    terms.put(
        "first commit",
        "the first commit of new processes that are ready but not warm, as after every restart (in"
            + " the result: firstCommitS). Processes that ship in segments have warmed up for half"
            + " a second before they were ready, as nodes do; streams and peers have not");
    return terms;
  }
}
