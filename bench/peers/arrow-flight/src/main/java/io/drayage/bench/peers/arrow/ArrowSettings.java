package io.drayage.bench.peers.arrow;

/**
 * How Flight is set up, by system properties of the same names with {@code drayage.arrow.} before
 * them. docs/decisions/comparisons.md tells how the defaults were found.
 *
 * @param batchBytes about how many bytes a record batch has
 * @param puts how many puts a worker makes at a time, each with a thread of its own
 * @param connections over how many connections
 * @param windowBytes gRPC's flow control window at both ends; 0: gRPC's own, which adapts itself
 * @param readyBytes how many bytes gRPC takes beyond the window before it makes the sender wait
 * @param zeroCopy whether a batch goes to the network without a copy
 * @param keepsVectors whether a worker that sends a cargo again has its vectors already
 */
record ArrowSettings(
    int batchBytes,
    int puts,
    int connections,
    int windowBytes,
    int readyBytes,
    boolean zeroCopy,
    boolean keepsVectors) {
  private static final String PREFIX = "drayage.arrow.";
  private static final int MIB = 1 << 20;

  static ArrowSettings ofSystem() {
    return new ArrowSettings(
        Integer.getInteger(PREFIX + "batchBytes", 4 * MIB),
        Integer.getInteger(PREFIX + "puts", 1),
        Integer.getInteger(PREFIX + "connections", 1),
        Integer.getInteger(PREFIX + "windowBytes", 16 * MIB),
        Integer.getInteger(PREFIX + "readyBytes", 16 * MIB),
        Boolean.parseBoolean(System.getProperty(PREFIX + "zeroCopy", "true")),
        Boolean.getBoolean(PREFIX + "keepsVectors"));
  }
}
