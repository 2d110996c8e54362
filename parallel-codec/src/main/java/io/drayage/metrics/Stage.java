package io.drayage.metrics;

/** The stages that a cargo goes through, each with its own threads. */
public enum Stage {
  /** Worker: codec threads that encode segments, or the thread that serializes a stream. */
  ENCODE,
  /** Worker: event loops that write, or the thread that sends the chunks of a stream. */
  SEND,
  /** Transactor: event loops that read. */
  RECEIVE,
  /** Transactor: codec threads that decode segments, or the thread that deserializes a stream. */
  DECODE,
  /** Transactor: the thread that commits cargoes. */
  COMMIT
}
