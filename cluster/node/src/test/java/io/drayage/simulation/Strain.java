package io.drayage.simulation;

/** A condition that makes a seed unlike others, from its begin to its end. Most seeds have none. */
enum Strain {
  /** Many senders of fragments share two places for shipments, while data is stored slowly. */
  WIDE_STAGE,
  /** Names of workers are as long as they may be, and a commit has many fragments. */
  LONGEST_NAMES,
  /** A new primary learns late of the open transactions, and others send their ids. */
  SLOW_ADOPTION,
  /** Each deletion needs seconds, and a transaction leaves much to delete. */
  SLOW_DELETIONS,
  /** A node reads a full snapshot for minutes, and its mark cannot be renewed. */
  SLOW_READER
}
