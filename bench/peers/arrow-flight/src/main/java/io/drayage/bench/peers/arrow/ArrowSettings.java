package io.drayage.bench.peers.arrow;

/**
 * The settings of Flight, by system properties with the prefix {@code drayage.arrow.}. See
 * docs/decisions/comparisons.md for the choice of the defaults.
 *
 * @param batchBytes approximate bytes of a record batch
 * @param puts number of concurrent puts of a worker, each with a thread
 * @param connections number of connections
 * @param windowBytes gRPC's flow control window at both ends; 0: gRPC's adaptive window
 * @param readyBytes bytes that gRPC accepts beyond the window before it makes the sender wait
 * @param zeroCopy whether a batch goes to the network without a copy
 * @param keepsVectors whether a worker that sends a cargo again reuses its vectors
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
